/* race_meet.c -- where knowledge passes between PEs without memory: sync (H9), data collectives (H11), locks (H12).
 *
 * A sync gathers what its members knew at entry and gives it to each at return. A data collective gives less:
 * whoever's data a result depends on has entered (all members; the root for a broadcast), and only where the profile
 * has that row (ENTRY). What it does to its buffers is told by the library's own operations: on behalf of member i,
 * into the memory of member j, after i entered and before j returns. Nothing orders them before what other PEs do to
 * j's buffers without knowing that j has returned.
 */
#include <stdlib.h>
#include <string.h>

#include "reference/team/team.h"
#include "sim/observe/race.h"

/* A member's stay in a data collective. */
struct stay {
    bool entered;
    struct clock *clock;
    uint64_t iss, vis;
    struct race_op *op; /* done when the member leaves; made when its buffers are first touched */
    struct clock *upto; /* scan: what members up to this one gave; NULL until it is asked for */
};

struct race_meet {
    struct race_meet *next;
    int team;
    uint64_t seq;
    bool data;   /* a data collective, else a sync */
    bool weak;   /* sync: of a call that does not promise one */
    bool closed; /* sync: a member has left, so all had entered */
    int entered, left, members;
    struct clock *all;
    struct stay *stays; /* data collective: one a PE of the job */
};

/* ---- Meetings --------------------------------------------------------------------------------------------------- */

static struct race_meet *
meet_find(struct race *race, int team, uint64_t seq, bool data)
{
    for (struct race_meet *meet = race->meets; meet; meet = meet->next)
        if (meet->team == team && meet->seq == seq && meet->data == data && !meet->closed)
            return meet;
    return NULL;
}

static struct race_meet *
meet_get(struct race *race, const struct sim_event *event, bool data)
{
    const shmem_coll_t *c = event->coll;
    struct race_meet *meet = meet_find(race, c->team, c->seq, data);
    if (meet)
        return meet;
    meet = race_alloc(sizeof *meet);
    *meet = (struct race_meet){.next = race->meets, .team = c->team, .seq = c->seq, .data = data};
    meet->members = event->members ? event->members : race->job->npes;
    race->meets = meet;
    if (data) {
        meet->stays = race_alloc((size_t)race->job->npes * sizeof *meet->stays);
        memset(meet->stays, 0, (size_t)race->job->npes * sizeof *meet->stays);
    }
    return meet;
}

static void
meet_free(struct race *race, struct race_meet *meet)
{
    struct race_meet **at = &race->meets;
    while (*at != meet)
        at = &(*at)->next;
    *at = meet->next;
    clock_drop(&race->pool, meet->all);
    for (int i = 0; meet->stays && i < race->job->npes; i++) {
        clock_drop(&race->pool, meet->stays[i].clock);
        clock_drop(&race->pool, meet->stays[i].upto);
        race_op_drop(meet->stays[i].op);
    }
    free(meet->stays);
    free(meet);
}

/* What PE `pe` knows now, itself included up to event `now`, goes into the meeting. */
static void
meet_give(struct race *race, struct race_meet *meet, int pe, uint64_t now)
{
    struct race_pe *rp = &race->pes[pe];
    if (!meet->all)
        meet->all = clock_ref(rp->clock);
    else
        clock_join(&race->pool, &meet->all, rp->clock);
    clock_raise(&race->pool, &meet->all, pe, now, rp->vis);
    meet->entered++;
}

/* Splits and ends of teams meet, but promise no more than a data collective does: that everybody has entered, where the
 * profile has that row. They make no store visible. */
static bool
is_team_call(const shmem_coll_t *c)
{
    return c->kind == SHMEM_COLL_TEAM_SPLIT || c->kind == SHMEM_COLL_TEAM_DESTROY;
}

static void
sync_enter(struct race *race, const struct sim_event *event)
{
    struct race_pe *rp = &race->pes[event->pe];
    struct race_meet *meet = meet_get(race, event, false);
    enum race_step_kind kind = event->coll->kind == SHMEM_COLL_SYNC ? RACE_STEP_SYNC : RACE_STEP_BARRIER;

    meet->weak = is_team_call(event->coll);
    if (!meet->weak && race_orders(race, FP_EDGE_SYNC, FP_ORDER_STORE, FP_ORDER_LOAD))
        rp->vis = rp->now; /* A4 */
    meet_give(race, meet, event->pe, race_tick(race, event->pe, kind, 0, -1, false, event));
    rp->meet = meet;
}

