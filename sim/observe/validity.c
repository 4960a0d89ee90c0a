/* validity.c -- see validity.h.
 *
 * A block has an entry for each 4 KiB: NULL while none of its bytes is written, `whole` when all are, else two bits a
 * byte. "copied" bytes hold what was never written at its source: they do not look fresh, and are still nobody's.
 */
#include "sim/observe/validity.h"

#include <stdlib.h>
#include <string.h>

#include "reference/heap/heap.h"
#include "reference/job.h"

#define PAGE 4096

struct page {
    unsigned valid; /* how many */
    uint8_t written[PAGE / 8], copied[PAGE / 8];
};
static struct page whole;

struct block {
    uint64_t offset, bytes;
    size_t npages, left; /* pages that are not whole yet */
    struct page **pages;
};

struct copies {
    struct block *blocks; /* by offset */
    size_t count, capacity;
};

struct validity {
    struct fp_job *job;
    struct copies *pes;
    size_t nblocks; /* of all PEs */
};

static void *
must(void *memory)
{
    if (!memory)
        fp_env_fail("out of memory for the checker of uninitialised memory: run fewer PEs, or with --no-check");
    return memory;
}

struct validity *
validity_open(struct fp_job *job)
{
    struct validity *validity = must(calloc(1, sizeof *validity));
    validity->job = job;
    validity->pes = must(calloc((size_t)job->npes, sizeof *validity->pes));
    return validity;
}

static void
block_free(struct block *block)
{
    for (size_t i = 0; i < block->npages; i++)
        if (block->pages[i] != &whole)
            free(block->pages[i]);
    free(block->pages);
}

void
validity_close(struct validity *validity)
{
    for (int pe = 0; pe < validity->job->npes; pe++) {
        for (size_t i = 0; i < validity->pes[pe].count; i++)
            block_free(&validity->pes[pe].blocks[i]);
        free(validity->pes[pe].blocks);
    }
    free(validity->pes);
    free(validity);
}

