/* block.c -- who is blocked, and the moment when nobody is left who could wake anybody.
 *
 * Memory changes only by PEs that run. So when every PE has ended, waits for others to arrive, waits for a lock, or
 * waits for a value that is not there, none of them will ever go on. Each PE notes what it is about to sleep for
 * before it sleeps, and the last one to do so finds the deadlock. A wait whose value is there already is about to
 * wake, and counts as running.
 */
#include <stdio.h>

#include "reference/check/check.h"
#include "reference/direct/direct.h"
#include "reference/report/report.h"

void
direct_block(struct fp_job *job, enum direct_why why, const shmem_call_t *call)
{
    struct direct_job *direct = direct_of(job);
    struct direct_pe *self = &direct->pes[fp_self->rank];

    FP_ASSERT(self->why == DIRECT_RUNS);
    self->why = why;
    if (call != NULL)
        self->call = *call;
    direct->stopped++;
}

void
direct_unblock(struct direct_job *direct, struct direct_pe *pe)
{
    FP_ASSERT(pe->why != DIRECT_RUNS);
    pe->why = DIRECT_RUNS;
    direct->stopped--;
}

bool
direct_hang(const struct fp_job *job)
{
    const struct direct_job *direct = direct_of(job);

    if (direct->stopped < job->npes || direct->ended == job->npes)
        return false;
    for (int i = 0; i < job->npes; i++)
        if (direct->pes[i].why == DIRECT_IN_WAIT && direct_satisfied(direct->pes[i].wait))
            return false;
    return true;
}

/* One line about a blocked PE; returns how much of the room it took. */
static size_t
say_pe(struct fp_job *job, const struct direct_pe *pe, char *at, size_t room)
{
    const fp_site_t site = fp_site_of(job, pe->rank, pe->call.site);
    const struct fp_line line = fp_site_line(job->report, site);
    int length;

    if (pe->why == DIRECT_ENDED)
        length = snprintf(at, room, "PE %d has ended\n", pe->rank);
    else
        length = snprintf(at, room, "PE %d waits in %s at %s:%d\n", pe->rank, pe->call.name, line.file, line.line);
    return length < 0 ? 0 : (size_t)length < room ? (size_t)length : room - 1;
}

void
direct_report_hang(struct fp_job *job)
{
    const struct direct_job *direct = direct_of(job);
    struct fp_finding finding = {.class_ = FP_CLASS_HANG, .rule = "E113, S 9.10"};
    size_t used = 0;

    fp_match_pending_mismatch(job);
    for (int i = 0; i < job->npes; i++) {
        const struct direct_pe *pe = &direct->pes[i];
        used += say_pe(job, pe, finding.details + used, sizeof finding.details - used);
        if (pe->why == DIRECT_IN_WAIT)
            finding.rule = "E096, S 9.11";
        if (pe->why != DIRECT_ENDED && finding.naccesses < FP_ACCESS_MAX)
            finding.accesses[finding.naccesses++] = (struct fp_access){
                .pe = i, .op = pe->call.name, .kind = FP_CALL, .site = fp_site_of(job, i, pe->call.site)};
    }
    snprintf(finding.message, sizeof finding.message,
             "%d of %d PEs can never go on: nobody is left who could wake them", job->npes - direct->ended, job->npes);
    fp_report_add(job->report, &finding);
    fp_job_abort(job, 66);
}