static void
sync_leave(struct race *race, const struct sim_event *event)
{
    struct race_pe *rp = &race->pes[event->pe];
    struct race_meet *meet = rp->meet;

    if (!meet)
        return;
    rp->meet = NULL;
    if (!meet->closed)
        clock_prune(&race->pool, &meet->all, -1, 0);
    meet->closed = true;
    if (race->entry || !meet->weak)
        clock_join(&race->pool, &rp->clock, meet->all);
    clock_prune(&race->pool, &rp->clock, event->pe, rp->now);
    if (++meet->left == meet->entered)
        meet_free(race, meet);
}

/* ---- Data collectives ------------------------------------------------------------------------------------------- */

static bool
moves_data(shmem_coll_kind_t kind)
{
    return kind >= SHMEM_COLL_BROADCAST && kind <= SHMEM_COLL_ALLTOALLS;
}

static void
coll_enter(struct race *race, const struct sim_event *event)
{
    struct race_pe *rp = &race->pes[event->pe];
    struct race_meet *meet = meet_get(race, event, true);
    struct stay *stay = &meet->stays[event->pe];

    stay->entered = true;
    stay->clock = clock_ref(rp->clock);
    stay->vis = rp->vis;
    stay->iss = race_tick(race, event->pe, RACE_STEP_COLL, 0, -1, false, event);
    meet_give(race, meet, event->pe, stay->iss);
}

/* What a member gave when it entered goes into *clock. */
static void
stay_join(struct race *race, struct clock **clock, int pe, const struct stay *stay)
{
    clock_join(&race->pool, clock, stay->clock);
    clock_raise(&race->pool, clock, pe, stay->iss, stay->vis);
}

/* What a scan's result for member `pe` needs: the data of the members before it, and with an inclusive scan its own.
 * The first one's result of an exclusive scan needs but its call. The others need not have come, and the member's
 * return tells nothing of them. All members up to there have entered: the library has taken their data. */
static struct clock *
scan_needs(struct race *race, const struct race_meet *meet, const shmem_coll_t *c, int pe)
{
    const int own = fp_team_rank(race->job, c->team, pe), last = c->exclusive && own > 0 ? own - 1 : own;
    struct clock *before = NULL;
    int rank = last;
    while (rank > 0 && !meet->stays[fp_team_world_pe(race->job, c->team, rank)].upto)
        rank--;
    for (; rank <= last; rank++) {
        int member = fp_team_world_pe(race->job, c->team, rank);
        struct stay *stay = &meet->stays[member];
        if (!stay->entered)
            FP_BUG("a scan's result before PE %d has entered", member);
        if (!stay->upto) {
            stay->upto = clock_ref(before ? before : stay->clock);
            stay_join(race, &stay->upto, member, stay);
        }
        before = stay->upto;
    }
    return before;
}

static void
coll_leave(struct race *race, const struct sim_event *event)
{
    struct race_pe *rp = &race->pes[event->pe];
    const shmem_coll_t *c = event->coll;
    struct race_meet *meet = meet_find(race, c->team, c->seq, true);
    uint64_t now = race_tick(race, event->pe, RACE_STEP_LEAVE, 0, -1, false, event);

    if (!meet)
        return;
    if (meet->stays[event->pe].op)
        meet->stays[event->pe].op->done = now;
    if (race->entry && c->nelems > 0) {
        if (c->kind == SHMEM_COLL_BROADCAST) {
            const struct stay *root = &meet->stays[event->root];
            if (root->entered && event->root != event->pe)
                stay_join(race, &rp->clock, event->root, root);
        } else {
            const struct clock *told = c->kind == SHMEM_COLL_SCAN ? scan_needs(race, meet, c, event->pe) : meet->all;
            clock_join(&race->pool, &rp->clock, told);
        }
        clock_prune(&race->pool, &rp->clock, event->pe, rp->now);
    }
    if (++meet->left == meet->members)
        meet_free(race, meet);
}

static struct race_op *
stay_op(struct race *race, const struct race_meet *meet, struct stay *stay, int pe)
{
    if (!stay->op) {
        stay->op = race_op_new(race);
        stay->op->origin = stay->op->target = pe;
        stay->op->class_ = FP_ORDER_COLL;
        stay->op->coll = true;
        stay->op->team = meet->team;
        stay->op->iss = UINT64_MAX; /* nobody learns of it but by the member's return */
    }
    return stay->op;
}

