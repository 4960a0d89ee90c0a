/* match.c -- collective calls are compared as they arrive.
 *
 * The members of a team call the same collectives in the same order with equal arguments (semantics 1.15, 3.1). Call
 * number k of each member belongs to round k of the team. A round keeps one *group* for each different way in which it
 * was called, with the set of PEs that called so: one group in a right program, however many PEs there are. When all
 * have come, or nobody can move any more, groups that must be equal and are not make a finding that lists every PE.
 *
 * A PE that arrives with a difference is held in the backend's sync: were it let go, its collective would move data to
 * places that the others never offered. A round is forgotten when all members have come.
 */
#include "reference/check/match.h"

#include <stdlib.h>
#include <string.h>

#include "reference/check/check.h"
#include "reference/check/checked.h"

static struct fp_match_group *
group_of(struct fp_match_round *round, const struct fp_match_group *wanted)
{
    for (struct fp_match_group *g = round->groups; g; g = g->next)
        if (fp_match_same(g, wanted))
            return g;
    return NULL;
}

static void
set_add(struct fp_match_group *group, int rank)
{
    group->ranks[rank / 64] |= UINT64_C(1) << (rank % 64);
    group->count++;
}

/* Puts the caller's way of calling into the round; true if it differs from another's. */
static bool
round_enter(struct fp_match_team *team, struct fp_match_round *round, const struct fp_match_group *mine, int rank)
{
    struct fp_match_group *group = group_of(round, mine);
    round->arrived++;
    if (!group) {
        size_t words = ((size_t)team->size + 63) / 64;
        group = calloc(1, sizeof *group + words * sizeof *group->ranks);
        if (!group)
            fp_env_fail("out of memory");
        *group = *mine;
        struct fp_match_group **at = &round->groups; /* in order of arrival */
        while (*at)
            at = &(*at)->next;
        *at = group;
        round->differs |= fp_match_difference(&round->groups->call, &group->call) != FP_MATCH_EQUAL;
    }
    set_add(group, rank);
    return round->differs;
}

static struct fp_match_round *
round_find(struct fp_match_team *team, uint64_t seq)
{
    struct fp_match_round **at = &team->rounds;
    while (*at && (*at)->seq < seq)
        at = &(*at)->next;
    if (*at && (*at)->seq == seq)
        return *at;
    struct fp_match_round *round = calloc(1, sizeof *round);
    if (!round)
        fp_env_fail("out of memory");
    round->seq = seq;
    round->next = *at;
    return *at = round;
}

static void
round_free(struct fp_match_round *round)
{
    while (round->groups) {
        struct fp_match_group *next = round->groups->next;
        free(round->groups);
        round->groups = next;
    }
    free(round);
}

static void
round_forget(struct fp_match_team *team, struct fp_match_round *round)
{
    struct fp_match_round **at = &team->rounds;
    while (*at != round)
        at = &(*at)->next;
    *at = round->next;
    round_free(round);
}

static void
team_clear(struct fp_match_team *team)
{
    while (team->rounds) {
        struct fp_match_round *next = team->rounds->next;
        round_free(team->rounds);
        team->rounds = next;
    }
    free(team->next);
    free(team->kinds);
    *team = (struct fp_match_team){0};
}

static struct fp_match_team *
team_find(struct fp_job *job, int index)
{
    struct fp_match *match = job->match;
    if (index >= match->nteams) {
        int n = index + 8;
        match->teams = realloc(match->teams, (size_t)n * sizeof *match->teams);
        if (!match->teams)
            fp_env_fail("out of memory");
        memset(match->teams + match->nteams, 0, (size_t)(n - match->nteams) * sizeof *match->teams);
        match->nteams = n;
    }
    struct fp_match_team *team = &match->teams[index];
    if (!team->next) {
        team->index = index;
        team->size = fp_team_size(job, index);
        team->next = calloc((size_t)team->size, sizeof *team->next);
        team->kinds = calloc((size_t)team->size, sizeof *team->kinds);
        if (!team->next || !team->kinds)
            fp_env_fail("out of memory");
    }
    return team;
}

