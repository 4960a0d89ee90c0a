/* race_psync.c -- pSync and pWrk of the deprecated collectives, by edges (E140).
 *
 * The arrays of a call are in use on a member from its entry until it leaves. Who brings an array into another call has
 * to know that every member that both calls have has left the earlier one. reference/check/psync.c sees the misuse only
 * where the schedule shows it; here it is found in any run. barrier and sync may use theirs again at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/check/check.h"
#include "reference/team/team.h"
#include "sim/observe/race.h"

/* A call; left[pe] is the number of the event at which the PE left, 0: it has not. */
struct race_psync {
    struct race_psync *next;
    struct fp_place places[2]; /* pSync, pWrk */
    size_t bytes[2];
    int team;
    uint64_t seq;
    bool meeting;
    int nleft, size;
    fp_site_t site;
    const char *name;
    bool *entered;
    uint64_t *left;
};

static bool
places_meet(const struct race_psync *a, const struct race_psync *b, int array)
{
    const struct fp_place *x = &a->places[array], *y = &b->places[array];

    return x->region == y->region && x->region != FP_PRIVATE && x->offset < y->offset + b->bytes[array] &&
           y->offset < x->offset + a->bytes[array];
}

static struct race_psync
describe(const struct race *race, const struct sim_event *event)
{
    const shmem_coll_t *c = event->coll;

    return (struct race_psync){
        .places = {fp_place_of(race->job, c->psync), fp_place_of(race->job, c->pwrk)},
        .bytes = {c->psync_n * sizeof *c->psync, c->nelems > 0 ? c->pwrk_bytes : 0},
        .team = c->team,
        .seq = c->seq,
        .meeting = c->kind == SHMEM_COLL_BARRIER || c->kind == SHMEM_COLL_SYNC,
        .size = event->members,
        .site = event->site,
        .name = event->name,
    };
}

static struct race_psync *
find(struct race *race, int team, uint64_t seq)
{
    struct race_psync *use = race->psyncs;

    while (use && (use->team != team || use->seq != seq))
        use = use->next;
    return use;
}

static void
report(struct race *race, const struct sim_event *event, const struct race_psync *earlier, int array, int who)
{
    struct fp_job *job = race->job;
    const shmem_coll_t *c = event->coll;
    const char *name = array == 0 ? "pSync" : "pWrk";
    struct fp_finding f = {.class_ = FP_CLASS_RACE, .rule = "E140, S 9.10", .naccesses = 2, .now = true};

    fp_describe_object(job, &f, array == 0 ? (const void *)c->psync : c->pwrk);
    f.object.pe = who;
    snprintf(f.message, sizeof f.message, "%s by PE %d brings a %s that PE %d may still use in an earlier %s",
             event->name, event->pe, name, who, earlier->name);
    snprintf(f.repair, sizeof f.repair, "synchronise the PEs of the set between the two calls, or use another %s",
             name);
    f.accesses[0] = (struct fp_access){.pe = event->pe, .op = event->name, .kind = FP_WRITE, .site = event->site};
    f.accesses[1] = (struct fp_access){.pe = who, .op = earlier->name, .kind = FP_WRITE, .site = earlier->site};
    fp_report_add(job->report, &f);
}

/* Members of both calls of which the caller does not know that they have left. Where the caller itself is still
 * expected in the earlier call, or a member of another set never entered it, the sets differ (E138) and that is
 * told. */
static void
judge(struct race *race, const struct sim_event *event, const struct race_psync *mine, const struct race_psync *earlier)
{
    const struct fp_job *job = race->job;
    const struct race_pe *rp = &race->pes[event->pe];
    const bool other_set = earlier->team != mine->team;

    if (fp_team_rank(job, earlier->team, event->pe) >= 0 && !earlier->left[event->pe])
        return;
    for (int array = 0; array < 2; array++) {
        if (!places_meet(mine, earlier, array))
            continue;
        for (int i = 0; i < mine->size; i++) {
            const int pe = fp_team_world_pe(job, mine->team, i);
            const uint64_t left = earlier->left[pe];
            if (pe == event->pe || fp_team_rank(job, earlier->team, pe) < 0 || (other_set && !earlier->entered[pe]))
                continue;
            if (!left || clock_po(rp->clock, pe) < left)
                report(race, event, earlier, array, pe);
        }
    }
}

void
psync_enter(struct race *race, const struct sim_event *event)
{
    const struct race_psync mine = describe(race, event);
    struct race_psync *use = find(race, mine.team, mine.seq);

    for (const struct race_psync *earlier = race->psyncs; earlier; earlier = earlier->next)
        if (earlier != use && !(earlier->team == mine.team && earlier->meeting && mine.meeting))
            judge(race, event, &mine, earlier);
    if (!use) {
        use = race_alloc(sizeof *use);
        *use = mine;
        use->next = race->psyncs;
        use->entered = race_alloc((size_t)race->job->npes * sizeof *use->entered);
        memset(use->entered, 0, (size_t)race->job->npes * sizeof *use->entered);
        use->left = race_alloc((size_t)race->job->npes * sizeof *use->left);
        memset(use->left, 0, (size_t)race->job->npes * sizeof *use->left);
        race->psyncs = use;
    }
    use->entered[event->pe] = true;
}

static void
use_free(struct race_psync *use)
{
    free(use->entered);
    free(use->left);
    free(use);
}

/* Calls before `last` with the same arrays on the same set, which all members have left: whoever comes after it is
 * judged by it. */
static void
forget_before(struct race_psync *last)
{
    for (struct race_psync **at = &last->next, *use; (use = *at);) {
        if (use->team == last->team && use->nleft == use->size && use->places[0].offset == last->places[0].offset &&
            use->places[1].offset == last->places[1].offset) {
            *at = use->next;
            use_free(use);
        } else {
            at = &use->next;
        }
    }
}

void
psync_leave(struct race *race, const struct sim_event *event)
{
    struct race_psync *use = find(race, event->coll->team, event->coll->seq);

    if (!use)
        return;
    use->left[event->pe] = race_tick(race, event->pe, RACE_STEP_LEAVE, 0, -1, false, event);
    if (++use->nleft == use->size)
        forget_before(use);
}

void
psync_close(struct race *race)
{
    for (struct race_psync *use = race->psyncs, *next; use; use = next) {
        next = use->next;
        use_free(use);
    }
}
