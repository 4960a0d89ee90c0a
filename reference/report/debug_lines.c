/* debug_lines.c -- from an address of the program to function, file and line.
 *
 * A call that was inlined is shown where the user wrote it: starting from the innermost inlined function, code that
 * comes from our own headers or the system's (a C++ container, a generic selection) is skipped outward until a file of
 * the user's. Paths are shown relative to the directory where the run began when they lie below it, so that reports
 * from two checkouts of one program are equal.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/report/debug.h"

struct fp_debug_slot {
    uint64_t address;
    bool taken;
    struct fp_debug_line line;
};

static bool
is_users_file(const char *path)
{
    static const char *const ours[] = {"shmem.h", "shmemx.h", "nvshmem.h", "nvshmemx.h", "fencepost.h"};
    if (strncmp(path, "/usr/include/", 13) == 0 || strncmp(path, "/usr/lib/", 9) == 0)
        return false;
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strcmp(base, ours[i]) == 0)
            return false;
    return true;
}

/* Absolute, without "." and "..", which compilers leave in. Lexical: a link is not followed. */
static char *
clean_path(const char *dir, const char *path)
{
    char *all = NULL;
    if (path[0] == '/' || !dir || !*dir)
        all = strdup(path);
    else if (asprintf(&all, "%s/%s", dir, path) < 0)
        return NULL;
    if (all[0] != '/')
        return all;
    char *out = all;
    for (char *in = all; *in;) {
        while (*in == '/')
            in++;
        size_t n = strcspn(in, "/");
        if (n == 2 && in[0] == '.' && in[1] == '.') {
            while (out > all && *--out != '/')
                ;
        } else if (n > 0 && !(n == 1 && in[0] == '.')) {
            *out++ = '/';
            memmove(out, in, n);
            out += n;
        }
        in += n;
    }
    *out = '\0';
    return all;
}

static const char *
shown_path(const struct fp_debug *debug, const char *path)
{
    size_t n = strlen(debug->cwd);
    if (n > 1 && strncmp(path, debug->cwd, n) == 0 && path[n] == '/')
        return path + n + 1;
    return path;
}

/* The compilation unit of an address. Some compilers write no table of ranges, so fall back to asking each unit. */
static Dwarf_Die *
unit_of(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);
    if (unit && dwarf_haspc(unit, address - *bias) == 1)
        return unit;
    unit = NULL;
    while ((unit = dwfl_module_nextcu(module, unit, bias)))
        if (dwarf_haspc(unit, address - *bias) == 1)
            return unit;
    return NULL;
}

/* Where the inlined call `die` stands in its caller. */
static bool
call_site(Dwarf_Die *unit, Dwarf_Die *die, const char **file, int *line)
{
    Dwarf_Attribute attr;
    Dwarf_Word file_no = 0, line_no = 0;
    Dwarf_Files *files;
    size_t nfiles;
    if (!dwarf_attr(die, DW_AT_call_file, &attr) || dwarf_formudata(&attr, &file_no) ||
        !dwarf_attr(die, DW_AT_call_line, &attr) || dwarf_formudata(&attr, &line_no) ||
        dwarf_getsrcfiles(unit, &files, &nfiles))
        return false;
    *file = dwarf_filesrc(files, file_no, NULL, NULL);
    *line = (int)line_no;
    return *file != NULL;
}

/* Walks outward from the innermost function until the file is one of the user's. */
static void
walk_outward(Dwarf_Die *unit, Dwarf_Addr address, const char **function, const char **file, int *line)
{
    Dwarf_Die *at = NULL, *chain = NULL;
    if (dwarf_getscopes(unit, address, &at) <= 0)
        return;
    /* dwarf_getscopes continues with the *abstract* parents of an inlined function; the callers are the DIE's own. */
    int depth = dwarf_getscopes_die(&at[0], &chain);
    const char *at_file = *file;
    int at_line = *line;
    for (int i = 0; i < depth; i++) {
        int tag = dwarf_tag(&chain[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        if (!*function)
            *function = dwarf_diename(&chain[i]);
        if (tag == DW_TAG_subprogram || is_users_file(at_file)) {
            if (is_users_file(at_file)) {
                *function = dwarf_diename(&chain[i]);
                *file = at_file;
                *line = at_line;
            }
            break;
        }
        if (!call_site(unit, &chain[i], &at_file, &at_line))
            break;
    }
    free(at);
    free(chain);
}

static struct fp_debug_line
look_up(struct fp_debug *debug, uint64_t address)
{
    struct fp_debug_line result = {0};
    Dwfl_Module *module = fp_debug_module(debug);
    if (!module)
        return result;
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = unit_of(module, address, &bias);
    const char *function = NULL, *file = NULL, *dir = NULL;
    int line = 0;
    if (unit) {
        Dwarf_Line *row = dwarf_getsrc_die(unit, address - bias);
        if (row) {
            file = dwarf_linesrc(row, NULL, NULL);
            dwarf_lineno(row, &line);
        }
        Dwarf_Attribute attr;
        dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attr));
        if (file)
            walk_outward(unit, address - bias, &function, &file, &line);
    }
    if (!function)
        function = dwfl_module_addrname(module, address);
    if (function)
        result.function = fp_debug_keep(debug, strdup(function));
    char *path = file ? clean_path(dir, file) : NULL;
    if (path) {
        result.path = fp_debug_keep(debug, path);
        result.file = shown_path(debug, path);
        result.line = line;
    }
    return result;
}

static struct fp_debug_slot *
slot_of(struct fp_debug_slot *slots, size_t nslots, uint64_t address)
{
    size_t i = (address * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
    while (slots[i &= nslots - 1].taken && slots[i].address != address)
        i++;
    return &slots[i];
}

static void
grow(struct fp_debug *debug)
{
    size_t n = debug->nslots ? 2 * debug->nslots : 64;
    struct fp_debug_slot *slots = calloc(n, sizeof *slots);
    for (size_t i = 0; i < debug->nslots; i++)
        if (debug->slots[i].taken)
            *slot_of(slots, n, debug->slots[i].address) = debug->slots[i];
    free(debug->slots);
    debug->slots = slots;
    debug->nslots = n;
}

struct fp_debug_line
fp_debug_line(struct fp_debug *debug, uint64_t address)
{
    pthread_mutex_lock(&debug->lock);
    if (2 * debug->used >= debug->nslots)
        grow(debug);
    struct fp_debug_slot *slot = slot_of(debug->slots, debug->nslots, address);
    if (!slot->taken) {
        *slot = (struct fp_debug_slot){.address = address, .taken = true, .line = look_up(debug, address)};
        debug->used++;
    }
    struct fp_debug_line line = slot->line;
    pthread_mutex_unlock(&debug->lock);
    return line;
}
