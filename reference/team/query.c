/* query.c -- questions about teams (9.4). They are local and work on any handle; -1 stands for "no". */
#include "reference/api/define.h"
#include "reference/check/check.h"
#include "reference/team/team.h"

static int
team_my_pe(shmem_team_t handle, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);
    int rank = -1;

    if (pe == NULL)
        return -1;
    const int team = fp_team_find(pe, handle, &call);
    if (team >= 0)
        rank = fp_team_rank(pe->job, team, pe->rank);
    fp_leave(pe);
    return rank;
}

static int
team_n_pes(shmem_team_t handle, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);
    int size = -1;

    if (pe == NULL)
        return -1;
    const int team = fp_team_find(pe, handle, &call);
    if (team >= 0)
        size = fp_team_size(pe->job, team);
    fp_leave(pe);
    return size;
}

static int
team_translate_pe(shmem_team_t source, int source_pe, shmem_team_t dest, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);
    int rank = -1;

    if (pe == NULL)
        return -1;
    const int from = fp_team_find(pe, source, &call), to = fp_team_find(pe, dest, &call);
    if (from >= 0 && to >= 0 && source_pe >= 0 && source_pe < fp_team_size(pe->job, from))
        rank = fp_team_rank(pe->job, to, fp_team_world_pe(pe->job, from, source_pe));
    fp_leave(pe);
    return rank;
}

static int
team_get_config(shmem_team_t handle, long mask, shmem_team_config_t *config, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);
    int status = 1;

    if (pe == NULL)
        return 1;
    const int team = fp_team_find(pe, handle, &call);
    if (team >= 0 && mask != 0 && config == NULL) {
        fp_usage(FP_CLASS_USAGE, "E124, S 9.4.4", &call, "%s was given a null config with a mask that is not 0",
                 call.name);
    } else if (team >= 0) {
        const struct fp_team *t = fp_team_get(pe->job, team);
        if (mask & SHMEM_TEAM_NUM_CONTEXTS)
            config->num_contexts = t == NULL ? 0 : t->num_contexts;
        status = 0;
    }
    fp_leave(pe);
    return status;
}

FP_ROUTINE_IS(int, team_my_pe, (shmem_team_t team), return team_my_pe(team, call))
FP_ROUTINE_IS(int, team_n_pes, (shmem_team_t team), return team_n_pes(team, call))
FP_ROUTINE_IS(int, team_translate_pe, (shmem_team_t src_team, int src_pe, shmem_team_t dest_team),
              return team_translate_pe(src_team, src_pe, dest_team, call))
FP_ROUTINE_IS(int, team_get_config, (shmem_team_t team, long config_mask, shmem_team_config_t *config),
              return team_get_config(team, config_mask, config, call))
