/* split.c -- new teams from old ones, and their end (9.4.6 to 9.4.8).
 *
 * A split is a collective of the parent: its arguments are compared first, so what one member can judge all judge
 * alike. An invalid triplet gives SHMEM_TEAM_INVALID everywhere and is reported (A12). The members meet, as in every
 * implementation, but no order is promised to follow from that beyond what the profile says of collectives. */
#include <stdlib.h>

#include "reference/api/ctx.h"
#include "reference/check/check.h"
#include "reference/coll/coll.h"
#include "reference/team/team.h"

/* One of the configurations that a call gives; `team` is the one the caller gets by it, or -1. */
struct wish {
    const shmem_team_config_t *config;
    long mask;
};

static void
wish_judge(struct wish *wish, const shmem_call_t *call)
{
    if (wish->mask != 0 && wish->config == NULL) {
        fp_usage(FP_CLASS_USAGE, "E124, S 9.4.4", call, "%s was given a null config with a mask that is not 0",
                 call->name);
        wish->mask = 0;
    }
}

static shmem_team_t
team_take(struct fp_pe *pe, int team, const struct wish *wish, const shmem_call_t *call)
{
    const int num_contexts = wish->mask & SHMEM_TEAM_NUM_CONTEXTS ? wish->config->num_contexts : 0;

    if (!fp_team_configure(pe, team, num_contexts, call))
        fp_usage(FP_CLASS_MISMATCH, "E123, S 9.4.7", call,
                 "%s: the configurations of one new team differ between its PEs: here num_contexts is %d", call->name,
                 num_contexts);
    return fp_team_handle(team);
}

/* The parent's index, or -1; the handles that the call gives are invalid until it has succeeded. */
static int
parent_find(struct fp_pe *pe, shmem_team_t parent, shmem_team_t *first, shmem_team_t *second, const shmem_call_t *call)
{
    if (first == NULL || second == NULL) {
        fp_usage(FP_CLASS_USAGE, "E029, Annex C", call, "%s was given a null pointer for the new team", call->name);
        return -1;
    }
    *first = *second = SHMEM_TEAM_INVALID;
    return fp_team_find(pe, parent, call);
}

/* ---- Every stride-th PE of the parent. ---- */

static bool
triplet_judged(int parent_size, int start, int stride, int size, const shmem_call_t *call)
{
    const int64_t last = (int64_t)start + (int64_t)stride * ((int64_t)size - 1);

    if (size >= 1 && start >= 0 && start < parent_size && last >= 0 && last < parent_size && (stride != 0 || size == 1))
        return true;
    fp_usage(FP_CLASS_USAGE, "E121, S 9.4.6", call,
             "%s was given start %d, stride %d, size %d; the parent team has PEs 0 to %d%s", call->name, start, stride,
             size, parent_size - 1, stride == 0 && size > 1 ? ", and a stride of 0 is for one PE" : "");
    return false;
}

static bool
strided_meet(struct fp_pe *pe, int parent, int start, int stride, int size, uint64_t *seq, const shmem_call_t *call)
{
    shmem_coll_t c = {.kind = SHMEM_COLL_TEAM_SPLIT,
                      .team = parent,
                      .dest_step = start,
                      .source_step = stride,
                      .root = size,
                      .call = *call};
    const bool met = fp_coll_meet(pe, &c);

    *seq = c.seq;
    return met;
}

static int
split_strided(struct fp_pe *pe, int parent, const struct fp_split_part *part, struct wish wish, shmem_team_t *new_team,
              const shmem_call_t *call)
{
    uint64_t seq;

    if (!strided_meet(pe, parent, part->start, part->stride, part->size, &seq, call) ||
        !triplet_judged(fp_team_size(pe->job, parent), part->start, part->stride, part->size, call))
        return 1;
    const int team = fp_teams_split(pe, parent, seq, part, 1, call);
    if (team < 0)
        return 1;
    if (fp_team_rank(pe->job, team, pe->rank) >= 0) {
        wish_judge(&wish, call);
        *new_team = team_take(pe, team, &wish, call);
    }
    return 0;
}

static int
team_split_strided(shmem_team_t handle, struct fp_split_part part, struct wish wish, shmem_team_t *new_team,
                   shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);
    int status = 1;

    if (pe == NULL)
        return 1;
    const int parent = parent_find(pe, handle, new_team, new_team, &call);
    if (parent >= 0)
        status = split_strided(pe, parent, &part, wish, new_team, &call);
    fp_leave(pe);
    return status;
}

