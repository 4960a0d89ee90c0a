/* fake_net.h -- event sequences for tests of an observer: a script of operations over a network of a hundred lines.
 *
 * A script is C: put(0, 1, X, 5) is "PE 0 puts 5 to X of PE 1". The PEs act in the order written; when a pending
 * operation is delivered is the policy's choice within what the ordering table allows (at once, as late as possible,
 * or by chance). Every step's place in the code is its line. Include after cmocka.h.
 */
#ifndef FAKE_NET_H
#define FAKE_NET_H

#include <setjmp.h>
#include <string.h>

#include "fake_job.h"
#include "reference/api/compare.h"
#include "reference/heap/heap.h"
#include "reference/report/report.h"
#include "shmem.h"
#include "sim/event.h"
#include "sim/order.h"

#define NET_PES 5
#define NET_CTXS 8
#define NET_OPS 4096
enum { X, Y, Z, F, G, A, S, D, E, LOCK, VARS };
enum policy { AT_ONCE, LATE, CHANCE };

struct net_op {
    struct sim_op op;
    bool data_left, update_left, failed;
    int var, sig_var, nelems;
    uint64_t value, sig_value, cond;
    uint64_t *local; /* nonblocking: source or destination */
    const shmem_coll_t *coll;
};

static struct fp_job job;
static struct fp_pe pes[1024];
static shmem_ctx_state_t ctxs[1024][NET_CTXS];
static struct net_op net[NET_OPS];
static int nnet, net_first;
static uint64_t epochs[NET_PES][NET_CTXS], op_ids, seq_now, chance;
static enum policy policy;
static void *observer;
static int ctx_next; /* context of the next operation */
static shmem_type_t type_next;
static uint64_t privates[NET_PES][4];

void
fp_job_abort(struct fp_job *job, int status)
{
    abort();
}

void
fp_job_unseen(struct fp_job *job, const char *what)
{
}

void
fp_env_fail(const char *fmt, ...)
{
    abort();
}

static struct fp_place
place_of(int pe, int var)
{
    return (struct fp_place){
        .region = FP_HEAP, .pe = pe, .offset = fp_heap_internal_bytes(job.npes) + 64 + (uint64_t)var * 64};
}

static uint64_t *
word(int pe, int var)
{
    return (uint64_t *)(pes[pe].heap_base + place_of(pe, var).offset);
}

static void (*tap)(const struct sim_event *event); /* sees every event before the observer does */

static void
emit(struct sim_event event)
{
    if (tap)
        tap(&event);
    sim_observer_race.event(observer, &event);
}

static void
net_open(enum fp_rules rules, enum policy how, uint64_t seed, bool hooked)
{
    job = (struct fp_job){.npes = NET_PES, .pes = pes, .hooked = hooked};
    job.config =
        (struct fp_config){.npes = NET_PES, .rules = rules, .check = true, .quiet = true, .heap_bytes = 1 << 20};
    job.config.net = job.config.chooser = job.config.rules_name = "";
    memset(pes, 0, sizeof pes);
    for (int i = 0; i < NET_PES; i++) {
        pes[i] = (struct fp_pe){.rank = i, .job = &job};
        for (int c = 0; c < NET_CTXS; c++)
            ctxs[i][c] = (shmem_ctx_state_t){.pe = &pes[i], .id = (uint32_t)c, .live = true};
        ctxs[i][7].options = SHMEM_CTX_NOSTORE;
    }
    assert_int_equal(fp_heap_open(&job), 0);
    for (int i = 0; i < NET_PES; i++)
        memset(word(i, 0), 0, 64 * VARS);
    memset(privates, 0, sizeof privates);
    memset(epochs, 0, sizeof epochs);
    job.report = fp_report_open(&job);
    nnet = net_first = ctx_next = 0;
    type_next = SHMEM_TYPE_long;
    policy = how;
    chance = seed * 2654435761u + 1;
    observer = sim_observer_race.open(&job);
}

/* ---- Delivery --------------------------------------------------------------------------------------------------- */

