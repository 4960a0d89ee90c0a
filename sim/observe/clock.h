/* clock.h -- what a PE knows to have happened: the happens-before relation, as values.
 *
 * For each PE p knowledge holds two event numbers: `po`, up to which p's program order is known (its loads,
 * completed gets, and whatever a quiet of p completed before), and `vis`, up to which p's plain stores are known to
 * be visible (H15). Two kinds of sparse facts go beyond: LANE, every covered operation of (p, context, target)
 * issued before a fence is delivered (H7), and OP, one operation's effect at its target is known (it was read from).
 * A fact that `po` already implies is dropped.
 *
 * Knowledge is shared by reference and copied when changed: an operation keeps what its PE knew at the issue by one
 * increment. PEs are grouped in chunks of 16, shared too, so that 1,024 PEs that know little cost little.
 */
#ifndef SIM_OBSERVE_CLOCK_H
#define SIM_OBSERVE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define CLOCK_CHUNK 16

struct clock_chunk {
    uint32_t refs;
    uint64_t po[CLOCK_CHUNK], vis[CLOCK_CHUNK];
};

/* One fence: what it covers is what (pe, ctx) issued before event `clock` of the PE. `done` is the first quiet
 * behind it, or 0. */
struct race_fence {
    uint32_t refs;
    int pe;
    uint32_t ctx;
    bool nostore;
    uint64_t clock, done;
    struct race_fence *next; /* fences of the context that no quiet has followed yet */
};

/* No context: the "fence" is a pe_quiet, which makes stores into the memory of its target visible. */
#define RACE_CTX_PE_QUIET 0x3fffffffu

struct race_op;

/* Sorted by key; the key's top bit tells a fence (0) from an operation (1). */
struct clock_fact {
    uint64_t key;
    void *of;
};
struct clock_facts {
    uint32_t refs, n, pruned_n; /* pruned_n: how many were left when last pruned */
    struct clock_fact at[];
};

struct clock {
    uint32_t refs;
    struct clock_facts *facts;
    struct clock_chunk *chunks[];
};

/* Allocation for a run of npes PEs. */
struct clock_pool {
    int npes, nchunks;
    struct clock *free_clocks;
    struct clock_chunk *free_chunks;
};

void clock_pool_open(struct clock_pool *pool, int npes);
void clock_pool_close(struct clock_pool *pool);

struct clock *clock_new(struct clock_pool *pool);
static inline struct clock *
clock_ref(struct clock *clock)
{
    clock->refs++;
    return clock;
}
void clock_drop(struct clock_pool *pool, struct clock *clock);

static inline uint64_t
clock_po(const struct clock *clock, int pe)
{
    const struct clock_chunk *chunk = clock->chunks[pe / CLOCK_CHUNK];
    return chunk ? chunk->po[pe % CLOCK_CHUNK] : 0;
}
static inline uint64_t
clock_vis(const struct clock *clock, int pe)
{
    const struct clock_chunk *chunk = clock->chunks[pe / CLOCK_CHUNK];
    return chunk ? chunk->vis[pe % CLOCK_CHUNK] : 0;
}
/* The latest fence of (pe, ctx) behind which something to `target` is known delivered; NULL if none. */
const struct race_fence *clock_lane(const struct clock *clock, int pe, uint32_t ctx, int target);
/* Whether a pe_quiet or (fences) a fence after event `clock` of the PE, on a context without NOSTORE, is known to have
 * taken effect at `target`. */
bool clock_stores_fenced(const struct clock *clock, int pe, int target, uint64_t event, bool fences);
bool clock_has_op(const struct clock *clock, const struct race_op *op);

/* Each of these changes *clock, copying it first if it is shared. */
void clock_raise(struct clock_pool *pool, struct clock **clock, int pe, uint64_t po, uint64_t vis);
void clock_join(struct clock_pool *pool, struct clock **clock, const struct clock *other);
void clock_add_lane(struct clock_pool *pool, struct clock **clock, struct race_fence *fence, int target);
void clock_add_op(struct clock_pool *pool, struct clock **clock, struct race_op *op);
/* Drops facts that po implies (self_po for PE self, whose own entries are not kept), if enough have gathered. */
void clock_prune(struct clock_pool *pool, struct clock **clock, int self, uint64_t self_po);

void fence_drop(struct race_fence *fence);

#endif
