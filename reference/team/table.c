/* table.c -- the teams of a job: made by splits, taken by their members one after the other, left by them.
 *
 * A split is decided by the first member that gets here, for all: which teams there are, with which indices. The others
 * find the decision by parent and number of the call. It is forgotten when every member of the parent has read it.
 * Entries stand in chunks that never move, so whoever has an index (from a call of this file) reads without the lock.
 *
 * Each team has words of its own in the library's part of the heap, one a member, for the signals of its collectives.
 * They are given back when the last member has left; the next owner's stamps go on above the last ones used.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/report/report.h"
#include "reference/team/team.h"

enum { CHUNK = 256, CHUNKS_MAX = 4096 };

struct split {
    struct split *next;
    int parent, first, readers;
    uint64_t seq;
};

struct range {
    struct range *next; /* in order */
    uint32_t first, words;
};

struct fp_teams {
    struct fp_job *job;
    pthread_mutex_t lock;
    struct fp_team *chunks[CHUNKS_MAX];
    atomic_int n; /* indices given out, the predefined ones included */
    struct split *splits;
    struct range *ranges; /* of the pool that are in use */
    uint64_t stamp;       /* above all that teams which are gone have used */
};

static void *
memory(size_t bytes)
{
    void *got = calloc(1, bytes);

    if (got == NULL)
        fp_env_fail("out of memory for teams");
    return got;
}

struct fp_teams *
fp_teams_open(struct fp_job *job)
{
    struct fp_teams *teams = memory(sizeof *teams);

    teams->job = job;
    teams->n = FP_TEAM_PREDEFINED;
    pthread_mutex_init(&teams->lock, NULL);
    return teams;
}

static struct fp_team *
entry(const struct fp_teams *teams, int index)
{
    return &teams->chunks[index / CHUNK][index % CHUNK];
}

void
fp_teams_close(struct fp_teams *teams)
{
    for (int i = FP_TEAM_PREDEFINED; i < teams->n; i++)
        free(entry(teams, i)->gone);
    for (int i = 0; i < CHUNKS_MAX; i++)
        free(teams->chunks[i]);
    for (struct range *range = teams->ranges, *next; range != NULL; range = next) {
        next = range->next;
        free(range);
    }
    for (struct split *split = teams->splits, *next; split != NULL; split = next) {
        next = split->next;
        free(split);
    }
    pthread_mutex_destroy(&teams->lock);
    free(teams);
}

bool
fp_teams_untouched(const struct fp_teams *teams)
{
    return teams->n == FP_TEAM_PREDEFINED && teams->ranges == NULL && teams->splits == NULL && teams->chunks[0] == NULL;
}

const struct fp_team *
fp_team_get(const struct fp_job *job, int team)
{
    if (team < FP_TEAM_PREDEFINED || job->teams == NULL || team >= job->teams->n)
        return NULL;
    return entry(job->teams, team);
}

/* ---- Words for signals. The first rows of the pool belong to the predefined teams. ---- */

/* The first gap that is large enough; false: there is none. */
static bool
words_take(struct fp_teams *teams, uint32_t words, uint32_t *first)
{
    const size_t end = fp_team_pool_words(teams->job->npes);
    struct range **at = &teams->ranges, *range;
    uint32_t from = (uint32_t)(FP_TEAM_PREDEFINED * teams->job->npes);

    while (*at != NULL && (*at)->first - from < words) {
        from = (*at)->first + (*at)->words;
        at = &(*at)->next;
    }
    if (*at == NULL && (size_t)from + words > end)
        return false;
    range = memory(sizeof *range);
    *range = (struct range){.next = *at, .first = from, .words = words};
    *at = range;
    *first = from;
    return true;
}

static void
words_give(struct fp_teams *teams, uint32_t first)
{
    struct range **at = &teams->ranges, *range;

    while ((*at)->first != first)
        at = &(*at)->next;
    range = *at;
    *at = range->next;
    free(range);
}

/* ---- Birth. With the lock held. ---- */

static struct fp_team *
team_add(struct fp_teams *teams, struct fp_team model)
{
    const int index = teams->n, chunk = index / CHUNK;
    struct fp_team *team;

    if (chunk == CHUNKS_MAX || !words_take(teams, (uint32_t)model.size, &model.signals))
        return NULL;
    if (teams->chunks[chunk] == NULL)
        teams->chunks[chunk] = memory(CHUNK * sizeof(struct fp_team));
    team = entry(teams, index);
    *team = model;
    team->index = index;
    team->stamp = teams->stamp;
    team->gone = memory(((size_t)model.size + 63) / 64 * sizeof *team->gone);
    teams->n = index + 1;
    return team;
}

/* The last `n` teams, which nobody has seen. */
static void
teams_take_back(struct fp_teams *teams, int n)
{
    for (; n > 0; n--) {
        struct fp_team *team = entry(teams, teams->n - 1);
        words_give(teams, team->signals);
        free(team->gone);
        memset(team, 0, sizeof *team);
        teams->n--;
    }
}

