/* psync.c -- the protocol of pSync and pWrk (semantics 1.16): real contents, and who still uses them.
 *
 * Fencepost needs neither, so it can hold the program to the letter: every element of pSync is read when a member
 * enters, filled with a value of ours while it is inside, looked at again and restored when it leaves. A call's arrays
 * are in use on a PE from the first member's entry until that PE has left: a PE that brings an array into another call
 * while a member of both is still inside the earlier one has misused it. barrier and sync may use theirs again at once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/check/checked.h"
#include "reference/check/match.h"
#include "reference/heap/heap.h"
#include "shmem.h"

static const long inside = 0x5073796e63; /* "Psync" */

/* The arrays of one call. */
struct fp_psync_use {
    struct fp_psync_use *next;
    shmem_coll_t c;
    struct fp_place places[2]; /* pSync, pWrk */
    size_t bytes[2];
    int first_pe; /* whose call `c` is */
    int left;
    size_t words;     /* of a set of ranks */
    uint64_t ranks[]; /* two sets: that have left, that have entered */
};

static bool
is_meeting(const shmem_coll_t *c)
{
    return c->kind == SHMEM_COLL_BARRIER || c->kind == SHMEM_COLL_SYNC;
}

static bool
places_meet(const struct fp_place *a, size_t a_bytes, const struct fp_place *b, size_t b_bytes)
{
    return a->region == b->region && a->region != FP_PRIVATE && a->offset < b->offset + b_bytes &&
           b->offset < a->offset + a_bytes;
}

static bool
has_left(const struct fp_psync_use *use, int rank)
{
    return use->ranks[rank / 64] >> (rank % 64) & 1;
}

static bool
has_entered(const struct fp_psync_use *use, int rank)
{
    return use->ranks[use->words + (size_t)rank / 64] >> (rank % 64) & 1;
}

/* A member of both calls that has not left the earlier one; -1: none. On another set it must have entered: it may
 * never mean to. */
static int
still_inside(const struct fp_job *job, const struct fp_psync_use *use, int team)
{
    for (int i = 0; i < fp_team_size(job, team); i++) {
        const int pe = fp_team_world_pe(job, team, i), rank = fp_team_rank(job, use->c.team, pe);
        if (rank >= 0 && !has_left(use, rank) && (team == use->c.team || has_entered(use, rank)))
            return pe;
    }
    return -1;
}

static void
report_in_use(struct fp_pe *pe, const struct fp_psync_use *mine, const struct fp_psync_use *other, int array, int who)
{
    struct fp_job *job = pe->job;
    const char *name = array == 0 ? "pSync" : "pWrk";
    struct fp_finding f = {.class_ = FP_CLASS_RACE, .rule = "E140, S 9.10", .naccesses = 2, .now = true};

    fp_describe_object(job, &f, array == 0 ? (const void *)mine->c.psync : mine->c.pwrk);
    f.object.pe = who;
    snprintf(f.message, sizeof f.message, "%s by PE %d brings a %s that PE %d may still use in an earlier %s",
             mine->c.call.name, pe->rank, name, who, other->c.call.name);
    snprintf(f.repair, sizeof f.repair, "synchronise the PEs of the set between the two calls, or use another %s",
             name);
    f.accesses[0] = (struct fp_access){.pe = pe->rank,
                                       .op = mine->c.call.name,
                                       .kind = FP_WRITE,
                                       .site = fp_site_of(job, pe->rank, mine->c.call.site)};
    f.accesses[1] = (struct fp_access){.pe = who,
                                       .op = other->c.call.name,
                                       .kind = FP_WRITE,
                                       .site = fp_site_of(job, other->first_pe, other->c.call.site)};
    fp_report_add(job->report, &f);
}

/* With the lock held. A call that the PE itself is still expected in is another mistake: its sets differ (E138). */
static void
judge_in_use(struct fp_pe *pe, const struct fp_psync_use *mine)
{
    for (const struct fp_psync_use *use = pe->job->match->psyncs; use != NULL; use = use->next) {
        if (use->c.team == mine->c.team && (use->c.seq == mine->c.seq || (is_meeting(&use->c) && is_meeting(&mine->c))))
            continue;
        const int own = fp_team_rank(pe->job, use->c.team, pe->rank);
        if (own >= 0 && !has_left(use, own))
            continue;
        for (int array = 0; array < 2; array++) {
            if (!places_meet(&use->places[array], use->bytes[array], &mine->places[array], mine->bytes[array]))
                continue;
            const int who = still_inside(pe->job, use, mine->c.team);
            if (who >= 0)
                report_in_use(pe, mine, use, array, who);
        }
    }
}

static void
use_enter(struct fp_pe *pe, const shmem_coll_t *c)
{
    struct fp_match *match = pe->job->match;
    const int rank = fp_team_rank(pe->job, c->team, pe->rank);
    const size_t words = ((size_t)fp_team_size(pe->job, c->team) + 63) / 64;
    struct fp_psync_use *mine = calloc(1, sizeof *mine + 2 * words * sizeof *mine->ranks), *known;

    if (mine == NULL)
        fp_env_fail("out of memory");
    mine->c = *c;
    mine->places[0] = fp_place_of(pe->job, c->psync);
    mine->places[1] = fp_place_of(pe->job, c->pwrk);
    mine->bytes[0] = c->psync_n * sizeof *c->psync;
    mine->bytes[1] = c->nelems > 0 ? c->pwrk_bytes : 0;
    mine->first_pe = pe->rank;
    mine->words = words;
    pthread_mutex_lock(&match->lock);
    judge_in_use(pe, mine);
    for (known = match->psyncs; known != NULL; known = known->next)
        if (known->c.team == c->team && known->c.seq == c->seq)
            break;
    if (known == NULL) {
        mine->next = match->psyncs;
        match->psyncs = mine;
    }
    (known == NULL ? mine : known)->ranks[words + (size_t)rank / 64] |= UINT64_C(1) << (rank % 64);
    pthread_mutex_unlock(&match->lock);
    if (known != NULL)
        free(mine);
}

