/* clock.c -- knowledge: shared, immutable where shared, joined and pruned. */
#include "sim/observe/clock.h"

#include <stdlib.h>
#include <string.h>

#include "sim/observe/race.h"

#define KEY_OP (UINT64_C(1) << 63)
#define FEW_FACTS 16

/* ---- Allocation ------------------------------------------------------------------------------------------------- */

void
clock_pool_open(struct clock_pool *pool, int npes)
{
    pool->npes = npes;
    pool->nchunks = (npes + CLOCK_CHUNK - 1) / CLOCK_CHUNK;
    pool->free_clocks = NULL;
    pool->free_chunks = NULL;
}

/* Free clocks are linked through facts, free chunks through po[0]: both are overwritten when taken. */
void
clock_pool_close(struct clock_pool *pool)
{
    for (struct clock *c = pool->free_clocks, *next; c; c = next) {
        next = (struct clock *)c->facts;
        free(c);
    }
    for (struct clock_chunk *c = pool->free_chunks, *next; c; c = next) {
        memcpy(&next, c->po, sizeof next);
        free(c);
    }
}

struct clock *
clock_new(struct clock_pool *pool)
{
    size_t bytes = sizeof(struct clock) + (size_t)pool->nchunks * sizeof(struct clock_chunk *);
    struct clock *clock = pool->free_clocks;

    if (clock)
        pool->free_clocks = (struct clock *)clock->facts;
    else
        clock = race_alloc(bytes);
    memset(clock, 0, bytes);
    clock->refs = 1;
    return clock;
}

static struct clock_chunk *
chunk_new(struct clock_pool *pool)
{
    struct clock_chunk *chunk = pool->free_chunks;

    if (chunk)
        memcpy(&pool->free_chunks, chunk->po, sizeof pool->free_chunks);
    else
        chunk = race_alloc(sizeof *chunk);
    chunk->refs = 1;
    return chunk;
}

static void
chunk_drop(struct clock_pool *pool, struct clock_chunk *chunk)
{
    if (!chunk || --chunk->refs > 0)
        return;
    memcpy(chunk->po, &pool->free_chunks, sizeof pool->free_chunks);
    pool->free_chunks = chunk;
}

void
fence_drop(struct race_fence *fence)
{
    if (fence && --fence->refs == 0)
        free(fence);
}

static void
fact_ref(const struct clock_fact *fact)
{
    if (fact->key & KEY_OP)
        ((struct race_op *)fact->of)->refs++;
    else
        ((struct race_fence *)fact->of)->refs++;
}

static void
fact_drop(const struct clock_fact *fact)
{
    if (fact->key & KEY_OP)
        race_op_drop(fact->of);
    else
        fence_drop(fact->of);
}

static struct clock_facts *
facts_new(size_t room)
{
    struct clock_facts *facts = race_alloc(sizeof *facts + room * sizeof *facts->at);
    facts->refs = 1;
    facts->n = 0;
    facts->pruned_n = 0;
    return facts;
}

static void
facts_drop(struct clock_facts *facts)
{
    if (!facts || --facts->refs > 0)
        return;
    for (uint32_t i = 0; i < facts->n; i++)
        fact_drop(&facts->at[i]);
    free(facts);
}

void
clock_drop(struct clock_pool *pool, struct clock *clock)
{
    if (!clock || --clock->refs > 0)
        return;
    /* Dropping facts may free operations, which drop clocks in turn: the clock must be off before that. */
    struct clock_facts *facts = clock->facts;
    for (int i = 0; i < pool->nchunks; i++)
        chunk_drop(pool, clock->chunks[i]);
    clock->facts = (struct clock_facts *)pool->free_clocks;
    pool->free_clocks = clock;
    facts_drop(facts);
}

/* Makes *clock the caller's alone. */
static struct clock *
clock_own(struct clock_pool *pool, struct clock **clock)
{
    struct clock *old = *clock;
    if (old->refs == 1)
        return old;
    struct clock *own = clock_new(pool);
    for (int i = 0; i < pool->nchunks; i++)
        if ((own->chunks[i] = old->chunks[i]))
            own->chunks[i]->refs++;
    if ((own->facts = old->facts))
        own->facts->refs++;
    old->refs--;
    return *clock = own;
}