static int
split_decide(struct fp_pe *pe, int parent, const struct fp_split_part *parts, int nparts, const shmem_call_t *call)
{
    const struct fp_job *job = pe->job;
    struct fp_teams *teams = job->teams;
    const int first = teams->n;

    for (int i = 0; i < nparts; i++) {
        const int start = fp_team_world_pe(job, parent, parts[i].start);
        const int next = parts[i].size > 1 ? fp_team_world_pe(job, parent, parts[i].start + parts[i].stride) : start;
        const struct fp_team model = {
            .parent = parent,
            .domain = fp_team_domain(job, parent),
            .start = start,
            .stride = next - start,
            .size = parts[i].size,
            .created = *call,
            .created_pe = pe->rank,
        };
        if (team_add(teams, model) == NULL) {
            teams_take_back(teams, i);
            return -1;
        }
    }
    return first;
}

int
fp_teams_split(struct fp_pe *pe, int parent, uint64_t seq, const struct fp_split_part *parts, int nparts,
               const shmem_call_t *call)
{
    struct fp_teams *teams = pe->job->teams;
    struct split **at = &teams->splits, *split;
    int first;

    pthread_mutex_lock(&teams->lock);
    while (*at != NULL && ((*at)->parent != parent || (*at)->seq != seq))
        at = &(*at)->next;
    if (*at == NULL) {
        split = memory(sizeof *split);
        *split = (struct split){.parent = parent, .seq = seq};
        split->first = split_decide(pe, parent, parts, nparts, call);
        *at = split;
    }
    split = *at;
    first = split->first;
    if (++split->readers == fp_team_size(pe->job, parent)) {
        *at = split->next;
        free(split);
    }
    pthread_mutex_unlock(&teams->lock);
    return first;
}

bool
fp_team_configure(struct fp_pe *pe, int team, int num_contexts, const shmem_call_t *call)
{
    struct fp_teams *teams = pe->job->teams;
    struct fp_team *t = entry(teams, team);
    bool same;

    pthread_mutex_lock(&teams->lock);
    same = !t->configured || t->num_contexts == num_contexts;
    if (!t->configured)
        t->num_contexts = num_contexts;
    t->configured = true;
    if (fp_team_rank(pe->job, team, pe->rank) == 0) {
        t->created = *call;
        t->created_pe = pe->rank;
    }
    pthread_mutex_unlock(&teams->lock);
    return same;
}

int
fp_team_active(struct fp_pe *pe, int start, int stride, int size)
{
    struct fp_teams *teams = pe->job->teams;
    const struct fp_team *team = NULL;
    int index = FP_TEAM_PREDEFINED;

    if (size == 1)
        stride = 0;
    pthread_mutex_lock(&teams->lock);
    for (; index < teams->n && team == NULL; index++) {
        const struct fp_team *t = entry(teams, index);
        if (t->active_set && t->start == start && t->stride == stride && t->size == size)
            team = t;
    }
    if (team == NULL)
        team = team_add(teams, (struct fp_team){.domain = FP_TEAM_WORLD,
                                                .start = start,
                                                .stride = stride,
                                                .size = size,
                                                .active_set = true,
                                                .created_pe = pe->rank});
    pthread_mutex_unlock(&teams->lock);
    if (team == NULL)
        fp_env_fail("no room for another active set of %d PEs: use fewer different ones, or destroy teams", size);
    return team->index;
}

/* ---- End ---- */

void
fp_team_leave(struct fp_pe *pe, int team, uint64_t seq)
{
    struct fp_teams *teams = pe->job->teams;
    struct fp_team *t = entry(teams, team);
    const int rank = fp_team_rank(pe->job, team, pe->rank);

    pthread_mutex_lock(&teams->lock);
    t->gone[rank / 64] |= UINT64_C(1) << (rank % 64);
    if (++t->ngone == t->size) {
        words_give(teams, t->signals);
        if (t->stamp + seq + 1 > teams->stamp)
            teams->stamp = t->stamp + seq + 1;
    }
    pthread_mutex_unlock(&teams->lock);
}

static void
report_left(const struct fp_teams *teams, const struct fp_team *team)
{
    struct fp_job *job = teams->job;
    struct fp_finding f = {.class_ = FP_CLASS_LEAK, .rule = "E134, S 9.1.4", .naccesses = 1};

    snprintf(f.message, sizeof f.message,
             "a team of %d PE%s made by %s is not destroyed before the last shmem_finalize", team->size,
             team->size == 1 ? "" : "s", team->created.name);
    snprintf(f.repair, sizeof f.repair, "call shmem_team_destroy on every member before shmem_finalize");
    f.accesses[0] = (struct fp_access){.pe = team->created_pe,
                                       .op = team->created.name,
                                       .kind = FP_CALL,
                                       .site = fp_site_of(job, team->created_pe, team->created.site)};
    fp_report_add(job->report, &f);
}

void
fp_teams_finalize(struct fp_job *job)
{
    struct fp_teams *teams = job->teams;

    for (int i = FP_TEAM_PREDEFINED; i < teams->n; i++) {
        struct fp_team *team = entry(teams, i);
        if (team->active_set || team->ngone == team->size)
            continue;
        if (job->config.check)
            report_left(teams, team);
        memset(team->gone, 0xff, ((size_t)team->size + 63) / 64 * sizeof *team->gone);
    }
}
