/* debug.c -- opens the program's own file with libdwfl, at the first question.
 *
 * The module is reported at its link-time addresses (bias 0), so a site is looked up as it is, whatever the loader did.
 * Debug information in a separate file is found where the distribution puts it; never over the network: a report may
 * not depend on who is reachable.
 */
#include "reference/report/debug.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
local_debuginfo(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base, const char *file,
                const char *debuglink, GElf_Word crc, char **debuginfo)
{
    /* The standard search asks a debuginfod server when one is configured; the search by build id never does. */
    if (getenv("DEBUGINFOD_URLS"))
        return dwfl_build_id_find_debuginfo(module, userdata, name, base, file, debuglink, crc, debuginfo);
    return dwfl_standard_find_debuginfo(module, userdata, name, base, file, debuglink, crc, debuginfo);
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = local_debuginfo,
};

void
fp_debug_open(struct fp_debug *debug, const char *program, const char *cwd)
{
    memset(debug, 0, sizeof *debug);
    pthread_mutex_init(&debug->lock, NULL);
    debug->program = strdup(program ? program : "");
    debug->cwd = strdup(cwd ? cwd : "");
}

Dwfl_Module *
fp_debug_module(struct fp_debug *debug)
{
    if (debug->opened)
        return debug->module;
    debug->opened = true;
    int fd = open(debug->program, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    debug->dwfl = dwfl_begin(&callbacks);
    if (debug->dwfl) {
        dwfl_report_begin(debug->dwfl);
        /* On success libdwfl owns the descriptor. */
        debug->module = dwfl_report_elf(debug->dwfl, "program", debug->program, fd, 0, true);
        dwfl_report_end(debug->dwfl, NULL, NULL);
    }
    if (!debug->module)
        close(fd);
    return debug->module;
}

const char *
fp_debug_keep(struct fp_debug *debug, char *owned)
{
    if (debug->nstrings == debug->cap_strings) {
        debug->cap_strings = debug->cap_strings ? 2 * debug->cap_strings : 64;
        debug->strings = realloc(debug->strings, debug->cap_strings * sizeof *debug->strings);
    }
    return debug->strings[debug->nstrings++] = owned;
}

void
fp_debug_close(struct fp_debug *debug)
{
    if (debug->dwfl)
        dwfl_end(debug->dwfl);
    for (size_t i = 0; i < debug->nstrings; i++)
        free(debug->strings[i]);
    free(debug->strings);
    free(debug->slots);
    free(debug->objects);
    free(debug->program);
    free(debug->cwd);
    pthread_mutex_destroy(&debug->lock);
}