static struct clock_chunk *
chunk_own(struct clock_pool *pool, struct clock *clock, int i)
{
    struct clock_chunk *old = clock->chunks[i];
    if (old && old->refs == 1)
        return old;
    struct clock_chunk *own = chunk_new(pool);
    if (old) {
        memcpy(own->po, old->po, sizeof own->po);
        memcpy(own->vis, old->vis, sizeof own->vis);
        old->refs--;
    } else {
        memset(own->po, 0, sizeof own->po);
        memset(own->vis, 0, sizeof own->vis);
    }
    return clock->chunks[i] = own;
}

/* ---- Event numbers ---------------------------------------------------------------------------------------------- */

void
clock_raise(struct clock_pool *pool, struct clock **clock, int pe, uint64_t po, uint64_t vis)
{
    if (clock_po(*clock, pe) >= po && clock_vis(*clock, pe) >= vis)
        return;
    struct clock_chunk *chunk = chunk_own(pool, clock_own(pool, clock), pe / CLOCK_CHUNK);
    int i = pe % CLOCK_CHUNK;
    if (chunk->po[i] < po)
        chunk->po[i] = po;
    if (chunk->vis[i] < vis)
        chunk->vis[i] = vis;
}

static bool
chunk_covers(const struct clock_chunk *a, const struct clock_chunk *b)
{
    if (!b || a == b)
        return true;
    if (!a)
        return false;
    unsigned less = 0;
    for (int i = 0; i < CLOCK_CHUNK; i++)
        less |= (a->po[i] < b->po[i]) | (a->vis[i] < b->vis[i]);
    return !less;
}

static void
chunk_join(struct clock_pool *pool, struct clock **clock, int i, struct clock_chunk *other)
{
    if (chunk_covers((*clock)->chunks[i], other))
        return;
    struct clock *own = clock_own(pool, clock);
    if (chunk_covers(other, own->chunks[i])) {
        chunk_drop(pool, own->chunks[i]);
        own->chunks[i] = other;
        other->refs++;
        return;
    }
    struct clock_chunk *chunk = chunk_own(pool, own, i);
    for (int k = 0; k < CLOCK_CHUNK; k++) {
        chunk->po[k] = chunk->po[k] > other->po[k] ? chunk->po[k] : other->po[k];
        chunk->vis[k] = chunk->vis[k] > other->vis[k] ? chunk->vis[k] : other->vis[k];
    }
}

/* ---- Facts ------------------------------------------------------------------------------------------------------ */

static uint64_t
lane_key(int pe, uint32_t ctx, int target)
{
    return (uint64_t)(pe & 0xffff) << 46 | (uint64_t)(ctx & 0x3fffffff) << 16 | (uint64_t)(target & 0xffff);
}