/* Number of blocks that begin at or before `offset`. */
static size_t
position(const struct copies *copies, uint64_t offset)
{
    size_t low = 0, high = copies->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (copies->blocks[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct block *
block_find(const struct copies *copies, uint64_t offset)
{
    size_t at = position(copies, offset);
    struct block *block = at ? &copies->blocks[at - 1] : NULL;
    return block && offset < block->offset + block->bytes ? block : NULL;
}

static void
block_remove(struct validity *validity, struct copies *copies, struct block *block)
{
    validity->nblocks--;
    block_free(block);
    size_t behind = copies->count-- - (size_t)(block - copies->blocks) - 1;
    memmove(block, block + 1, behind * sizeof *block);
}

void
validity_born(struct validity *validity, int pe, uint64_t offset, uint64_t bytes)
{
    struct copies *copies = &validity->pes[pe];
    validity->nblocks++;
    if (copies->count == copies->capacity) {
        copies->capacity = copies->capacity ? 2 * copies->capacity : 8;
        copies->blocks = must(realloc(copies->blocks, copies->capacity * sizeof *copies->blocks));
    }
    size_t at = position(copies, offset);
    memmove(&copies->blocks[at + 1], &copies->blocks[at], (copies->count++ - at) * sizeof *copies->blocks);
    size_t npages = (bytes + PAGE - 1) / PAGE;
    copies->blocks[at] = (struct block){.offset = offset,
                                        .bytes = bytes,
                                        .npages = npages,
                                        .left = npages,
                                        .pages = must(calloc(npages, sizeof(struct page *)))};
}

void
validity_died(struct validity *validity, int pe, uint64_t offset)
{
    struct copies *copies = &validity->pes[pe];
    struct block *block = block_find(copies, offset);
    if (block)
        block_remove(validity, copies, block);
}

bool
validity_any(const struct validity *validity)
{
    return validity->nblocks > 0;
}

bool
validity_knows(const struct validity *validity, int pe, uint64_t offset)
{
    return block_find(&validity->pes[pe], offset) != NULL;
}

static bool
bit(const uint8_t *bits, uint64_t i)
{
    return bits[i / 8] >> i % 8 & 1;
}

static void
page_finish(struct block *block, size_t index, unsigned bytes)
{
    if (block->pages[index]->valid < bytes)
        return;
    free(block->pages[index]);
    block->pages[index] = &whole;
    block->left--;
}

/* Bytes [from, to) of a page of `bytes` bytes are written; those with a bit in `invalid` (bit 0: byte `from`) with
 * nothing. */
static void
page_write(struct block *block, size_t index, unsigned from, unsigned to, unsigned bytes, const uint8_t *invalid,
           uint64_t skip)
{
    if (block->pages[index] == &whole) {
        if (!invalid)
            return;
        struct page *page = must(malloc(sizeof *page));
        memset(page->written, 0xff, sizeof page->written);
        memset(page->copied, 0, sizeof page->copied);
        page->valid = bytes;
        block->pages[index] = page;
        block->left++;
    }
    if (!block->pages[index])
        block->pages[index] = must(calloc(1, sizeof(struct page)));
    struct page *page = block->pages[index];
    for (unsigned i = from; i < to; i++) {
        bool wrote = !invalid || !bit(invalid, skip + i - from), had = bit(page->written, i);
        uint8_t mask = (uint8_t)(1u << i % 8);
        page->valid = page->valid + wrote - had;
        page->written[i / 8] = (uint8_t)(wrote ? page->written[i / 8] | mask : page->written[i / 8] & ~mask);
        page->copied[i / 8] = (uint8_t)(wrote ? page->copied[i / 8] & ~mask : page->copied[i / 8] | mask);
    }
    page_finish(block, index, bytes);
}

static unsigned
page_bytes(const struct block *block, size_t index)
{
    uint64_t left = block->bytes - index * PAGE;
    return left < PAGE ? (unsigned)left : PAGE;
}

static void
write(struct validity *validity, int pe, uint64_t offset, uint64_t bytes, const uint8_t *invalid)
{
    struct copies *copies = &validity->pes[pe];
    struct block *block = copies->count ? block_find(copies, offset) : NULL;
    if (!block)
        return;
    uint64_t at = offset - block->offset, end = at + bytes < block->bytes ? at + bytes : block->bytes;
    for (uint64_t done = 0; at < end;) {
        size_t index = at / PAGE;
        uint64_t to = (index + 1) * PAGE < end ? (index + 1) * PAGE : end;
        if (!invalid && to - at == page_bytes(block, index) && block->pages[index] != &whole) {
            free(block->pages[index]);
            block->pages[index] = &whole;
            block->left--;
        } else {
            page_write(block, index, at % PAGE, (unsigned)(to - index * PAGE), page_bytes(block, index), invalid, done);
        }
        done += to - at;
        at = to;
    }
    if (block->left == 0)
        block_remove(validity, copies, block);
}

void
validity_write(struct validity *validity, int pe, uint64_t offset, uint64_t bytes)
{
    write(validity, pe, offset, bytes, NULL);
}

void
validity_copy(struct validity *validity, int pe, uint64_t offset, uint64_t bytes, const uint8_t *invalid)
{
    struct copies *copies = &validity->pes[pe];
    const struct fp_block *block = fp_heap_find(validity->job, offset);
    /* A block that was written as a whole, or given with contents, is no longer known here. */
    if (block && !block_find(copies, offset)) {
        validity_born(validity, pe, block->offset, block->bytes);
        struct block *known = block_find(copies, offset);
        for (size_t i = 0; i < known->npages; i++)
            known->pages[i] = &whole;
        known->left = 0;
    }
    write(validity, pe, offset, bytes, invalid);
}

uint64_t
validity_look(struct validity *validity, int pe, uint64_t offset, uint64_t bytes, uint8_t *invalid)
{
    struct copies *copies = &validity->pes[pe];
    struct block *block = copies->count ? block_find(copies, offset) : NULL;
    if (!block)
        return 0;
    const struct fp_block *heap_block = fp_heap_find(validity->job, offset);
    uint64_t count = 0, start = offset - block->offset;
    for (uint64_t i = 0; i < bytes && start + i < block->bytes; i++) {
        const struct page *page = block->pages[(start + i) / PAGE];
        if (page == &whole) {
            i += PAGE - 1 - (start + i) % PAGE;
            continue;
        }
        uint64_t in_page = (start + i) % PAGE;
        if (page && bit(page->written, in_page))
            continue;
        if (!(page && bit(page->copied, in_page)) && !fp_heap_is_fresh(validity->job, pe, heap_block, offset + i))
            continue;
        count++;
        if (invalid)
            invalid[i / 8] |= (uint8_t)(1u << i % 8);
    }
    return count;
}
