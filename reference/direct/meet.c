/* meet.c -- rendezvous of a team, the end of PEs, and the deadlock between the two.
 *
 * A rendezvous is a count and a round: the last member to arrive resets the count and begins the next round, the
 * others sleep until the round has changed. A PE in a rendezvous can only be released by another member, so when
 * every PE has either ended or is in a rendezvous, nobody ever will be: that is reported (E113) instead of sleeping
 * forever. */
#include <stdio.h>

#include "reference/direct/direct.h"
#include "reference/report/report.h"
#include "reference/team/team.h"

/* One line a PE would need each PE's call; the finding names the caller's, which is one that can never return. */
static _Noreturn void
report_hang(struct fp_job *job, const shmem_call_t *call, int ended)
{
    struct fp_finding finding = {.class_ = FP_CLASS_HANG, .rule = "E113, S 9.10"};

    snprintf(finding.message, sizeof finding.message,
             "%d of %d PEs %s ended and the others wait in a barrier or sync that can never complete", ended, job->npes,
             ended == 1 ? "has" : "have");
    if (call != NULL) {
        finding.naccesses = 1;
        finding.accesses[0] = (struct fp_access){
            .pe = fp_self->rank, .op = call->name, .kind = FP_CALL, .site = fp_site_of(job, fp_self->rank, call->site)};
    }
    snprintf(finding.repair, sizeof finding.repair,
             "let every PE make the same collective calls, shmem_finalize included");
    fp_report_add(job->report, &finding);
    fp_job_abort(job, 66);
}

/* Precondition: the mutex is held. Nobody is left who could arrive. */
static bool
nobody_runs(const struct direct_job *direct, const struct fp_job *job)
{
    return direct->in_rendezvous > 0 && direct->in_rendezvous + direct->ended == job->npes;
}

void
direct_sync(const shmem_coll_t *c)
{
    struct fp_job *job = fp_self->job;
    struct direct_job *direct = direct_of(job);
    const int size = fp_team_size(job, c->team);
    unsigned round;
    bool last, hang = false;

    FP_ASSERT(c->team < DIRECT_TEAMS_MAX);
    struct direct_team *team = &direct->teams[c->team];
    pthread_mutex_lock(&direct->mutex);
    round = atomic_load(&team->round);
    last = ++team->arrived == size;
    if (last) {
        team->arrived = 0;
        direct->in_rendezvous -= size - 1;
        atomic_store(&team->round, round + 1);
    } else {
        direct->in_rendezvous++;
        hang = nobody_runs(direct, job);
    }
    const int ended = direct->ended;
    pthread_mutex_unlock(&direct->mutex);
    if (hang)
        report_hang(job, &c->call, ended);
    if (last) {
        direct_wake(&team->round);
        return;
    }
    __atomic_fetch_add(&job->waits_blocked, 1, __ATOMIC_RELAXED);
    while (atomic_load(&team->round) == round)
        direct_sleep(&team->round, round, 0);
}

void
direct_pe_end(struct fp_pe *pe)
{
    struct fp_job *job = pe->job;
    struct direct_job *direct = direct_of(job);
    bool hang;

    pthread_mutex_lock(&direct->mutex);
    const int ended = ++direct->ended;
    hang = nobody_runs(direct, job);
    pthread_mutex_unlock(&direct->mutex);
    if (hang)
        report_hang(job, NULL, ended);
    if (ended == job->npes) {
        atomic_store(&direct->all_ended, 1);
        direct_wake(&direct->all_ended);
    }
    if (pe->rank != 0)
        pthread_exit(NULL);
    while (atomic_load(&direct->all_ended) == 0)
        direct_sleep(&direct->all_ended, 0, 0);
}