static const struct clock_fact *
fact_find(const struct clock_facts *facts, uint64_t key)
{
    if (!facts)
        return NULL;
    uint32_t lo = 0, hi = facts->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (facts->at[mid].key < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < facts->n && facts->at[lo].key == key ? &facts->at[lo] : NULL;
}

const struct race_fence *
clock_lane(const struct clock *clock, int pe, uint32_t ctx, int target)
{
    const struct clock_fact *fact = fact_find(clock->facts, lane_key(pe, ctx, target));
    return fact ? fact->of : NULL;
}

bool
clock_stores_fenced(const struct clock *clock, int pe, int target, uint64_t event, bool fences)
{
    const struct clock_facts *facts = clock->facts;
    for (uint32_t i = 0; facts && i < facts->n && !(facts->at[i].key & KEY_OP); i++) {
        const struct race_fence *fence = facts->at[i].of;
        if (fence->pe == pe && (int)(facts->at[i].key & 0xffff) == target && !fence->nostore && event <= fence->clock &&
            (fences || fence->ctx == RACE_CTX_PE_QUIET))
            return true;
    }
    return false;
}

bool
clock_has_op(const struct clock *clock, const struct race_op *op)
{
    return fact_find(clock->facts, KEY_OP | op->id) != NULL;
}

/* Two facts of one key: the later fence says more; an operation is an operation. */
static const struct clock_fact *
stronger(const struct clock_fact *a, const struct clock_fact *b)
{
    if (a->key & KEY_OP)
        return a;
    return ((struct race_fence *)a->of)->clock >= ((struct race_fence *)b->of)->clock ? a : b;
}

/* Whether `a` has every fact of `b`. */
static bool
facts_cover(const struct clock_facts *a, const struct clock_facts *b)
{
    if (!b || b->n == 0 || a == b)
        return true;
    if (!a || a->n < b->n)
        return false;
    for (uint32_t i = 0, k = 0; i < b->n; i++) {
        while (k < a->n && a->at[k].key < b->at[i].key)
            k++;
        if (k == a->n || a->at[k].key != b->at[i].key || stronger(&a->at[k], &b->at[i])->of != a->at[k].of)
            return false;
    }
    return true;
}

/* Merges `n` sorted facts into the clock's. */
static void
facts_merge(struct clock_pool *pool, struct clock **clock, const struct clock_fact *more, uint32_t n)
{
    struct clock *own = clock_own(pool, clock);
    struct clock_facts *old = own->facts, *facts = facts_new((old ? old->n : 0) + n);
    uint32_t i = 0, k = 0, old_n = old ? old->n : 0;

    while (i < old_n || k < n) {
        const struct clock_fact *pick;
        if (k == n || (i < old_n && old->at[i].key < more[k].key)) {
            pick = &old->at[i++];
        } else if (i == old_n || more[k].key < old->at[i].key) {
            pick = &more[k++];
        } else {
            pick = stronger(&old->at[i], &more[k]);
            i++, k++;
        }
        fact_ref(pick);
        facts->at[facts->n++] = *pick;
    }
    facts->pruned_n = old ? old->pruned_n : 0;
    own->facts = facts;
    facts_drop(old);
}

void
clock_join(struct clock_pool *pool, struct clock **clock, const struct clock *other)
{
    if (*clock == other)
        return;
    for (int i = 0; i < pool->nchunks; i++)
        chunk_join(pool, clock, i, other->chunks[i]);
    if (facts_cover((*clock)->facts, other->facts))
        return;
    if (facts_cover(other->facts, (*clock)->facts)) {
        struct clock *own = clock_own(pool, clock);
        struct clock_facts *old = own->facts;
        own->facts = other->facts;
        own->facts->refs++;
        facts_drop(old);
        return;
    }
    facts_merge(pool, clock, other->facts->at, other->facts->n);
}

void
clock_add_lane(struct clock_pool *pool, struct clock **clock, struct race_fence *fence, int target)
{
    struct clock_fact fact = {lane_key(fence->pe, fence->ctx, target), fence};
    const struct clock_fact *had = fact_find((*clock)->facts, fact.key);
    if (had && stronger(had, &fact)->of == had->of)
        return;
    facts_merge(pool, clock, &fact, 1);
}

void
clock_add_op(struct clock_pool *pool, struct clock **clock, struct race_op *op)
{
    struct clock_fact fact = {KEY_OP | op->id, op};
    if (!fact_find((*clock)->facts, fact.key))
        facts_merge(pool, clock, &fact, 1);
}

/* Whether nobody can need the fact any more, given who knows it. */
static bool
fact_stale(const struct clock *clock, const struct clock_fact *fact, int self, uint64_t self_po)
{
    int pe;
    uint64_t done;

    if (fact->key & KEY_OP) {
        const struct race_op *op = fact->of;
        if (op->forgotten && op->uses == 0)
            return true;
        pe = op->origin, done = op->done;
        const struct race_fence *lane = clock_lane(clock, pe, op->ctx, op->target);
        if (lane && op->iss < lane->clock && op->covered)
            return true;
    } else {
        const struct race_fence *fence = fact->of;
        pe = fence->pe, done = fence->done;
    }
    return done && (pe == self ? self_po : clock_po(clock, pe)) >= done;
}

void
clock_prune(struct clock_pool *pool, struct clock **clock, int self, uint64_t self_po)
{
    const struct clock_facts *facts = (*clock)->facts;
    if (!facts || facts->n <= 2 * facts->pruned_n + FEW_FACTS)
        return;
    struct clock_facts *kept = facts_new(facts->n);
    for (uint32_t i = 0; i < facts->n; i++) {
        if (fact_stale(*clock, &facts->at[i], self, self_po))
            continue;
        fact_ref(&facts->at[i]);
        kept->at[kept->n++] = facts->at[i];
    }
    kept->pruned_n = kept->n;
    struct clock *own = clock_own(pool, clock);
    struct clock_facts *old = own->facts;
    own->facts = kept;
    facts_drop(old);
}