static struct sim_event
event_at(enum sim_event_kind kind, struct net_op *n, int pe, int var, size_t bytes)
{
    return (struct sim_event){.kind = kind,
                              .pe = n->op.origin,
                              .op = &n->op,
                              .place = place_of(pe, var),
                              .address = word(pe, var),
                              .bytes = bytes,
                              .name = n->op.call.name,
                              .site = n->op.site};
}

static bool
net_pending(const struct net_op *n)
{
    return n->data_left || n->update_left;
}

static void
net_end(struct net_op *n)
{
    sim_observer_race.forget(observer, &n->op);
}

static void deliver(struct net_op *n);

static void
deliver_before(struct net_op *n)
{
    bool behind = sim_order_fence_covers_later(job.config.rules, sim_order_class(&n->op));
    for (struct net_op *m = &net[net_first]; m < n; m++) {
        bool lane = m->op.origin == n->op.origin && m->op.ctx == n->op.ctx && m->op.target == n->op.target;
        bool fenced = lane && m->op.epoch < n->op.epoch && behind &&
                      sim_order_fence_covers_earlier(job.config.rules, sim_order_class(&m->op));
        bool same = lane && m->op.kind == SHMEM_OP_AMO && n->op.kind == SHMEM_OP_AMO && m->var == n->var &&
                    sim_order_amo_same_location(job.config.rules);
        if (net_pending(m) && (fenced || same))
            deliver(m);
    }
}

static void
deliver_data(struct net_op *n)
{
    size_t bytes = 8 * (size_t)n->nelems;
    n->data_left = false;
    if (n->op.kind == SHMEM_OP_PUT) {
        if (n->local) {
            emit((struct sim_event){.kind = SIM_EV_READ,
                                    .pe = n->op.origin,
                                    .op = &n->op,
                                    .address = n->local,
                                    .place = {.region = FP_PRIVATE},
                                    .bytes = bytes,
                                    .name = n->op.call.name,
                                    .site = n->op.site});
            n->value = *n->local;
        }
        for (int i = 0; i < n->nelems; i++)
            word(n->op.target, n->var)[i] = n->value;
        emit(event_at(SIM_EV_WRITE, n, n->op.target, n->var, bytes));
    } else {
        emit(event_at(SIM_EV_READ, n, n->op.target, n->var, bytes));
        *n->local = *word(n->op.target, n->var);
    }
}

static void
deliver_update(struct net_op *n)
{
    bool signal = n->op.kind == SHMEM_OP_PUT;
    int var = signal ? n->sig_var : n->var;
    uint64_t *at = word(n->op.target, var), value = signal ? n->sig_value : n->value;
    shmem_amo_t amo = signal ? n->op.sig_op : n->op.amo;
    n->update_left = false;
    if (amo == SHMEM_AMO_SET || amo == SHMEM_AMO_SWAP)
        *at = value;
    else if (amo == SHMEM_AMO_ADD || amo == SHMEM_AMO_INC)
        *at += value;
    else if (amo == SHMEM_AMO_CSWAP && *at == n->cond)
        *at = value;
    else if (amo == SHMEM_AMO_CSWAP)
        n->failed = true;
    struct sim_event event = event_at(SIM_EV_RMW, n, n->op.target, var, 8);
    event.type = signal ? SHMEM_TYPE_uint64 : n->op.type;
    if (event.type == SHMEM_TYPE_int)
        event.bytes = 4;
    event.signal = n->op.flags & SHMEM_OPF_SIGNAL;
    event.failed = n->failed;
    memcpy(event.value, at, 8);
    emit(event);
    if (n->op.kind == SHMEM_OP_AMO && n->local)
        *n->local = *at;
}

static void
deliver(struct net_op *n)
{
    if (!net_pending(n))
        return;
    deliver_before(n);
    if (n->data_left)
        deliver_data(n);
    if (n->update_left)
        deliver_update(n);
    if (n->op.kind == SHMEM_OP_PUT || n->op.flags & SHMEM_OPF_NBI || !(n->op.flags & SHMEM_OPF_FETCH))
        if (n->op.kind != SHMEM_OP_GET || n->op.flags & SHMEM_OPF_NBI)
            net_end(n);
}

