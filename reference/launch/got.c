/* got.c -- calls and variables of the images that mean something else for each PE.
 *
 * A program reaches what lies outside it through slots that the loader fills: JUMP_SLOT and GLOB_DAT relocations, and
 * 64-bit relocations in initialised data (tables of function pointers). Which of them name something that is to go
 * elsewhere is worked out once, for the program's file; applying that plan to an image is a few stores. Slots may lie
 * in pages that the loader has made read-only (RELRO): these are opened for the patch and closed again.
 *
 * Variables:
 *   optarg, optind, opterr, optopt   the image's own set, which getopt.c uses
 *   std::cout and its kin            a copy of the object for each image, so that manipulators (std::hex) are
 *                                    private to a PE; all share one stream buffer, which ends in stdio.c
 *
 * An executable compiled without -fPIC holds such variables in copies of its own (R_X86_64_COPY). That is right
 * for the variables above and for data that never changes (vtables, type information, the pointers stdout and
 * stderr); for anything else an image would look at a stale copy, which is refused.
 */
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reference/launch/launch.h"

enum slot_kind { SLOT_FUNCTION, SLOT_OPTARG, SLOT_OPTIND, SLOT_OPTERR, SLOT_OPTOPT, SLOT_STREAM, COPY_OF_FIRST };

struct slot {
    enum slot_kind kind;
    uint64_t vaddr;
    int64_t addend;
    void *value;  /* SLOT_FUNCTION: replacement. SLOT_STREAM: the library's object */
    size_t bytes; /* SLOT_STREAM, COPY_OF_FIRST */
    bool copy;    /* getopt: the variable itself is at vaddr */
};

struct fp_got_plan {
    struct slot *slots;
    size_t nslots, capacity;
};

/* Pointers that are set before main and stay. */
static const char *const constant_pointers[] = {"stdin",
                                                "stdout",
                                                "stderr",
                                                "_IO_2_1_stdout_",
                                                "environ",
                                                "__environ",
                                                "_environ",
                                                "program_invocation_name",
                                                "program_invocation_short_name",
                                                "__progname",
                                                "__progname_full",
                                                NULL};
static const char *const streams[] = {"_ZSt4cout",  "_ZSt4cerr",  "_ZSt4clog", "_ZSt3cin", "_ZSt5wcout",
                                      "_ZSt5wcerr", "_ZSt5wclog", "_ZSt4wcin", NULL};
static const char *const getopt_variables[] = {"optarg", "optind", "opterr", "optopt", NULL};

static int
name_index(const char *const *names, const char *name)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], name))
            return i;
    return -1;
}

static void
plan_add(struct fp_got_plan *plan, struct slot slot)
{
    if (plan->nslots == plan->capacity) {
        plan->capacity = plan->capacity ? 2 * plan->capacity : 32;
        plan->slots = realloc(plan->slots, plan->capacity * sizeof *plan->slots);
        if (!plan->slots)
            fp_env_fail("out of memory");
    }
    plan->slots[plan->nslots++] = slot;
}

/* The definition of `name` in a library, its size, and whether it lies in memory that nobody can write. */
struct definition {
    const char *name;
    char *address;
    size_t bytes;
    bool constant;
    const char *library;
};

static int
definition_range(struct dl_phdr_info *info, size_t bytes, void *argument)
{
    struct definition *d = argument;
    uint64_t vaddr = (uint64_t)d->address - info->dlpi_addr;
    bool here = false, constant = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const Elf64_Phdr *p = &info->dlpi_phdr[i];
        if (vaddr < p->p_vaddr || vaddr >= p->p_vaddr + p->p_memsz)
            continue;
        here |= p->p_type == PT_LOAD;
        constant |= (p->p_type == PT_LOAD && !(p->p_flags & PF_W)) || p->p_type == PT_GNU_RELRO;
    }
    d->constant |= here && constant;
    return here;
}

/* The executable's own copy hides the definition from a plain dlsym: ask each library. */
static bool
definition_find(struct definition *d)
{
    for (struct link_map *map = _r_debug.r_map ? _r_debug.r_map->l_next : NULL; map; map = map->l_next) {
        void *handle = map->l_name[0] ? dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
        if (!handle)
            continue;
        char *address = dlsym(handle, d->name);
        Dl_info info;
        Elf64_Sym *symbol = NULL;
        bool own = address && dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) &&
                   info.dli_fbase == (void *)map->l_addr;
        dlclose(handle);
        if (own) {
            d->address = address;
            d->bytes = symbol ? symbol->st_size : 0;
            d->library = map->l_name;
            dl_iterate_phdr(definition_range, d);
            return true;
        }
    }
    return false;
}

static void
refuse_copy(const char *name, const struct definition *d)
{
    fprintf(stderr,
            "fencepost: the program holds a private copy of the variable %s of %s, which would not follow the "
            "library's on each "
            "PE: compile with oshcc (or with -fPIC) so that it refers to the library's own\n",
            name, d->library ? d->library : "a library");
    fp_process_exit(FP_STATUS_USAGE);
}

static void
plan_copy(struct fp_got_plan *plan, const Elf64_Rela *r, const Elf64_Sym *symbol, const char *name)
{
    int i = name_index(getopt_variables, name);
    if (i >= 0) {
        plan_add(plan, (struct slot){.kind = (enum slot_kind)(SLOT_OPTARG + i), .vaddr = r->r_offset, .copy = true});
        return;
    }
    struct definition d = {.name = name};
    bool found = definition_find(&d);
    if (name_index(constant_pointers, name) < 0 && name_index(streams, name) < 0 && !(found && d.constant))
        refuse_copy(name, &d);
    plan_add(plan, (struct slot){.kind = COPY_OF_FIRST, .vaddr = r->r_offset, .bytes = symbol->st_size});
}