static void
use_leave(struct fp_pe *pe, const shmem_coll_t *c)
{
    struct fp_match *match = pe->job->match;
    const int rank = fp_team_rank(pe->job, c->team, pe->rank);
    struct fp_psync_use **at = &match->psyncs, *use;

    pthread_mutex_lock(&match->lock);
    while ((*at)->c.team != c->team || (*at)->c.seq != c->seq)
        at = &(*at)->next;
    use = *at;
    use->ranks[rank / 64] |= UINT64_C(1) << (rank % 64);
    if (++use->left == fp_team_size(pe->job, c->team)) {
        *at = use->next;
        free(use);
    }
    pthread_mutex_unlock(&match->lock);
}

void
fp_psync_free(struct fp_psync_use *uses)
{
    while (uses != NULL) {
        struct fp_psync_use *next = uses->next;
        free(uses);
        uses = next;
    }
}

/* Element i, wherever it is. */
static long
element(struct fp_pe *pe, const shmem_coll_t *c, size_t i)
{
    long value;

    if (!fp_heap_is_device(pe->job, c->psync))
        return c->psync[i];
    pe->job->memory->copy(pe, &value, c->psync + i, sizeof value);
    return value;
}

static void
judge_contents(struct fp_pe *pe, const shmem_coll_t *c, long expected, const char *when)
{
    struct fp_finding f = {.class_ = FP_CLASS_USAGE, .rule = "E139, S 9.10", .naccesses = 1, .now = true};
    size_t i = 0;

    while (i < c->psync_n && element(pe, c, i) == expected)
        i++;
    if (i == c->psync_n)
        return;
    fp_describe_object(pe->job, &f, c->psync + i);
    if (expected == inside)
        snprintf(f.message, sizeof f.message, "%s: element %zu of pSync was changed %s", c->call.name, i, when);
    else
        snprintf(f.message, sizeof f.message,
                 "%s: element %zu of pSync is %ld %s, and has to be SHMEM_SYNC_VALUE (%ld)", c->call.name, i,
                 element(pe, c, i), when, (long)SHMEM_SYNC_VALUE);
    snprintf(f.repair, sizeof f.repair,
             "set every element of pSync to SHMEM_SYNC_VALUE on every PE, synchronise, and leave it to the library");
    f.accesses[0] = (struct fp_access){
        .pe = pe->rank, .op = c->call.name, .kind = FP_CALL, .site = fp_site_of(pe->job, pe->rank, c->call.site)};
    fp_report_add(pe->job->report, &f);
}

static void
fill(struct fp_pe *pe, const shmem_coll_t *c, long value)
{
    const bool device = fp_heap_is_device(pe->job, c->psync);

    for (size_t i = 0; i < c->psync_n; i++)
        if (device)
            pe->job->memory->copy(pe, c->psync + i, &value, sizeof value);
        else
            c->psync[i] = value;
}

static bool
arrays_fine(struct fp_pe *pe, const shmem_coll_t *c)
{
    const struct fp_buffer psync = {c->psync, c->psync_n * sizeof *c->psync, FP_ROLE_PSYNC, pe->rank, SHMEM_TYPE_long};
    const struct fp_buffer pwrk = {c->pwrk, c->nelems > 0 ? c->pwrk_bytes : 0, FP_ROLE_PWRK, pe->rank, c->type};
    const struct fp_buffer dest = {c->dest, c->nelems * c->elem_bytes, FP_ROLE_COLL_DEST, pe->rank, c->type};

    if (!fp_symmetric_fine(pe, &psync, &c->call) || !fp_symmetric_fine(pe, &pwrk, &c->call))
        return false;
    const struct fp_buffer *const pairs[][2] = {{&psync, &pwrk}, {&dest, &psync}, {&dest, &pwrk}};
    for (int i = 0; i < 3; i++)
        if (fp_ranges_meet(pairs[i][0]->address, pairs[i][0]->bytes, pairs[i][1]->address, pairs[i][1]->bytes))
            fp_overlap_report(pe, pairs[i][0], pairs[i][1], &c->call, false);
    return true;
}

bool
fp_psync_enter(struct fp_pe *pe, const shmem_coll_t *c)
{
    if (!arrays_fine(pe, c))
        return false;
    judge_contents(pe, c, SHMEM_SYNC_VALUE, "at entry");
    use_enter(pe, c);
    fill(pe, c, inside);
    return true;
}

void
fp_psync_leave(struct fp_pe *pe, const shmem_coll_t *c)
{
    judge_contents(pe, c, inside, "by something else while the PE was inside");
    fill(pe, c, SHMEM_SYNC_VALUE);
    use_leave(pe, c);
}