static uint32_t
dice(void)
{
    chance = chance * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(chance >> 33);
}

/* Between two steps anything that may be delivered can be. */
static void
step(void)
{
    for (int i = net_first; i < nnet; i++)
        if (policy == AT_ONCE || (policy == CHANCE && dice() % 4 == 0))
            deliver(&net[i]);
    while (net_first < nnet && !net_pending(&net[net_first]))
        net_first++;
    if (net_first == nnet)
        net_first = nnet = 0;
}

static int
net_close(void)
{
    for (int i = net_first; i < nnet; i++)
        deliver(&net[i]);
    sim_observer_race.close(observer);
    return fp_report_count(job.report);
}

static void
net_free(void)
{
    fp_report_free(job.report);
    fp_heap_close(&job);
}

/* ---- Steps of a script ------------------------------------------------------------------------------------------ */

static struct net_op *
issue(int line, const char *name, int pe, int target, shmem_op_kind_t kind, unsigned flags, int var, uint64_t value)
{
    step();
    struct net_op *n = &net[nnet++];
    assert_true(nnet < NET_OPS);
    *n = (struct net_op){.var = var, .value = value, .nelems = 1};
    n->op = (struct sim_op){.id = ++op_ids,
                            .origin = pe,
                            .target = target,
                            .kind = kind,
                            .type = type_next,
                            .flags = flags,
                            .ctx = &ctxs[pe][ctx_next],
                            .epoch = epochs[pe][ctx_next],
                            .elem_bytes = type_next == SHMEM_TYPE_int ? 4 : 8,
                            .bytes = 8,
                            .call = {.name = name},
                            .site = (fp_site_t)line};
    ctx_next = 0;
    type_next = SHMEM_TYPE_long;
    return n;
}

static void
tell_issue(struct net_op *n)
{
    struct sim_event event = {
        .kind = SIM_EV_ISSUE, .pe = n->op.origin, .op = &n->op, .name = n->op.call.name, .site = n->op.site};
    if (n->op.flags & SHMEM_OPF_NBI) {
        event.address = n->local;
        event.bytes = 8;
        event.place.region = FP_PRIVATE;
    }
    if (policy != AT_ONCE) { /* else the observer learns of the target with the delivery */
        event.remote = word(n->op.target, n->var);
        event.block_bytes = n->op.type == SHMEM_TYPE_int ? 4 : n->op.bytes;
        event.nblocks = 1;
        if (n->op.kind == SHMEM_OP_PUT && n->op.flags & SHMEM_OPF_SIGNAL)
            event.signal_at = word(n->op.target, n->sig_var);
    }
    emit(event);
}

static void
put_(int line, int pe, int target, int var, uint64_t value, int nelems, uint64_t *source)
{
    struct net_op *n = issue(line, source ? "shmem_long_put_nbi" : "shmem_long_put", pe, target, SHMEM_OP_PUT,
                             source ? SHMEM_OPF_NBI : 0, var, value);
    n->local = source;
    n->nelems = nelems;
    n->op.bytes = 8 * (size_t)nelems;
    n->data_left = true;
    tell_issue(n);
}
#define put(pe, target, var, value) put_(__LINE__, pe, target, var, value, 1, NULL)
#define putn(pe, target, var, value, nelems) put_(__LINE__, pe, target, var, value, nelems, NULL)
#define put_nbi(pe, target, var, source) put_(__LINE__, pe, target, var, 0, 1, source)

static void
returned(struct net_op *n)
{
    deliver(n);
    emit((struct sim_event){
        .kind = SIM_EV_RETURN, .pe = n->op.origin, .op = &n->op, .name = n->op.call.name, .site = n->op.site});
    net_end(n);
}

static void
get_(int line, int pe, int target, int var, uint64_t *dest)
{
    struct net_op *n = issue(line, dest ? "shmem_long_get_nbi" : "shmem_long_get", pe, target, SHMEM_OP_GET,
                             dest ? SHMEM_OPF_NBI : 0, var, 0);
    uint64_t here;
    n->local = dest ? dest : &here;
    n->data_left = true;
    tell_issue(n);
    if (!dest)
        returned(n);
}
#define get(pe, target, var) get_(__LINE__, pe, target, var, NULL)
#define get_nbi(pe, target, var, dest) get_(__LINE__, pe, target, var, dest)