void
meet_internal(struct race *race, const struct sim_event *event)
{
    const struct sim_op *so = event->op;
    struct race_meet *meet = meet_find(race, so->coll.team, so->coll.seq, true);

    if (!meet || event->bytes == 0 || event->place.region == FP_PRIVATE || race_internal(race, &event->place))
        return;
    /* A source is read after its owner entered, whoever reads it. */
    struct stay *by = &meet->stays[event->kind == SIM_EV_READ ? event->place.pe : so->origin];
    if (!by->entered)
        return;
    struct race_op *op = stay_op(race, meet, &meet->stays[event->place.pe], event->place.pe);
    enum race_access kind = event->kind == SIM_EV_WRITE ? RACE_COLL_WRITE : RACE_COLL_READ;
    bool from_all = so->coll.kind == SHMEM_COLL_REDUCE || so->coll.kind == SHMEM_COLL_SCAN;
    /* In place nobody can write dest before its owner has entered and its source has been read: the owner's stores
     * before that are its own call's. Elsewhere dest has to be ready when the first member enters. */
    bool in_place = from_all && so->coll.dest == so->coll.source;
    const struct stay *asks = in_place ? &meet->stays[event->place.pe] : by;
    /* A reduction's result needs the data of all; the source itself may be read as soon as its owner has entered. */
    const struct clock *needs = by->clock;
    if (from_all && kind == RACE_COLL_WRITE)
        needs = so->coll.kind == SHMEM_COLL_SCAN && !in_place ? scan_needs(race, meet, &so->coll, event->place.pe)
                                                              : meet->all;
    struct race_view view = {.clock = needs,
                             .pe = in_place || event->kind == SIM_EV_READ ? event->place.pe : so->origin,
                             .po = asks->iss,
                             .vis = asks->vis,
                             .target = event->place.pe,
                             .op = op,
                             .local = event->place.pe == so->origin};
    uint32_t id = shadow_record_new(race);
    struct race_record *record = shadow_record(race, id);

    record->op = op;
    op->refs++;
    op->uses++;
    record->name = so->coll.call.name ? so->coll.call.name : so->call.name;
    record->site = so->site;
    record->clock = by->iss;
    record->pe = event->kind == SIM_EV_READ ? event->place.pe : so->origin;
    record->kind = kind;
    record->known = clock_ref(by->clock);
    shadow_access(race, id, &view, event);
    shadow_record_drop(race, id);
    if (kind == RACE_COLL_WRITE)
        shadow_arrived(race, op, event);
}

/* ---- Locks ------------------------------------------------------------------------------------------------------ */

static struct race_lock *
lock_find(const struct race *race, const struct fp_place *place)
{
    struct race_lock *lock = race->locks;
    while (lock && (lock->region != place->region || lock->offset / sizeof(long) != place->offset / sizeof(long)))
        lock = lock->next;
    return lock;
}

bool
meet_lock_held(const struct race *race, const struct fp_place *place)
{
    const struct race_lock *lock = lock_find(race, place);
    return lock && lock->held;
}

static struct race_lock *
lock_get(struct race *race, const struct fp_place *place)
{
    struct race_lock *lock = lock_find(race, place);
    if (!lock) {
        lock = race_alloc(sizeof *lock);
        *lock = (struct race_lock){.next = race->locks, .region = place->region, .offset = place->offset};
        lock->bit = race->locks ? race->locks->bit << 1 | race->locks->bit >> 63 : 1;
        race->locks = lock;
    }
    return lock;
}

/* The routines may use the variable of a lock on every PE, as they please: whoever else touches a copy of it while the
 * lock is held, or unordered with a routine, is wrong (E084). In large jobs only the caller's copy and that of PE 0,
 * which implementations keep the queue in. */
#define LOCK_COPIES_MAX 64

static void
lock_touch(struct race *race, const struct sim_event *event)
{
    struct race_view view = race_view_pe(race, event->pe);
    uint32_t id = shadow_record_new(race);
    struct race_record *record = shadow_record(race, id);
    struct sim_event at = *event;

    record->name = event->name;
    record->site = event->site;
    record->clock = race->pes[event->pe].now;
    record->pe = event->pe;
    record->kind = RACE_AMO;
    record->type = SHMEM_TYPE_long;
    record->lock = true;
    record->known = clock_ref(race->pes[event->pe].clock);
    for (int pe = 0; pe < race->job->npes; pe++) {
        if (race->job->npes > LOCK_COPIES_MAX && pe != 0 && pe != event->pe)
            continue;
        at.address = fp_translate(race->job, event->address, event->pe, pe);
        at.place.pe = pe;
        shadow_access(race, id, &view, &at);
    }
    shadow_record_drop(race, id);
}

