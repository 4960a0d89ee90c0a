/* team.c -- arithmetic of teams, and handles.
 *
 * All PEs share one node, so both predefined teams hold every PE in world order, and need no entry in the table. */
#include "reference/team/team.h"
#include "reference/check/check.h"

int
fp_team_size(const struct fp_job *job, int team)
{
    return team < FP_TEAM_PREDEFINED ? job->npes : fp_team_get(job, team)->size;
}

int
fp_team_world_pe(const struct fp_job *job, int team, int rank)
{
    FP_ASSERT(rank >= 0 && rank < fp_team_size(job, team));
    if (team < FP_TEAM_PREDEFINED)
        return rank;
    const struct fp_team *t = fp_team_get(job, team);
    return t->start + rank * t->stride;
}

int
fp_team_rank(const struct fp_job *job, int team, int world_pe)
{
    if (team < FP_TEAM_PREDEFINED)
        return world_pe >= 0 && world_pe < job->npes ? world_pe : -1;
    const struct fp_team *t = fp_team_get(job, team);
    const int distance = world_pe - t->start;
    if (t->size == 1)
        return distance == 0 ? 0 : -1;
    if (distance % t->stride != 0)
        return -1;
    const int rank = distance / t->stride;
    return rank >= 0 && rank < t->size ? rank : -1;
}

int
fp_team_domain(const struct fp_job *job, int team)
{
    return team < FP_TEAM_PREDEFINED ? team : fp_team_get(job, team)->domain;
}

int
fp_team_find(struct fp_pe *pe, shmem_team_t handle, const shmem_call_t *call)
{
    const uintptr_t number = (uintptr_t)handle;

    if (number >= 1 && number <= FP_TEAM_PREDEFINED)
        return (int)number - 1;
    if (handle == SHMEM_TEAM_INVALID)
        return -1;
    const struct fp_team *team = number <= INT32_MAX ? fp_team_get(pe->job, (int)number - 1) : NULL;
    if (team == NULL || team->active_set) {
        fp_usage(FP_CLASS_USAGE, "E115, S 9.4", call, "%s was given a team handle that names no team", call->name);
        return -1;
    }
    const int rank = fp_team_rank(pe->job, team->index, pe->rank);
    if (rank < 0) {
        fp_usage(FP_CLASS_USAGE, "E114, S 9.4", call, "%s was given a team that PE %d does not belong to", call->name,
                 pe->rank);
        return -1;
    }
    if (team->gone[rank / 64] >> (rank % 64) & 1) {
        fp_usage(FP_CLASS_LIFETIME, "E116, S 9.4.8", call, "%s was given a team that is already destroyed", call->name);
        return -1;
    }
    return team->index;
}

shmem_team_t
fp_team_handle(int team)
{
    return (shmem_team_t)(uintptr_t)(team + 1);
}