static void
amo_(int line, const char *name, int pe, int target, shmem_amo_t amo, unsigned flags, int var, uint64_t value,
     uint64_t *dest)
{
    struct net_op *n = issue(line, name, pe, target, SHMEM_OP_AMO, flags, var, value);
    n->op.amo = amo;
    n->local = dest;
    n->update_left = true;
    tell_issue(n);
    if (flags & SHMEM_OPF_FETCH && !(flags & SHMEM_OPF_NBI))
        returned(n);
}
#define aset(pe, t, var, v) amo_(__LINE__, "shmem_long_atomic_set", pe, t, SHMEM_AMO_SET, 0, var, v, NULL)
#define aadd(pe, t, var, v) amo_(__LINE__, "shmem_long_atomic_add", pe, t, SHMEM_AMO_ADD, 0, var, v, NULL)
#define ainc(pe, t, var) amo_(__LINE__, "shmem_long_atomic_inc", pe, t, SHMEM_AMO_INC, 0, var, 1, NULL)
#define afetch(pe, t, var)                                                                                             \
    amo_(__LINE__, "shmem_long_atomic_fetch", pe, t, SHMEM_AMO_FETCH, SHMEM_OPF_FETCH, var, 0, NULL)
#define afadd(pe, t, var, v)                                                                                           \
    amo_(__LINE__, "shmem_long_atomic_fetch_add", pe, t, SHMEM_AMO_ADD, SHMEM_OPF_FETCH, var, v, NULL)
#define aswap(pe, t, var, v)                                                                                           \
    amo_(__LINE__, "shmem_long_atomic_swap", pe, t, SHMEM_AMO_SWAP, SHMEM_OPF_FETCH, var, v, NULL)
#define afadd_nbi(pe, t, var, v, dest)                                                                                 \
    amo_(__LINE__, "shmem_long_atomic_fetch_add_nbi", pe, t, SHMEM_AMO_ADD, SHMEM_OPF_FETCH | SHMEM_OPF_NBI, var, v,   \
         dest)
#define signal_set(pe, t, var, v)                                                                                      \
    amo_(__LINE__, "shmemx_signal_set", pe, t, SHMEM_AMO_SET, SHMEM_OPF_SIGNAL, var, v, NULL)

static void
sig_(int line, int pe, int target, int var, uint64_t value, int sig_var, shmem_amo_t op, uint64_t signal,
     uint64_t *source)
{
    struct net_op *n = issue(line, "shmem_long_put_signal", pe, target, SHMEM_OP_PUT,
                             SHMEM_OPF_SIGNAL | (source ? SHMEM_OPF_NBI : 0), var, value);
    n->op.sig_op = op;
    n->sig_var = sig_var;
    n->sig_value = signal;
    n->local = source;
    n->data_left = n->update_left = true;
    tell_issue(n);
}
#define sig_set(pe, t, var, v, s, sv) sig_(__LINE__, pe, t, var, v, s, SHMEM_AMO_SET, sv, NULL)
#define sig_add(pe, t, var, v, s, sv) sig_(__LINE__, pe, t, var, v, s, SHMEM_AMO_ADD, sv, NULL)
#define sig_nbi(pe, t, var, source, s, sv) sig_(__LINE__, pe, t, var, 0, s, SHMEM_AMO_SET, sv, source)

static void
fence_(int line, int pe, int ctx)
{
    step();
    epochs[pe][ctx]++;
    emit((struct sim_event){
        .kind = SIM_EV_FENCE, .pe = pe, .ctx = &ctxs[pe][ctx], .name = "shmem_fence", .site = (fp_site_t)line});
}
#define fence(pe) fence_(__LINE__, pe, 0)
#define ctx_fence(pe, ctx) fence_(__LINE__, pe, ctx)