/* The calling PE's way of calling, as it is compared: addresses as places, the call's line as a site. */
static struct fp_match_group
way_of(struct fp_job *job, const shmem_coll_t *c, uint32_t kind_count)
{
    struct fp_match_group group = {.call = {.c = *c}};
    group.call.dest = fp_place_of(job, c->dest);
    group.call.source = fp_place_of(job, c->source);
    group.call.psync = fp_place_of(job, c->psync);
    group.call.pwrk = fp_place_of(job, c->pwrk);
    group.call.kind_count = kind_count;
    group.site = fp_site_of(job, fp_self->rank, c->call.site);
    return group;
}

static void
end_with_mismatch(struct fp_job *job, struct fp_match_team *team, struct fp_match_round *round)
{
    job->match->reported = true;
    fp_match_report(job, team, round);
    pthread_mutex_unlock(&job->match->lock);
    fp_job_abort(job, 66);
}

/* What a collect puts into every dest: known when all have come. */
static size_t
collect_bytes(const struct fp_match_round *round)
{
    size_t elements = 0;
    for (const struct fp_match_group *g = round->groups; g; g = g->next)
        elements += (size_t)g->count * g->call.c.nelems;
    return elements * round->groups->call.c.elem_bytes;
}

bool
fp_match_enter(struct fp_job *job, shmem_coll_t *c)
{
    struct fp_match *match = job->match;
    int rank = fp_team_rank(job, c->team, fp_self->rank);
    FP_ASSERT(rank >= 0);
    pthread_mutex_lock(&match->lock);
    if (match->reported) {
        pthread_mutex_unlock(&match->lock);
        return false;
    }
    struct fp_match_team *team = team_find(job, c->team);
    c->seq = team->next[rank]++;
    struct fp_match_round *round = round_find(team, c->seq);
    struct fp_match_group mine = way_of(job, c, ++team->kinds[rank][c->kind]);
    size_t collected = 0;
    bool held = round_enter(team, round, &mine, rank) && job->config.check;
    if (round->arrived == team->size) {
        if (held)
            end_with_mismatch(job, team, round);
        if (c->kind == SHMEM_COLL_COLLECT && job->config.check)
            collected = collect_bytes(round);
        round_forget(team, round);
        if (c->kind == SHMEM_COLL_TEAM_DESTROY)
            team_clear(team); /* no call comes after it */
    }
    pthread_mutex_unlock(&match->lock);
    if (collected && !fp_collect_fine(fp_self, c, collected))
        fp_job_abort(job, 66);
    if (held) {
        shmem_coll_t waits = *c;
        waits.psync = NULL; /* it is not inside, and its arrays are not judged */
        job->backend->sync(&waits);
    }
    return !held;
}

void
fp_match_pending_mismatch(struct fp_job *job)
{
    struct fp_match *match = job->match;
    pthread_mutex_lock(&match->lock);
    for (int i = 0; i < match->nteams && !match->reported; i++)
        for (struct fp_match_round *round = match->teams[i].rounds; round; round = round->next)
            if (round->differs && job->config.check)
                end_with_mismatch(job, &match->teams[i], round);
    bool sets_differ = !match->reported && job->config.check && fp_match_sets_differ(job);
    match->reported |= sets_differ;
    pthread_mutex_unlock(&match->lock);
    if (sets_differ)
        fp_job_abort(job, 66);
}

void
fp_match_skipped(struct fp_job *job, bool is_free, const shmem_call_t *call)
{
    struct fp_match *match = job->match;
    if (!job->config.check)
        return;
    pthread_mutex_lock(&match->lock);
    if (!match->skips && !(match->skips = calloc((size_t)job->npes, sizeof *match->skips)))
        fp_env_fail("out of memory");
    struct fp_match_skip *skip = &match->skips[fp_self->rank];
    *(is_free ? &skip->free : &skip->allocation) = *call;
    pthread_mutex_unlock(&match->lock);
}

struct fp_match *
fp_match_open(struct fp_job *job)
{
    struct fp_match *match = calloc(1, sizeof *match);
    if (!match)
        fp_env_fail("out of memory");
    /* Held for a moment at a time, by PEs that arrive together: worth waiting for without the kernel. */
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&match->lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return match;
}

void
fp_match_close(struct fp_match *match)
{
    for (int i = 0; i < match->nteams; i++)
        team_clear(&match->teams[i]);
    free(match->teams);
    fp_psync_free(match->psyncs);
    free(match->skips);
    pthread_mutex_destroy(&match->lock);
    free(match);
}
