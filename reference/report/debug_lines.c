/* debug_lines.c -- from an address of the program to functions, files and lines.
 *
 * A call that was inlined is shown where the user wrote it: starting from the innermost inlined function, code that
 * comes from our own headers or the system's (a C++ container, a generic selection) is skipped outward until a file of
 * the user's. What a library's header has and was not inlined is shown where the user calls it, if he does so in one
 * line only (debug_callers.c). Paths are shown relative to the directory where the run began when they lie below it, so
 * that reports from two checkouts of one program are equal.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/report/debug.h"

struct fp_debug_slot {
    uint64_t address;
    struct fp_debug_line *frames; /* NULL: the slot is free */
    int nframes;
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

/* A frame as it is kept; `file` as DWARF has it. */
static struct fp_debug_line
frame_of(struct fp_debug *debug, const char *function, const char *dir, const char *file, int line)
{
    struct fp_debug_line frame = {0};
    char *path = file ? clean_path(dir, file) : NULL;
    if (function)
        frame.function = fp_debug_keep(debug, strdup(function));
    if (path) {
        frame.path = fp_debug_keep(debug, path);
        frame.file = shown_path(debug, path);
        frame.line = line;
    }
    return frame;
}

/* Outward from the innermost function at `address`, whose place is file:line. */
static int
walk_outward(struct fp_debug *debug, Dwarf_Die *unit, Dwarf_Addr address, const char *dir, const char *file, int line,
             struct fp_debug_line *frames)
{
    Dwarf_Die *at = NULL, *chain = NULL;
    int n = 0;
    if (dwarf_getscopes(unit, address, &at) <= 0)
        return 0;
    /* dwarf_getscopes continues with the *abstract* parents of an inlined function; the callers are the DIE's own. */
    int depth = dwarf_getscopes_die(&at[0], &chain);
    for (int i = 0; i < depth && n < FP_DEBUG_FRAMES; i++) {
        int tag = dwarf_tag(&chain[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        frames[n++] = frame_of(debug, dwarf_diename(&chain[i]), dir, file, line);
        if (tag == DW_TAG_subprogram || !call_site(unit, &chain[i], &file, &line))
            break;
    }
    free(at);
    free(chain);
    return n;
}

/* The innermost frame that is the user's; n: none is. */
static int
users_frame(const struct fp_debug_line *frames, int n)
{
    int first = 0;
    while (first < n && !(frames[first].path && is_users_file(frames[first].path)))
        first++;
    return first;
}

/* Leaves out the innermost frames that are not the user's, unless none is. */
static int
drop_foreign(struct fp_debug_line *frames, int n)
{
    int first = users_frame(frames, n);
    if (first == n)
        return n;
    memmove(frames, frames + first, (size_t)(n - first) * sizeof *frames);
    return n - first;
}

static int
look_up_here(struct fp_debug *debug, uint64_t address, struct fp_debug_line *frames)
{
    frames[0] = (struct fp_debug_line){0};
    Dwfl_Module *module = fp_debug_module(debug);
    if (!module)
        return 1;
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = unit_of(module, address, &bias);
    Dwarf_Line *row = unit ? dwarf_getsrc_die(unit, address - bias) : NULL;
    const char *file = row ? dwarf_linesrc(row, NULL, NULL) : NULL, *dir = NULL;
    int line = 0, n = 0;
    if (file) {
        Dwarf_Attribute attr;
        dwarf_lineno(row, &line);
        dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attr));
        n = walk_outward(debug, unit, address - bias, dir, file, line, frames);
    }
    if (n == 0) {
        frames[0] = frame_of(debug, dwfl_module_addrname(module, address), dir, file, line);
        n = 1;
    }
    return drop_foreign(frames, n);
}

/* The one line of the user's from which all calls come. */
struct one_line {
    struct fp_debug_line frames[FP_DEBUG_FRAMES];
    int n; /* 0: none yet */
    bool several;
};

static bool
is_users_call(struct fp_debug *debug, uint64_t call, void *arg)
{
    struct one_line *one = arg;
    struct fp_debug_line frames[FP_DEBUG_FRAMES];
    int n = look_up_here(debug, call, frames);
    if (users_frame(frames, n) == n)
        return false;
    one->several |= one->n && (frames[0].line != one->frames[0].line || strcmp(frames[0].path, one->frames[0].path));
    if (!one->n) {
        memcpy(one->frames, frames, (size_t)n * sizeof *frames);
        one->n = n;
    }
    return true;
}

static int
look_up(struct fp_debug *debug, uint64_t address, struct fp_debug_line *frames)
{
    int n = look_up_here(debug, address, frames);
    struct one_line one = {.n = 0};
    if (!frames[0].path || users_frame(frames, n) < n || !fp_debug_callers(debug, address, is_users_call, &one) ||
        one.several || !one.n)
        return n;
    memcpy(frames, one.frames, (size_t)one.n * sizeof *frames);
    return one.n;
}

static struct fp_debug_slot *
slot_of(struct fp_debug_slot *slots, size_t nslots, uint64_t address)
{
    size_t i = (address * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
    while (slots[i &= nslots - 1].frames && slots[i].address != address)
        i++;
    return &slots[i];
}

static void
grow(struct fp_debug *debug)
{
    size_t n = debug->nslots ? 2 * debug->nslots : 64;
    struct fp_debug_slot *slots = calloc(n, sizeof *slots);
    for (size_t i = 0; i < debug->nslots; i++)
        if (debug->slots[i].frames)
            *slot_of(slots, n, debug->slots[i].address) = debug->slots[i];
    free(debug->slots);
    debug->slots = slots;
    debug->nslots = n;
}

int
fp_debug_frames(struct fp_debug *debug, uint64_t address, const struct fp_debug_line **frames)
{
    pthread_mutex_lock(&debug->lock);
    if (2 * debug->used >= debug->nslots)
        grow(debug);
    struct fp_debug_slot *slot = slot_of(debug->slots, debug->nslots, address);
    if (!slot->frames) {
        struct fp_debug_line found[FP_DEBUG_FRAMES];
        int n = look_up(debug, address, found);
        *slot = (struct fp_debug_slot){.address = address, .nframes = n, .frames = malloc((size_t)n * sizeof *found)};
        memcpy(slot->frames, found, (size_t)n * sizeof *found);
        fp_debug_keep(debug, (char *)slot->frames);
        debug->used++;
    }
    *frames = slot->frames;
    int n = slot->nframes;
    pthread_mutex_unlock(&debug->lock);
    return n;
}