static void
quiet_(int line, int pe, int ctx, int target)
{
    step();
    for (int i = net_first; i < nnet; i++)
        if (net[i].op.origin == pe && net[i].op.ctx == &ctxs[pe][ctx] && (target < 0 || net[i].op.target == target))
            deliver(&net[i]);
    emit((struct sim_event){.kind = target < 0 ? SIM_EV_QUIET : SIM_EV_PE_QUIET,
                            .pe = pe,
                            .ctx = &ctxs[pe][ctx],
                            .target = target,
                            .name = "shmem_quiet",
                            .site = (fp_site_t)line});
}
#define quiet(pe) quiet_(__LINE__, pe, 0, -1)
#define ctx_quiet(pe, ctx) quiet_(__LINE__, pe, ctx, -1)
#define pe_quiet(pe, target) quiet_(__LINE__, pe, 0, target)

static void
plain_(int line, int pe, int owner, int var, bool store)
{
    step();
    emit((struct sim_event){.kind = store ? SIM_EV_STORE : SIM_EV_LOAD,
                            .pe = pe,
                            .place = place_of(owner, var),
                            .address = word(owner, var),
                            .bytes = 8,
                            .name = store ? "store" : "load",
                            .site = (fp_site_t)line});
}
#define ld(pe, var) plain_(__LINE__, pe, pe, var, false)
static void
st_(int line, int pe, int owner, int var, uint64_t value)
{
    plain_(line, pe, owner, var, true);
    *word(owner, var) = value;
}
#define st(pe, var, value) st_(__LINE__, pe, pe, var, value)
#define stp(pe, owner, var, value) st_(__LINE__, pe, owner, var, value)

static void
private_(int line, int pe, uint64_t *at, bool store, uint64_t value)
{
    step();
    emit((struct sim_event){.kind = store ? SIM_EV_STORE : SIM_EV_LOAD,
                            .pe = pe,
                            .place = {.region = FP_PRIVATE},
                            .address = at,
                            .bytes = 8,
                            .name = store ? "store" : "load",
                            .site = (fp_site_t)line});
    if (store)
        *at = value;
}
#define ldv(pe, at) private_(__LINE__, pe, at, false, 0)
#define stv(pe, at, value) private_(__LINE__, pe, at, true, value)

/* Deliveries are made until the condition holds, then the wait returns. */
static void
wait_(int line, int pe, int var, int cmp, uint64_t value, bool signal, bool seen, shmem_type_t type)
{
    step();
    for (int i = net_first; i < nnet && !fp_compare(SHMEM_TYPE_long, cmp, word(pe, var), &value); i++)
        if (net[i].op.target == pe &&
            (net[i].var == var || (net[i].op.flags & SHMEM_OPF_SIGNAL && net[i].sig_var == var)))
            deliver(&net[i]);
    assert_true(fp_compare(SHMEM_TYPE_long, cmp, word(pe, var), &value));
    struct sim_event event = {.kind = SIM_EV_WAIT,
                              .pe = pe,
                              .place = place_of(pe, var),
                              .address = word(pe, var),
                              .bytes = 8,
                              .type = signal ? SHMEM_TYPE_uint64 : type,
                              .cmp = cmp,
                              .signal = signal,
                              .seen_matters = seen,
                              .name = signal ? "shmem_signal_wait_until" : "shmem_long_wait_until",
                              .site = (fp_site_t)line};
    memcpy(event.value, &value, 8);
    emit(event);
}
#define W(pe, var, value) wait_(__LINE__, pe, var, SHMEM_CMP_EQ, value, false, false, SHMEM_TYPE_long)
#define W_GE(pe, var, value) wait_(__LINE__, pe, var, SHMEM_CMP_GE, value, false, false, SHMEM_TYPE_long)
#define SW(pe, var, value) wait_(__LINE__, pe, var, SHMEM_CMP_EQ, value, true, true, SHMEM_TYPE_long)
#define SW_GE(pe, var, value) wait_(__LINE__, pe, var, SHMEM_CMP_GE, value, true, true, SHMEM_TYPE_long)

