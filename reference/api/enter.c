/* enter.c -- calls that come at the wrong time or from the wrong thread.
 *
 * Before the first init (E001) and after the last finalize (E002) a call is a finding and does nothing. A thread that
 * is no PE has no heap, no contexts and no place in the job, so there is nothing a call could mean: the run ends.
 */
#include <stdio.h>
#include <unistd.h>

#include "reference/api/define.h"
#include "reference/check/check.h"

/* --stop-pe: as if the PE's machine had died without a word. --insert: as if it had made another call before. */
static void
count_call(struct fp_pe *pe, const shmem_call_t *call)
{
    const struct fp_config *config = &pe->job->config;

    if (++pe->calls == config->stop_call && pe->rank == config->stop_pe)
        pe->job->backend->stop_pe(pe, call);
    if (config->notes)
        fp_note_old(call);
    if (config->insert[0])
        pe->job->backend->before(pe, call->site);
}

__attribute__((cold, noinline)) struct fp_pe *
fp_enter_slow(const shmem_call_t *call)
{
    struct fp_pe *pe = fp_self;

    if (pe == NULL) {
        fprintf(stderr,
                "fencepost: %s was called by a thread that is no PE: outside a run, in a process that the program "
                "forked, or by a thread that it created itself (shmem_init_thread provides SHMEM_THREAD_FUNNELED at "
                "most)\n",
                call->name);
        _exit(64);
    }
    pe->in_runtime = true;
    if (pe->init_count > 0) {
        count_call(pe, call);
        return pe;
    }
    if (pe->was_initialised)
        fp_usage(FP_CLASS_USAGE, "E002, S 9.1.4", call, "%s was called after the last shmem_finalize", call->name);
    else
        fp_usage(FP_CLASS_USAGE, "E001, S 9.1.1", call, "%s was called before shmem_init", call->name);
    pe->in_runtime = false;
    return NULL;
}
