/* heap.c -- the collective heap routines (semantics 3.1).
 *
 * Each PE numbers its own heap calls. Call number k is decided under a lock by the PE that gets there first; the others
 * read the decision and apply it to their own copy: open pages, fill, copy, close. When a decision may take effect
 * follows from the barrier of the call: an allocation decides before its (exit) barrier, since nobody can know the
 * block yet; free and realloc decide after their entry barrier, since until then other PEs may use the block.
 */
#include "reference/heap/heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "reference/check/check.h"
#include "reference/heap/heap_state.h"

/* --- opening and closing -------------------------------------------------------------------------------------------
 */

static void
live_map_open(struct fp_job *job)
{
    struct fp_heap *heap = job->heap;
    heap->live_bytes = job->stride / FP_GRANULE;
    heap->live =
        mmap(NULL, heap->live_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (heap->live == MAP_FAILED)
        fp_env_fail("cannot reserve %zu bytes of address space for the map of live blocks", heap->live_bytes);
    job->heap_live = heap->live;
}

static struct fp_allocator *
open_allocator(struct fp_job *job)
{
    struct fp_heap *heap = job->heap;
    /* Memory of a device is too scarce for freed blocks to keep theirs. */
    bool quarantine = job->config.check && !job->memory;
    struct fp_allocator_config c = {.limit = job->config.heap_bytes, .check = quarantine};
    c.begin = (fp_heap_internal_bytes(job->npes) + FP_HEAP_PAGE - 1) & ~(FP_HEAP_PAGE - 1);
    c.end = job->stride - FP_HEAP_PAGE;
    c.page_blocks_max = heap->arena.page_blocks_max;
    c.middle = c.page_blocks_max ? job->stride / 2 : c.begin;
    fp_arena_set_packed(&heap->arena, c.middle, c.end);
    return fp_allocator_open(&c);
}

int
fp_heap_open(struct fp_job *job)
{
    struct fp_heap *heap = calloc(1, sizeof *heap);
    if (!heap || !(heap->calls = calloc((size_t)job->npes, sizeof *heap->calls)))
        fp_env_fail("out of memory");
    pthread_mutex_init(&heap->lock, NULL);
    fp_pattern_open(&heap->pattern, job->config.seed);
    job->heap = heap;
    if (fp_arena_open(&heap->arena, job) != 0)
        goto failed;
    if (job->config.heap && !strcmp(job->config.heap, "device") && fp_heap_window_open(job) != 0)
        goto failed;
    heap->allocator = open_allocator(job);
    if (!heap->allocator) {
        fprintf(stderr, "fencepost: cannot reserve address space for the tables of the symmetric heap\n");
        goto failed;
    }
    if (job->config.check)
        live_map_open(job);
    return 0;
failed:
    fp_heap_close(job);
    return -1;
}

void
fp_heap_close(struct fp_job *job)
{
    struct fp_heap *heap = job->heap;
    if (!heap)
        return;
    if (heap->allocator)
        fp_allocator_close(heap->allocator);
    if (heap->live)
        munmap(heap->live, heap->live_bytes);
    fp_heap_window_close(job);
    fp_arena_close(&heap->arena);
    fp_pattern_close(&heap->pattern);
    pthread_mutex_destroy(&heap->lock);
    free(heap->segments);
    free(heap->calls);
    free(heap);
    job->heap = NULL;
    job->heap_live = NULL;
    job->arena = NULL;
    job->arena_bytes = 0;
}

/* --- another run -----------------------------------------------------------------------------------------------------
 */

#define ZERO_BY_HAND ((uint64_t)1 << 18) /* more than this is given back to the kernel instead */

/* `from` is the start of a page. */
static void
zero(char *from, uint64_t bytes)
{
    uint64_t pages = bytes & ~(FP_HEAP_PAGE - 1);
    if (bytes > ZERO_BY_HAND && madvise(from, pages, MADV_DONTNEED) == 0)
        memset(from + pages, 0, bytes - pages);
    else
        memset(from, 0, bytes);
}

/* Blocks in the page zone that nobody freed. */
static void
close_block(const struct fp_block *block, void *argument)
{
    struct fp_job *job = argument;
    struct fp_heap *heap = job->heap;
    enum fp_zone zone = fp_allocator_zone(heap->allocator, block->offset);
    memset(heap->live + block->offset / FP_GRANULE, 0, (block->bytes + FP_GRANULE - 1) / FP_GRANULE);
    for (int i = 0; i < job->npes; i++)
        fp_arena_block_close(&heap->arena, &job->pes[i], block, zone);
}

bool
fp_heap_again(struct fp_job *job)
{
    struct fp_heap *heap = job->heap;
    if (heap->exposed || heap->pattern.fd >= 0 || job->window_bytes || job->memory)
        return false;
    if (job->config.check)
        fp_heap_each_live(job, close_block, job);
    uint64_t begin = heap->arena.packed_begin, high = fp_allocator_high(heap->allocator, FP_ZONE_PACKED);
    for (int i = 0; i < job->npes; i++) {
        if (job->internal_used)
            memset(job->pes[i].heap_base, 0, fp_heap_internal_bytes(job->npes));
        if (high > begin && (heap->arena.flat || heap->arena.packed_open[i]))
            zero(job->pes[i].heap_base + begin, high - begin);
    }
    job->internal_used = false;
    fp_allocator_reset(heap->allocator);
    memset(heap->decisions, 0, sizeof heap->decisions);
    memset(heap->calls, 0, (size_t)job->npes * sizeof *heap->calls);
    heap->decided = 0;
    heap->failed = false;
    fp_pattern_open(&heap->pattern, job->config.seed);
    return true;
}

/* --- questions -----------------------------------------------------------------------------------------------------
 */

const struct fp_block *
fp_heap_find(const struct fp_job *job, uint64_t offset)
{
    return fp_allocator_find(job->heap->allocator, offset);
}

void
fp_heap_usage(const struct fp_job *job, uint64_t *live, uint64_t *peak, uint64_t *limit)
{
    pthread_mutex_lock(&job->heap->lock);
    fp_allocator_usage(job->heap->allocator, live, peak);
    pthread_mutex_unlock(&job->heap->lock);
    *limit = job->config.heap_bytes;
}

bool
fp_heap_failed(const struct fp_job *job, shmem_call_t *call, uint64_t *bytes)
{
    pthread_mutex_lock(&job->heap->lock);
    bool failed = job->heap->failed;
    *call = job->heap->failed_call;
    *bytes = job->heap->failed_bytes;
    pthread_mutex_unlock(&job->heap->lock);
    return failed;
}

void
fp_heap_each_live(const struct fp_job *job, void (*f)(const struct fp_block *block, void *arg), void *arg)
{
    for (struct fp_block *b = fp_allocator_next_live(job->heap->allocator, 0); b;
         b = fp_allocator_next_live(job->heap->allocator, b->offset + b->span))
        f(b, arg);
}

bool
fp_heap_expose(struct fp_job *job, const void *address, size_t bytes)
{
    uint64_t at = (uint64_t)((const char *)address - job->arena);
    job->heap->exposed = true;
    return fp_arena_expose(&job->heap->arena, &job->pes[at >> job->stride_shift], at & (job->stride - 1), bytes);
}

/* --- deciding: the heap's lock is held -------------------------------------------------------------------------------
 */

/* The decision that the calling PE has to follow; *first: it has to be made now. */
static struct fp_decision *
decision_enter(struct fp_pe *pe, bool *first)
{
    struct fp_heap *heap = pe->job->heap;
    uint64_t call = heap->calls[pe->rank]++;
    struct fp_decision *d = &heap->decisions[call % FP_DECISIONS];
    *first = call == heap->decided;
    if (*first) {
        FP_ASSERT(d->readers_left == 0);
        heap->decided++;
        *d = (struct fp_decision){.call = call, .readers_left = pe->job->npes};
    }
    FP_ASSERT(d->call == call);
    FP_ASSERT(d->readers_left > 0);
    d->readers_left--;
    return d;
}

static void
live_map_set(struct fp_heap *heap, const struct fp_block *block, bool live)
{
    if (!heap->live)
        return;
    unsigned char *map = heap->live + block->offset / FP_GRANULE;
    memset(map, live ? FP_GRANULE : 0, block->bytes / FP_GRANULE);
    if (block->bytes % FP_GRANULE)
        map[block->bytes / FP_GRANULE] = live ? block->bytes % FP_GRANULE : 0;
}

/* --fail-alloc: whether this allocation call is the one that has to fail. */
static bool
fails_on_purpose(struct fp_job *job, uint64_t bytes, const shmem_call_t *call)
{
    struct fp_heap *heap = job->heap;
    if (++heap->allocation_calls != job->config.fail_alloc)
        return false;
    heap->failed = true;
    heap->failed_call = *call;
    heap->failed_bytes = bytes;
    return true;
}

static struct fp_block *
decide_birth(struct fp_pe *pe, uint64_t bytes, uint64_t align, long hints, const struct fp_block *replaces,
             const shmem_call_t *call)
{
    struct fp_heap *heap = pe->job->heap;
    struct fp_block *block = fp_allocator_take(heap->allocator, bytes, align, replaces);
    if (!block) {
        heap->failed = true;
        heap->failed_call = *call;
        heap->failed_bytes = bytes;
        return NULL;
    }
    block->born_call = *call;
    block->born_pe = pe->rank;
    block->hints = hints;
    block->align = align;
    live_map_set(heap, block, true);
    if (heap->arena.page_blocks_max && fp_allocator_crowded(heap->allocator))
        fp_job_unseen(pe->job, "page protection of some freed blocks (too many blocks for it)");
    return block;
}

static void
decide_death(struct fp_pe *pe, struct fp_decision *d, struct fp_block *block, enum fp_block_state state,
             const shmem_call_t *call)
{
    struct fp_heap *heap = pe->job->heap;
    block->died_call = *call;
    block->died_pe = pe->rank;
    d->died = *block;
    live_map_set(heap, block, false);
    fp_allocator_release(heap->allocator, block, state);
}

/* --- a PE's own copy -------------------------------------------------------------------------------------------------
 */

/* Fresh contents of a block in check mode. `own_pages`: no other block shares a page with it. */
static void
fill(struct fp_pe *pe, const struct fp_block *block, bool own_pages)
{
    struct fp_heap *heap = pe->job->heap;
    char *at = pe->heap_base + block->offset;
    if (own_pages && block->bytes >= FP_PATTERN_MAP_BYTES) {
        pthread_mutex_lock(&heap->lock);
        bool ready = fp_pattern_prepare(&heap->pattern);
        pthread_mutex_unlock(&heap->lock);
        if (ready && fp_pattern_map(&heap->pattern, at, block->bytes))
            return;
    }
    fp_pattern_fill(&heap->pattern, pe->rank, at, block->bytes);
}

static void
copy_opens(struct fp_pe *pe, const struct fp_block *block, bool zero, const shmem_call_t *call)
{
    struct fp_job *job = pe->job;
    struct fp_heap *heap = job->heap;
    enum fp_zone zone = fp_allocator_zone(heap->allocator, block->offset);
    fp_arena_block_open(&heap->arena, pe, block, zone);
    if (job->memory && zero)
        job->memory->zero(pe, pe->heap_base + block->offset, block->bytes);
    else if (job->memory)
        ; /* what a new block contains is left to chance, as on any GPU */
    else if (!zero && job->config.check)
        fill(pe, block, zone == FP_ZONE_PAGE);
    else if (zero && (zone == FP_ZONE_PACKED || heap->exposed)) /* pages of its own come from the kernel as zeros */
        memset(pe->heap_base + block->offset, 0, block->bytes);
    job->backend->block_born(pe, block->offset, block->bytes, call);
}

static void
copy_closes(struct fp_pe *pe, const struct fp_block *block, const shmem_call_t *call)
{
    struct fp_heap *heap = pe->job->heap;
    enum fp_zone zone = fp_allocator_zone(heap->allocator, block->offset);
    pe->job->backend->block_died(pe, block->offset, block->bytes, call);
    if (!pe->job->config.check || pe->job->memory)
        return;
    if (zone == FP_ZONE_PACKED)
        fp_pattern_fill(&heap->pattern, pe->rank, pe->heap_base + block->offset, block->bytes);
    fp_arena_block_close(&heap->arena, pe, block, zone);
}

/* What the program gets. */
static void *
public_address(const struct fp_pe *pe, const struct fp_block *block)
{
    return block->id ? (pe->job->window_bytes ? pe->job->window : pe->heap_base) + block->offset : NULL;
}

/* --- the calls -------------------------------------------------------------------------------------------------------
 */

static void
quiet_and_sync(struct fp_pe *pe, const shmem_coll_t *c)
{
    const shmem_backend_t *backend = pe->job->backend;
    backend->quiet(pe->ctxs[0], &c->call);
    backend->sync(c);
}

static void *
allocate(shmem_coll_t c, uint64_t bytes, uint64_t align, bool possible)
{
    struct fp_pe *pe = fp_self;
    struct fp_heap *heap = pe->job->heap;
    if (!fp_match_enter(pe->job, &c))
        return NULL;
    pthread_mutex_lock(&heap->lock);
    bool first;
    struct fp_decision *d = decision_enter(pe, &first);
    possible = possible && !(first && fails_on_purpose(pe->job, bytes, &c.call));
    struct fp_block *made = first && possible ? decide_birth(pe, bytes, align, c.hints, NULL, &c.call) : NULL;
    if (made)
        d->born = *made;
    struct fp_block block = d->born;
    pthread_mutex_unlock(&heap->lock);
    if (block.id)
        copy_opens(pe, &block, c.kind == SHMEM_COLL_CALLOC, &c.call);
    quiet_and_sync(pe, &c);
    return public_address(pe, &block);
}

/* An allocation of no bytes. */
static void *
nothing(const shmem_call_t *call)
{
    fp_match_skipped(fp_self->job, false, call);
    return NULL;
}

void *
fp_heap_malloc(size_t bytes, long hints, shmem_call_t call)
{
    if (bytes == 0)
        return nothing(&call);
    return allocate((shmem_coll_t){.kind = SHMEM_COLL_MALLOC, .nelems = bytes, .hints = hints, .call = call}, bytes, 1,
                    true);
}

void *
fp_heap_calloc(size_t count, size_t size, shmem_call_t call)
{
    size_t bytes;
    if (count == 0 || size == 0)
        return nothing(&call);
    bool fits = !__builtin_mul_overflow(count, size, &bytes);
    if (!fits)
        fp_heap_report_overflow(fp_self, count, size, &call);
    shmem_coll_t c = {.kind = SHMEM_COLL_CALLOC, .nelems = count, .elem_bytes = size, .call = call};
    return allocate(c, fits ? bytes : 0, 1, fits);
}

void *
fp_heap_align(size_t alignment, size_t bytes, shmem_call_t call)
{
    if (bytes == 0)
        return nothing(&call);
    bool valid = alignment && (alignment & (alignment - 1)) == 0 && alignment % sizeof(void *) == 0;
    if (!valid)
        fp_heap_report_align(fp_self, alignment, &call);
    shmem_coll_t c = {.kind = SHMEM_COLL_ALIGN, .nelems = bytes, .align = alignment, .call = call};
    return allocate(c, bytes, alignment, valid);
}

/* The live block that begins at `pointer`, or NULL and what is wrong. The lock is held. */
static struct fp_block *
named_block(const struct fp_job *job, const void *pointer, enum fp_pointer_fault *fault, struct fp_block **concerned)
{
    struct fp_place place = fp_place_of(job, pointer);
    *fault = FP_POINTER_NOT_HEAP;
    *concerned = NULL;
    if (place.region != FP_HEAP)
        return NULL;
    struct fp_block *block = *concerned = fp_allocator_find(job->heap->allocator, place.offset);
    if (!block || place.offset - block->offset >= block->bytes)
        *fault = FP_POINTER_NO_BLOCK;
    else if (block->state != FP_BLOCK_LIVE)
        *fault = FP_POINTER_DEAD;
    else
        *fault = block->offset == place.offset ? FP_POINTER_FINE : FP_POINTER_INTERIOR;
    return *fault == FP_POINTER_FINE ? block : NULL;
}

/* A pointer into another PE's heap names the right block by its offset, so the call goes on; but it is this PE's
 * mistake. */
static void
judge_own(struct fp_pe *pe, const void *pointer, int kind, const shmem_call_t *call)
{
    struct fp_place place = fp_place_of(pe->job, pointer);
    if (place.region == FP_HEAP && place.pe != pe->rank)
        fp_heap_report_pointer(pe, FP_POINTER_FOREIGN, pointer, fp_heap_find(pe->job, place.offset), kind, call);
}

void
fp_heap_free(void *pointer, shmem_call_t call)
{
    struct fp_pe *pe = fp_self;
    struct fp_heap *heap = pe->job->heap;
    shmem_coll_t c = {.kind = SHMEM_COLL_FREE, .dest = pointer, .call = call};
    if (!pointer)
        fp_match_skipped(pe->job, true, &call);
    if (!pointer || !fp_match_enter(pe->job, &c))
        return;
    judge_own(pe, pointer, FP_FREE, &call);
    quiet_and_sync(pe, &c);

    enum fp_pointer_fault fault = FP_POINTER_FINE;
    struct fp_block *concerned = NULL, *block;
    bool first;
    pthread_mutex_lock(&heap->lock);
    struct fp_decision *d = decision_enter(pe, &first);
    if (first && (block = named_block(pe->job, pointer, &fault, &concerned)))
        decide_death(pe, d, block, FP_BLOCK_FREED, &call);
    struct fp_block died = d->died;
    pthread_mutex_unlock(&heap->lock);

    if (fault != FP_POINTER_FINE)
        fp_heap_report_pointer(pe, fault, pointer, concerned, FP_FREE, &call);
    if (died.id)
        copy_closes(pe, &died, &call);
}

/* The decision of a realloc, made by the first PE after the entry barrier. */
static void
decide_realloc(struct fp_pe *pe, struct fp_decision *d, struct fp_block *old, uint64_t bytes, const shmem_call_t *call)
{
    struct fp_block *new;
    if (bytes == 0) {
        decide_death(pe, d, old, FP_BLOCK_FREED, call);
    } else if (fails_on_purpose(pe->job, bytes, call)) {
        return;
    } else if (fp_allocator_resize(pe->job->heap->allocator, old, bytes)) {
        d->born = *old;
        d->resized = true;
    } else if ((new = decide_birth(pe, bytes, 1, old->hints, old, call))) {
        d->born = *new;
        decide_death(pe, d, old, FP_BLOCK_MOVED, call);
    }
}

/* Moves the calling PE's own copy. The bytes that are kept are told as a load and a store, so that what was never
 * written stays the only thing without contents. */
static void
copy_moves(struct fp_pe *pe, const struct fp_block *from, const struct fp_block *to, const shmem_call_t *call)
{
    const shmem_backend_t *backend = pe->job->backend;
    char *old = pe->heap_base + from->offset, *new = pe->heap_base + to->offset;
    size_t kept = from->bytes < to->bytes ? from->bytes : to->bytes;
    copy_opens(pe, to, false, call);
    if (pe->job->memory)
        pe->job->memory->copy(pe, new, old, kept);
    else
        memcpy(new, old, kept);
    if (backend->access) {
        backend->access(old, kept, false, call->name, call->site);
        backend->access(new, kept, true, call->name, call->site);
    }
}

void *
fp_heap_realloc(void *pointer, size_t bytes, shmem_call_t call)
{
    struct fp_pe *pe = fp_self;
    struct fp_heap *heap = pe->job->heap;
    shmem_coll_t c = {.kind = SHMEM_COLL_REALLOC, .dest = pointer, .nelems = bytes, .call = call};
    if (!pointer)
        return bytes ? allocate(c, bytes, 1, true) : nothing(&call);
    if (!fp_match_enter(pe->job, &c))
        return NULL;
    judge_own(pe, pointer, FP_REALLOC, &call);
    quiet_and_sync(pe, &c);

    enum fp_pointer_fault fault = FP_POINTER_FINE;
    struct fp_block *concerned = NULL, *old;
    bool first;
    pthread_mutex_lock(&heap->lock);
    struct fp_decision *d = decision_enter(pe, &first);
    if (first && (old = named_block(pe->job, pointer, &fault, &concerned)))
        decide_realloc(pe, d, old, bytes, &call);
    struct fp_decision decision = *d;
    pthread_mutex_unlock(&heap->lock);

    if (fault != FP_POINTER_FINE)
        fp_heap_report_pointer(pe, fault, pointer, concerned, FP_REALLOC, &call);
    if (decision.born.id && decision.died.align > FP_GRANULE && pe->job->config.notes)
        fp_note("E161, S 9.3.3", &call,
                "%s of a block that shmem_align gave with an alignment of %llu: the new one promises none", call.name,
                (unsigned long long)decision.died.align);
    if (decision.died.id && decision.born.id)
        copy_moves(pe, &decision.died, &decision.born, &call);
    if (decision.died.id)
        copy_closes(pe, &decision.died, &call);
    if (bytes == 0)
        return NULL;

    /* The exit barrier, due on failure too (A14, A16). */
    shmem_coll_t exit = {.kind = SHMEM_COLL_BARRIER, .call = call};
    if (!fp_match_enter(pe->job, &exit))
        return NULL;
    pe->job->backend->sync(&exit);
    return public_address(pe, &decision.born);
}

bool
fp_heap_is_fresh(const struct fp_job *job, int pe, const struct fp_block *block, uint64_t offset)
{
    const struct fp_pattern *pattern = &job->heap->pattern;
    bool mapped = block->bytes >= FP_PATTERN_MAP_BYTES && pattern->fd >= 0;
    uint64_t word = fp_pattern_word(pattern, mapped ? 0 : pe);
    const unsigned char *at = (const unsigned char *)job->pes[pe].heap_base + offset;
    return *at == (unsigned char)(word >> (offset - block->offset) % sizeof word * 8);
}