static void
sync_(int line, unsigned members, shmem_coll_kind_t kind)
{
    int count = __builtin_popcount(members);
    shmem_coll_t c = {.kind = kind, .team = count == NET_PES ? 0 : 5, .seq = ++seq_now, .call = {.name = "shmem_sync"}};
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < NET_PES; i++)
            if (members >> i & 1) {
                step();
                if (pass == 0 && kind == SHMEM_COLL_BARRIER)
                    quiet_(line, i, 0, -1);
                emit((struct sim_event){.kind = pass ? SIM_EV_SYNC_LEAVE : SIM_EV_SYNC_ENTER,
                                        .pe = i,
                                        .coll = &c,
                                        .members = count,
                                        .name = kind == SHMEM_COLL_BARRIER ? "shmem_barrier_all" : "shmem_sync",
                                        .site = (fp_site_t)line});
            }
}
#define ALL ((1u << NET_PES) - 1)
#define B sync_(__LINE__, ALL, SHMEM_COLL_BARRIER)
#define SYNC sync_(__LINE__, ALL, SHMEM_COLL_SYNC)
#define TS(members) sync_(__LINE__, members, SHMEM_COLL_SYNC)

/* Collectives of PEs 0 and 1: enter and leave are steps; push and pull are what the library does in between. */
static shmem_coll_t coll_now;
static void
coll_(int line, int pe, bool enter)
{
    step();
    emit((struct sim_event){.kind = enter ? SIM_EV_COLL_ENTER : SIM_EV_COLL_LEAVE,
                            .pe = pe,
                            .coll = &coll_now,
                            .members = 2,
                            .root = 0,
                            .name = coll_now.call.name,
                            .site = (fp_site_t)line});
}
#define enter(pe) coll_(__LINE__, pe, true)
#define leave(pe) coll_(__LINE__, pe, false)
static void
coll_start(shmem_coll_kind_t kind)
{
    coll_now = (shmem_coll_t){.kind = kind, .team = 6, .seq = ++seq_now, .nelems = 1, .elem_bytes = 8};
    coll_now.call.name = kind == SHMEM_COLL_BROADCAST ? "shmem_broadcast" : "shmem_sum_reduce";
}
static void
internal_(int line, int pe, int owner, int var, bool write)
{
    struct net_op n = {.op = {.id = ++op_ids,
                              .origin = pe,
                              .target = owner,
                              .kind = write ? SHMEM_OP_PUT : SHMEM_OP_GET,
                              .flags = SHMEM_OPF_INTERNAL,
                              .ctx = &ctxs[pe][1],
                              .elem_bytes = 8,
                              .bytes = 8,
                              .call = coll_now.call,
                              .site = (fp_site_t)line,
                              .coll = coll_now}};
    tell_issue(&n);
    emit(event_at(write ? SIM_EV_WRITE : SIM_EV_READ, &n, owner, var, 8));
    net_end(&n);
}
#define push(pe, owner, var) internal_(__LINE__, pe, owner, var, true)
#define pull(pe, owner, var) internal_(__LINE__, pe, owner, var, false)

static void
lock_(int line, int pe, bool set)
{
    step();
    if (!set)
        quiet_(line, pe, 0, -1);
    emit((struct sim_event){.kind = set ? SIM_EV_LOCK_SET : SIM_EV_LOCK_CLEAR,
                            .pe = pe,
                            .place = place_of(pe, LOCK),
                            .address = word(pe, LOCK),
                            .name = set ? "shmem_set_lock" : "shmem_clear_lock",
                            .site = (fp_site_t)line});
}
#define lock_set(pe) lock_(__LINE__, pe, true)
#define lock_clear(pe) lock_(__LINE__, pe, false)

static void
block_(int line, int pe, int var, bool born)
{
    emit((struct sim_event){.kind = born ? SIM_EV_BORN : SIM_EV_DIED,
                            .pe = pe,
                            .place = place_of(pe, var),
                            .address = word(pe, var),
                            .bytes = 8,
                            .name = born ? "shmem_malloc" : "shmem_free",
                            .site = (fp_site_t)line});
}
#define born(pe, var) block_(__LINE__, pe, var, true)
#define died(pe, var) block_(__LINE__, pe, var, false)

#endif