static void
lock_set(struct race *race, const struct sim_event *event)
{
    struct race_lock *lock = lock_get(race, &event->place);
    struct race_pe *rp = &race->pes[event->pe];
    if (lock->clock && !predict_weak(race))
        clock_join(&race->pool, &rp->clock, lock->clock);
    predict_lock_set(race, lock, event);
    clock_prune(&race->pool, &rp->clock, event->pe, rp->now);
    lock_touch(race, event);
    lock->held = true;
}

static void
lock_clear(struct race *race, const struct sim_event *event)
{
    struct race_lock *lock = lock_get(race, &event->place);
    struct race_pe *rp = &race->pes[event->pe];

    lock->held = false;
    lock_touch(race, event);
    rp->vis = rp->now;
    uint64_t now = race_tick(race, event->pe, RACE_STEP_LOCK_CLEAR, 0, -1, false, event);
    clock_drop(&race->pool, lock->clock);
    lock->clock = clock_ref(rp->clock);
    clock_raise(&race->pool, &lock->clock, event->pe, now, rp->vis);
    predict_lock_clear(race, lock, event);
}

/* ---- Atomics of the language ------------------------------------------------------------------------------------ */

/* Taken at their strongest: each acquires what every earlier one on the location released and releases what its PE
 * has done, so that a program which relies on less is not accused. Among themselves they never race. */
static void
language_atomic(struct race *race, const struct sim_event *event)
{
    struct race_pe *rp = &race->pes[event->pe];
    struct race_lock *cell = race->atomics;
    if (event->place.region == FP_PRIVATE)
        return;
    fp_job_unseen(race->job, "atomics of the language against other accesses");
    while (cell &&
           (cell->region != event->place.region || cell->pe != event->place.pe || cell->offset != event->place.offset))
        cell = cell->next;
    if (!cell) {
        cell = race_alloc(sizeof *cell);
        *cell = (struct race_lock){
            .next = race->atomics, .region = event->place.region, .offset = event->place.offset, .pe = event->place.pe};
        race->atomics = cell;
    }
    if (cell->clock)
        clock_join(&race->pool, &rp->clock, cell->clock);
    clock_prune(&race->pool, &rp->clock, event->pe, rp->now);
    rp->vis = rp->now;
    uint64_t now = race_tick(race, event->pe, RACE_STEP_LOCK_CLEAR, 0, -1, false, event);
    clock_drop(&race->pool, cell->clock);
    cell->clock = clock_ref(rp->clock);
    clock_raise(&race->pool, &cell->clock, event->pe, now, rp->vis);
}

void
meet_event(struct race *race, const struct sim_event *event)
{
    switch (event->kind) {
    case SIM_EV_SYNC_ENTER:
        if (event->coll->psync)
            psync_enter(race, event);
        sync_enter(race, event);
        break;
    case SIM_EV_SYNC_LEAVE:
        sync_leave(race, event);
        if (event->coll && event->coll->psync)
            psync_leave(race, event);
        break;
    case SIM_EV_COLL_ENTER:
        if (event->coll->psync)
            psync_enter(race, event);
        if (moves_data(event->coll->kind))
            coll_enter(race, event);
        break;
    case SIM_EV_COLL_LEAVE:
        if (moves_data(event->coll->kind))
            coll_leave(race, event);
        if (event->coll->psync)
            psync_leave(race, event);
        break;
    case SIM_EV_LOCK_SET:
        lock_set(race, event);
        break;
    case SIM_EV_ATOMIC:
        language_atomic(race, event);
        break;
    case SIM_EV_LOCK_CLEAR:
        lock_clear(race, event);
        break;
    default:
        FP_BUG("event %d is no meeting", (int)event->kind);
    }
}

static void
locks_free(struct race *race, struct race_lock *lock)
{
    for (struct race_lock *next; lock; lock = next) {
        next = lock->next;
        clock_drop(&race->pool, lock->clock);
        free(lock);
    }
}

void
meet_close(struct race *race)
{
    psync_close(race);
    while (race->meets)
        meet_free(race, race->meets);
    locks_free(race, race->locks);
    locks_free(race, race->atomics);
}
