/* debug_objects.c -- the static objects of the program, by address.
 *
 * The symbol table is the first source: it has a size for every object, debug information or not. The second is
 * DWARF: it has objects that a symbol table leaves out, and the name as the user wrote it where the symbol is mangled.
 * A static object is bounded by its own symbol, not by its segment: a put that runs from one array into the next is a
 * fault although the memory is there.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "reference/report/debug.h"

enum rank { RANK_GLOBAL, RANK_LOCAL, RANK_DWARF };

struct list {
    struct fp_debug_object *items;
    size_t n, cap;
};

static void
append(struct list *list, struct fp_debug_object object)
{
    if (list->n == list->cap) {
        list->cap = list->cap ? 2 * list->cap : 256;
        list->items = realloc(list->items, list->cap * sizeof *list->items);
    }
    list->items[list->n++] = object;
}

static void
read_symbols(Dwfl_Module *module, struct list *list)
{
    int n = dwfl_module_getsymtab(module);
    for (int i = 1; i < n; i++) {
        GElf_Sym sym;
        GElf_Addr address;
        GElf_Word section;
        const char *name = dwfl_module_getsym_info(module, i, &sym, &address, &section, NULL, NULL);
        if (!name || !*name || GELF_ST_TYPE(sym.st_info) != STT_OBJECT || sym.st_size == 0 || section == SHN_UNDEF)
            continue;
        unsigned char rank = GELF_ST_BIND(sym.st_info) == STB_LOCAL ? RANK_LOCAL : RANK_GLOBAL;
        append(list, (struct fp_debug_object){address, sym.st_size, name, rank});
    }
}

/* Bytes of a variable's type; 0 where DWARF does not say (an array of unknown bound). */
static uint64_t
type_bytes(Dwarf_Die *variable)
{
    Dwarf_Attribute attr;
    Dwarf_Die type;
    Dwarf_Word bytes;
    if (!dwarf_attr_integrate(variable, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &type) ||
        dwarf_aggregate_size(&type, &bytes))
        return 0;
    return bytes;
}

static void
read_variable(Dwarf_Die *die, Dwarf_Addr bias, struct list *list)
{
    Dwarf_Attribute attr;
    Dwarf_Op *op;
    size_t nops;
    const char *name = dwarf_diename(die);
    if (!name || !dwarf_attr_integrate(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &op, &nops) ||
        nops != 1 || (op->atom != DW_OP_addr && op->atom != DW_OP_addrx && op->atom != DW_OP_GNU_addr_index))
        return;
    uint64_t address = op->number;
    if (op->atom != DW_OP_addr) {
        Dwarf_Attribute value;
        Dwarf_Addr where;
        if (dwarf_getlocation_attr(&attr, op, &value) || dwarf_formaddr(&value, &where))
            return;
        address = where;
    }
    uint64_t bytes = type_bytes(die);
    if (bytes)
        append(list, (struct fp_debug_object){address + bias, bytes, name, RANK_DWARF});
}

static void
read_scope(Dwarf_Die *scope, Dwarf_Addr bias, struct list *list, int depth)
{
    Dwarf_Die die;
    if (depth > 64 || dwarf_child(scope, &die))
        return;
    do {
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
            read_variable(&die, bias, list);
            break;
        case DW_TAG_subprogram:
        case DW_TAG_lexical_block:
        case DW_TAG_namespace:
        case DW_TAG_inlined_subroutine:
            read_scope(&die, bias, list, depth + 1);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

static void
read_dwarf(Dwfl_Module *module, struct list *list)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = NULL;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)))
        read_scope(unit, bias, list, 0);
}

static int
by_address(const void *a, const void *b)
{
    const struct fp_debug_object *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Compilers decorate: a function's static `count` is `count.0` (gcc) or `function.count` (clang), and link-time
 * optimisation appends `.lto_priv.0` or `.llvm.123`. The user wrote `count`. */
static char *
users_name(const char *name)
{
    static const char *const marks[] = {".lto_priv", ".llvm", ".constprop"};
    char *copy = strdup(name);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        char *mark = strstr(copy, marks[i]);
        if (mark && mark > copy)
            *mark = '\0';
    }
    for (char *dot; (dot = strrchr(copy, '.')) && dot > copy && dot[strspn(dot, ".0123456789")] == '\0';)
        *dot = '\0';
    char *dot = strrchr(copy, '.');
    if (dot && dot > copy && dot[1])
        memmove(copy, dot + 1, strlen(dot + 1) + 1);
    return copy;
}

/* Several names for one address become one object: the largest extent, the best name. */
static void
settle(struct fp_debug *debug, struct list *list)
{
    size_t out = 0;
    qsort(list->items, list->n, sizeof *list->items, by_address);
    for (size_t i = 0; i < list->n;) {
        struct fp_debug_object object = list->items[i];
        size_t j = i;
        bool mangled = strncmp(object.name, "_Z", 2) == 0;
        for (; j < list->n && list->items[j].address == object.address; j++)
            if (mangled && list->items[j].rank == RANK_DWARF) {
                object.name = list->items[j].name;
                mangled = false;
            }
        i = j;
        struct fp_debug_object *last = out ? &list->items[out - 1] : NULL;
        if (last && object.address < last->address + last->bytes)
            continue; /* lies inside one that we have */
        object.name = fp_debug_keep(debug, users_name(object.name));
        list->items[out++] = object;
    }
    debug->objects = list->items;
    debug->nobjects = out;
}

static void
read_objects(struct fp_debug *debug, bool with_dwarf)
{
    struct list list = {0};
    Dwfl_Module *module = fp_debug_module(debug);
    debug->objects_read = true;
    debug->dwarf_read = with_dwarf;
    if (!module)
        return;
    read_symbols(module, &list);
    if (with_dwarf)
        read_dwarf(module, &list);
    free(debug->objects);
    settle(debug, &list);
}

/* The last object that starts at or before `address`. */
static struct fp_debug_object
search(const struct fp_debug *debug, uint64_t address)
{
    size_t lo = 0, hi = debug->nobjects; /* objects[lo - 1] starts at or before the address, objects[hi] after it */
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (debug->objects[mid].address <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? debug->objects[lo - 1] : (struct fp_debug_object){0};
}

bool
fp_debug_object(struct fp_debug *debug, uint64_t address, struct fp_debug_object *object,
                struct fp_debug_object *before)
{
    pthread_mutex_lock(&debug->lock);
    if (!debug->objects_read)
        read_objects(debug, false);
    struct fp_debug_object found = search(debug, address);
    bool inside = address - found.address < found.bytes;
    /* DWARF is read only when the symbols do not answer: it can take a while in a large C++ program. */
    if (!debug->dwarf_read && (!inside || strncmp(found.name, "_Z", 2) == 0)) {
        read_objects(debug, true);
        found = search(debug, address);
        inside = address - found.address < found.bytes;
    }
    pthread_mutex_unlock(&debug->lock);
    if (inside)
        *object = found;
    else if (before)
        *before = found;
    return inside;
}

size_t
fp_debug_objects(struct fp_debug *debug, const struct fp_debug_object **objects)
{
    pthread_mutex_lock(&debug->lock);
    if (!debug->objects_read)
        read_objects(debug, false);
    *objects = debug->objects;
    size_t count = debug->nobjects;
    pthread_mutex_unlock(&debug->lock);
    return count;
}
