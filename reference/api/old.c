/* old.c -- routines that are deprecated (Annex E): they work, and --notes says what to call instead (E011).
 *
 * Told by their names, so that nothing is done for it where nobody asks: with --notes calls take fp_enter's slow path.
 */
#include <stdlib.h>
#include <string.h>

#include "reference/api/define.h"
#include "reference/check/check.h"

static bool
ends(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && !strcmp(name + n - m, end);
}

static bool
one_of(const char *name, const char *const *list)
{
    while (*list && strcmp(name, *list))
        list++;
    return *list != NULL;
}

/* What takes its place, or NULL: it is not an old one. */
static const char *
instead(const char *name)
{
    static const char *const sets[] = {"shmem_barrier",
                                       "shmem_sync",
                                       "shmem_broadcast32",
                                       "shmem_broadcast64",
                                       "shmem_collect32",
                                       "shmem_collect64",
                                       "shmem_fcollect32",
                                       "shmem_fcollect64",
                                       "shmem_alltoall32",
                                       "shmem_alltoall64",
                                       "shmem_alltoalls32",
                                       "shmem_alltoalls64",
                                       NULL};
    static const char *const waits[] = {"shmem_wait", "shmem_wait_until", NULL};
    static const char *const amos[] = {"_fetch", "_set", "_swap", "_cswap", "_finc", "_inc", "_fadd", "_add"};
    if (one_of(name, sets) || ends(name, "_to_all"))
        return "the collective of a team";
    if (one_of(name, waits) || ends(name, "_wait"))
        return "shmem_TYPE_wait_until";
    if (strncmp(name, "shmem_", 6))
        return "the routine with the prefix shmem_";
    for (size_t i = 0; i < sizeof amos / sizeof *amos; i++)
        if (ends(name, amos[i]) && !strstr(name, "_atomic_") && strncmp(name, "shmem_signal_", 13))
            return "shmem_TYPE_atomic_...";
    return NULL;
}

void
fp_note_old(const shmem_call_t *call)
{
    const char *better = instead(call->name);

    if (better)
        fp_note("E011, Annex E", call, "%s is deprecated: use %s", call->name, better);
}