/* ---- Rows and columns. PE k of the parent is at x = k mod xrange, y = k div xrange. ---- */

static int
split_2d(struct fp_pe *pe, int parent, int xrange, uint64_t seq, const shmem_call_t *call)
{
    const int n = fp_team_size(pe->job, parent), yrange = (n + xrange - 1) / xrange;
    struct fp_split_part *parts = malloc(((size_t)xrange + (size_t)yrange) * sizeof *parts);

    if (parts == NULL)
        fp_env_fail("%s: no memory for %d teams", call->name, xrange + yrange);
    for (int y = 0; y < yrange; y++)
        parts[y] = (struct fp_split_part){y * xrange, 1, y < yrange - 1 ? xrange : n - y * xrange};
    for (int x = 0; x < xrange; x++)
        parts[yrange + x] = (struct fp_split_part){x, xrange, (n - x + xrange - 1) / xrange};
    const int first = fp_teams_split(pe, parent, seq, parts, xrange + yrange, call);
    free(parts);
    return first;
}

static int
split_2d_taken(struct fp_pe *pe, int parent, int xrange, struct wish wishes[2], shmem_team_t *xaxis,
               shmem_team_t *yaxis, const shmem_call_t *call)
{
    const int n = fp_team_size(pe->job, parent), me = fp_team_rank(pe->job, parent, pe->rank);
    shmem_coll_t c = {
        .kind = SHMEM_COLL_TEAM_SPLIT, .team = parent, .root = xrange, .hints = FP_SPLIT_2D, .call = *call};

    if (!fp_coll_meet(pe, &c))
        return 1;
    if (xrange < 1) {
        fp_usage(FP_CLASS_USAGE, "E122, S 9.4.7", call, "%s was given xrange %d; the least is 1", call->name, xrange);
        return 1;
    }
    xrange = xrange > n ? n : xrange;
    const int yrange = (n + xrange - 1) / xrange, first = split_2d(pe, parent, xrange, c.seq, call);
    if (first < 0)
        return 1;
    for (int axis = 0; axis < 2; axis++)
        wish_judge(&wishes[axis], call);
    *xaxis = team_take(pe, first + me / xrange, &wishes[0], call);
    *yaxis = team_take(pe, first + yrange + me % xrange, &wishes[1], call);
    return 0;
}

static int
team_split_2d(shmem_team_t handle, int xrange, struct wish x, shmem_team_t *xaxis, struct wish y, shmem_team_t *yaxis,
              shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);
    struct wish wishes[2] = {x, y};
    int status = 1;

    if (pe == NULL)
        return 1;
    const int parent = parent_find(pe, handle, xaxis, yaxis, &call);
    if (parent >= 0)
        status = split_2d_taken(pe, parent, xrange, wishes, xaxis, yaxis, &call);
    fp_leave(pe);
    return status;
}

/* ---- End. ---- */

static void
team_destroy(shmem_team_t handle, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    const int team = fp_team_find(pe, handle, &call);
    if (team >= 0 && team < FP_TEAM_PREDEFINED) {
        fp_usage(FP_CLASS_USAGE, "E117, S 9.4.8", &call, "%s was given a predefined team, which cannot be destroyed",
                 call.name);
    } else if (team >= 0) {
        shmem_coll_t c = {.kind = SHMEM_COLL_TEAM_DESTROY, .team = team, .call = call};
        fp_ctx_close_team(pe, team, &call);
        if (fp_coll_meet(pe, &c))
            fp_team_leave(pe, team, c.seq);
    }
    fp_leave(pe);
}

FP_ROUTINE_IS(int, team_split_strided,
              (shmem_team_t parent_team, int start, int stride, int size, const shmem_team_config_t *config,
               long config_mask, shmem_team_t *new_team),
              return team_split_strided(parent_team, (struct fp_split_part){start, stride, size},
                                        (struct wish){config, config_mask}, new_team, call))
FP_ROUTINE_IS(int, team_split_2d,
              (shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask,
               shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask,
               shmem_team_t *yaxis_team),
              return team_split_2d(parent_team, xrange, (struct wish){xaxis_config, xaxis_mask}, xaxis_team,
                                   (struct wish){yaxis_config, yaxis_mask}, yaxis_team, call))
FP_ROUTINE_IS(void, team_destroy, (shmem_team_t team), team_destroy(team, call))