static void
plan_symbol(struct fp_got_plan *plan, const Elf64_Rela *r, const char *name, const struct fp_rebind *const *tables,
            int ntables)
{
    for (int t = 0; t < ntables; t++)
        for (const struct fp_rebind *row = tables[t]; row->symbol; row++)
            if (!strcmp(row->symbol, name)) {
                plan_add(plan, (struct slot){.kind = SLOT_FUNCTION, .vaddr = r->r_offset, .value = row->replacement});
                return;
            }
    int i = name_index(getopt_variables, name);
    if (i >= 0)
        plan_add(plan,
                 (struct slot){.kind = (enum slot_kind)(SLOT_OPTARG + i), .vaddr = r->r_offset, .addend = r->r_addend});
    if (name_index(streams, name) >= 0) {
        struct definition d = {.name = name};
        if (definition_find(&d) && d.bytes)
            plan_add(plan, (struct slot){.kind = SLOT_STREAM,
                                         .vaddr = r->r_offset,
                                         .addend = r->r_addend,
                                         .value = d.address,
                                         .bytes = d.bytes});
    }
}

static void
plan_relocations(struct fp_got_plan *plan, const struct fp_program *program, const Elf64_Rela *rela, size_t n,
                 const struct fp_rebind *const *tables, int ntables)
{
    for (size_t i = 0; i < n; i++) {
        const Elf64_Sym *symbol = &program->symtab[ELF64_R_SYM(rela[i].r_info)];
        const char *name = program->strtab + symbol->st_name;
        switch (ELF64_R_TYPE(rela[i].r_info)) {
        case R_X86_64_JUMP_SLOT:
        case R_X86_64_GLOB_DAT:
        case R_X86_64_64:
            if (symbol->st_shndx == SHN_UNDEF)
                plan_symbol(plan, &rela[i], name, tables, ntables);
            break;
        case R_X86_64_COPY:
            plan_copy(plan, &rela[i], symbol, name);
            break;
        default:
            break;
        }
    }
}

struct fp_got_plan *
fp_got_plan_make(const struct fp_program *program, const struct fp_rebind *const *tables, int ntables)
{
    struct fp_got_plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        fp_env_fail("out of memory");
    plan_relocations(plan, program, program->rela, program->nrela, tables, ntables);
    plan_relocations(plan, program, program->jmprel, program->njmprel, tables, ntables);
    return plan;
}

void
fp_got_plan_free(struct fp_got_plan *plan)
{
    if (plan)
        free(plan->slots);
    free(plan);
}

void
fp_image_relro(const struct fp_image *image, int protection)
{
    const Elf64_Phdr *relro = fp_program.relro;
    if (!relro)
        return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t lo = ((uintptr_t)image->base + relro->p_vaddr) & ~(page - 1);
    uintptr_t hi = ((uintptr_t)image->base + relro->p_vaddr + relro->p_memsz) & ~(page - 1);
    if (hi > lo && mprotect((void *)lo, hi - lo, protection))
        fp_env_fail("cannot change the protection of the program's tables: raise vm.max_map_count");
}

static void
getopt_bind(struct fp_image *image, const struct slot *slot, char *where)
{
    void *variables[] = {&image->optarg, &image->optind, &image->opterr, &image->optopt};
    void **pointer = variables[slot->kind - SLOT_OPTARG];
    if (slot->copy)
        *pointer = where;
    else
        *(char **)where = (char *)*pointer + slot->addend;
}

/* The object of this image: the library's own for PE 0. All slots that name one stream share one copy. */
static char *
stream_of(const struct fp_got_plan *plan, const struct slot *slot, struct fp_image *image)
{
    if (image->pe == 0)
        return slot->value;
    for (const struct slot *s = plan->slots; s < slot; s++)
        if (s->kind == SLOT_STREAM && s->value == slot->value)
            return *(char **)(image->base + s->vaddr) - s->addend;
    char *copy = malloc(slot->bytes);
    if (!copy)
        fp_env_fail("out of memory");
    return memcpy(copy, slot->value, slot->bytes);
}

void
fp_got_plan_apply(const struct fp_got_plan *plan, const struct fp_program *program, struct fp_image *image)
{
    image->getopt_own = (struct fp_getopt_vars){.optind = 1, .opterr = 1, .optopt = '?'};
    image->optarg = &image->getopt_own.optarg;
    image->optind = &image->getopt_own.optind;
    image->opterr = &image->getopt_own.opterr;
    image->optopt = &image->getopt_own.optopt;
    fp_image_relro(image, PROT_READ | PROT_WRITE);
    for (size_t i = 0; i < plan->nslots; i++) {
        const struct slot *slot = &plan->slots[i];
        char *where = image->base + slot->vaddr;
        switch (slot->kind) {
        case SLOT_FUNCTION:
            *(void **)where = slot->value;
            break;
        case SLOT_STREAM:
            *(char **)where = stream_of(plan, slot, image) + slot->addend;
            break;
        case COPY_OF_FIRST:
            if (image->pe)
                memcpy(where, program->base + slot->vaddr, slot->bytes);
            break;
        default:
            getopt_bind(image, slot, where);
        }
    }
    fp_image_relro(image, PROT_READ);
}
