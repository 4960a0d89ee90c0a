/* match_sets.c -- calls that cannot be laid side by side, because they belong to different teams, or never came.
 *
 * Each active set is a team of its own, so PEs that give different sets to what was meant as one call never meet. When
 * nobody can move, two unfinished calls of one kind on two sets, where a PE that is missed in the first has gone into
 * the second, are that mistake (E138). At the last finalize every call that some member never made is told (E113). */
#include <stdio.h>

#include "reference/check/check.h"
#include "reference/check/match.h"

static bool
has(const struct fp_match_group *group, int rank)
{
    return group->ranks[rank / 64] >> (rank % 64) & 1;
}

static const struct fp_match_group *
group_with(const struct fp_match_round *round, int rank)
{
    const struct fp_match_group *g = round->groups;

    while (g != NULL && !has(g, rank))
        g = g->next;
    return g;
}

static const struct fp_team *
active_set(const struct fp_job *job, const struct fp_match_team *team)
{
    const struct fp_team *t = team->next == NULL ? NULL : fp_team_get(job, team->index);

    return t != NULL && t->active_set ? t : NULL;
}

static int
first_rank(const struct fp_match_group *group)
{
    int rank = 0;

    while (!has(group, rank))
        rank++;
    return rank;
}

static struct fp_access
access_of(const struct fp_job *job, const struct fp_match_team *team, const struct fp_match_group *group, int rank)
{
    return (struct fp_access){.pe = fp_team_world_pe(job, team->index, rank),
                              .op = group->call.c.call.name,
                              .kind = FP_CALL,
                              .site = group->site};
}

/* The unfinished call of `kind`, on another set, that is the last call of PE `pe` there. */
static const struct fp_match_group *
gone_into(const struct fp_job *job, const struct fp_match_team *team, shmem_coll_kind_t kind, int pe,
          const struct fp_match_team **other)
{
    for (int i = 0; i < job->match->nteams; i++) {
        const struct fp_match_team *t = &job->match->teams[i];
        const int rank = t == team || active_set(job, t) == NULL ? -1 : fp_team_rank(job, t->index, pe);
        if (rank < 0)
            continue;
        for (const struct fp_match_round *round = t->rounds; round != NULL; round = round->next) {
            const struct fp_match_group *group = group_with(round, rank);
            if (group != NULL && round->seq + 1 == t->next[rank] && group->call.c.kind == kind) {
                *other = t;
                return group;
            }
        }
    }
    return NULL;
}

static void
report_sets(struct fp_job *job, const struct fp_match_team *a, const struct fp_match_group *x,
            const struct fp_match_team *b, const struct fp_match_group *y, int rank_y)
{
    const struct fp_team *s = fp_team_get(job, a->index), *t = fp_team_get(job, b->index);
    struct fp_finding f = {.class_ = FP_CLASS_MISMATCH, .rule = "E138, S 9.10", .naccesses = 2};

    f.accesses[0] = access_of(job, a, x, first_rank(x));
    f.accesses[1] = access_of(job, b, y, rank_y);
    snprintf(
        f.message, sizeof f.message,
        "%s: active sets differ between PEs: start %d, stride %d, size %d on PE %d; start %d, stride %d, size %d on "
        "PE %d",
        x->call.c.call.name, s->start, s->stride, s->size, f.accesses[0].pe, t->start, t->stride, t->size,
        f.accesses[1].pe);
    snprintf(f.repair, sizeof f.repair, "pass the same PE_start, logPE_stride and PE_size on every PE of the set");
    fp_report_add(job->report, &f);
}

bool
fp_match_sets_differ(struct fp_job *job)
{
    for (int i = 0; i < job->match->nteams; i++) {
        const struct fp_match_team *team = &job->match->teams[i], *other;
        if (active_set(job, team) == NULL)
            continue;
        for (const struct fp_match_round *round = team->rounds; round != NULL; round = round->next)
            for (int rank = 0; rank < team->size; rank++) {
                const int pe = fp_team_world_pe(job, team->index, rank);
                const struct fp_match_group *first = round->groups, *gone;
                if (group_with(round, rank) != NULL ||
                    (gone = gone_into(job, team, first->call.c.kind, pe, &other)) == NULL)
                    continue;
                report_sets(job, team, first, other, gone, fp_team_rank(job, other->index, pe));
                return true;
            }
    }
    return false;
}

/* A call that some members made and others never did. */
static void
report_unfinished(struct fp_job *job, const struct fp_match_team *team, const struct fp_match_round *round)
{
    struct fp_finding f = {.class_ = FP_CLASS_MISMATCH, .rule = "E113, S 9.10"};
    size_t used = 0;

    for (int rank = 0; rank < team->size; rank++) {
        const struct fp_match_group *group = group_with(round, rank);
        if (group != NULL && f.naccesses < FP_ACCESS_MAX)
            f.accesses[f.naccesses++] = access_of(job, team, group, rank);
        if (group == NULL && used < sizeof f.details - 32)
            used += (size_t)snprintf(f.details + used, sizeof f.details - used, "%sPE %d never made the call",
                                     used > 0 ? "\n" : "", fp_team_world_pe(job, team->index, rank));
    }
    snprintf(f.message, sizeof f.message, "%s was called by %d of the %d PEs of its team",
             round->groups->call.c.call.name, round->arrived, team->size);
    snprintf(f.repair, sizeof f.repair, "all members of a team make the same collective calls in the same order");
    fp_report_add(job->report, &f);
}

void
fp_match_unfinished(struct fp_job *job)
{
    struct fp_match *match = job->match;

    if (!job->config.check)
        return;
    pthread_mutex_lock(&match->lock);
    for (int i = FP_TEAM_WORLD + 1; i < match->nteams; i++)
        for (const struct fp_match_round *round = match->teams[i].rounds; round != NULL; round = round->next)
            report_unfinished(job, &match->teams[i], round);
    pthread_mutex_unlock(&match->lock);
}
