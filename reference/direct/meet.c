/* meet.c -- rendezvous of a team, and the end of PEs.
 *
 * A rendezvous is a count and a round: the last member to arrive resets the count, takes the others off the list of
 * blocked PEs and begins the next round; the others sleep until the round has changed. */
#include <stdlib.h>
#include <string.h>

#include "reference/direct/direct.h"
#include "reference/team/team.h"

/* Precondition: the mutex is held; all members are there. */
static void
release(struct fp_job *job, int team, unsigned round)
{
    struct direct_job *direct = direct_of(job);

    direct->teams[team]->arrived = 0;
    for (int i = 0; i < job->npes; i++)
        if (direct->pes[i].why == DIRECT_IN_RENDEZVOUS && direct->pes[i].team == team)
            direct_unblock(direct, &direct->pes[i]);
    atomic_store(&direct->teams[team]->round, round + 1);
}

/* Precondition: the mutex is held. */
static struct direct_team *
team_of(struct direct_job *direct, int team)
{
    if (team >= direct->nteams) {
        const int n = team + 16;
        direct->teams = realloc(direct->teams, (size_t)n * sizeof *direct->teams);
        if (direct->teams == NULL)
            fp_env_fail("no memory for team %d", team);
        memset(direct->teams + direct->nteams, 0, (size_t)(n - direct->nteams) * sizeof *direct->teams);
        direct->nteams = n;
    }
    if (direct->teams[team] == NULL)
        direct->teams[team] = calloc(1, sizeof *direct->teams[team]);
    if (direct->teams[team] == NULL)
        fp_env_fail("no memory for team %d", team);
    return direct->teams[team];
}

void
direct_teams_free(struct direct_job *direct)
{
    for (int i = 0; i < direct->nteams; i++)
        free(direct->teams[i]);
    free(direct->teams);
}

void
direct_sync(const shmem_coll_t *c)
{
    struct fp_job *job = fp_self->job;
    struct direct_job *direct = direct_of(job);
    const int size = fp_team_size(job, c->team);
    bool hang = false;

    pthread_mutex_lock(&direct->mutex);
    struct direct_team *team = team_of(direct, c->team);
    const unsigned round = atomic_load(&team->round);
    const bool last = ++team->arrived == size;
    if (last) {
        release(job, c->team, round);
    } else {
        direct->pes[fp_self->rank].team = c->team;
        direct_block(job, DIRECT_IN_RENDEZVOUS, &c->call);
        hang = direct_hang(job);
    }
    pthread_mutex_unlock(&direct->mutex);
    if (hang)
        direct_report_hang(job);
    if (last) {
        if (atomic_load(&team->sleepers) > 0)
            direct_wake(&team->round);
        return;
    }
    __atomic_fetch_add(&job->waits_blocked, 1, __ATOMIC_RELAXED);
    for (unsigned looks = direct->looks; looks > 0 && atomic_load(&team->round) == round; looks--)
        direct_pause();
    if (atomic_load(&team->round) != round)
        return;
    atomic_fetch_add(&team->sleepers, 1);
    while (atomic_load(&team->round) == round)
        direct_sleep(&team->round, round, 0);
    atomic_fetch_sub(&team->sleepers, 1);
}

void
direct_pe_end(struct fp_pe *pe)
{
    struct fp_job *job = pe->job;
    struct direct_job *direct = direct_of(job);

    if (!direct_ending(job)) {
        pthread_mutex_lock(&direct->mutex);
        direct_block(job, DIRECT_ENDED, NULL);
        const int ended = ++direct->ended;
        const bool hang = direct_hang(job);
        pthread_mutex_unlock(&direct->mutex);
        /* Aborting a job inside a unit test leaves the frames of a PE, and this one has none any more. */
        if (hang && job->config.in_process)
            atomic_store(&direct->hang_left, true);
        else if (hang)
            direct_report_hang(job);
        if (ended == job->npes) {
            atomic_store(&direct->all_ended, 1);
            direct_wake(&direct->all_ended);
        }
    }
    if (pe->rank != 0)
        pthread_exit(NULL);
    while (atomic_load(&direct->all_ended) == 0 && !direct_ending(job))
        direct_nap(&direct->all_ended, 0, 0);
}
