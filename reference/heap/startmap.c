/* startmap.c -- see startmap.h. */
#include "reference/heap/startmap.h"

#include <sys/mman.h>

static uint64_t
word_get(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

int
fp_startmap_open(struct fp_startmap *map, uint64_t bytes)
{
    uint64_t words[FP_STARTMAP_LEVELS], total = 0, n = (bytes + FP_GRANULE - 1) / FP_GRANULE;
    *map = (struct fp_startmap){.granules = n};
    do {
        n = (n + 63) / 64;
        words[map->levels++] = n;
        total += n;
    } while (n > 1 && map->levels < FP_STARTMAP_LEVELS);
    if (n > 1)
        return -1;
    map->memory_bytes = total * sizeof(uint64_t) + map->granules * sizeof(uint32_t);
    map->memory =
        mmap(NULL, map->memory_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map->memory == MAP_FAILED)
        return -1;
    /* Sparse by nature: a huge page would make each touched word cost 2 MiB. */
    madvise(map->memory, map->memory_bytes, MADV_NOHUGEPAGE);
    uint64_t *next = map->memory;
    for (int l = 0; l < map->levels; l++) {
        map->bits[l] = next;
        next += words[l];
    }
    map->record = (uint32_t *)next;
    return 0;
}

void
fp_startmap_close(struct fp_startmap *map)
{
    if (map->memory)
        munmap(map->memory, map->memory_bytes);
    *map = (struct fp_startmap){0};
}

void
fp_startmap_set(struct fp_startmap *map, uint64_t offset, uint32_t record)
{
    uint64_t i = offset / FP_GRANULE;
    __atomic_store_n(&map->record[i], record, __ATOMIC_RELEASE);
    for (int l = 0; l < map->levels; l++, i /= 64)
        __atomic_fetch_or(&map->bits[l][i / 64], UINT64_C(1) << (i % 64), __ATOMIC_RELEASE);
}

void
fp_startmap_clear(struct fp_startmap *map, uint64_t offset)
{
    uint64_t i = offset / FP_GRANULE;
    for (int l = 0; l < map->levels; l++, i /= 64) {
        uint64_t *word = &map->bits[l][i / 64];
        if (__atomic_and_fetch(word, ~(UINT64_C(1) << (i % 64)), __ATOMIC_RELEASE) != 0)
            return;
    }
}

bool
fp_startmap_find(const struct fp_startmap *map, uint64_t offset, uint32_t *record)
{
    uint64_t i = offset / FP_GRANULE;
    if (i >= map->granules)
        return false;
    /* Up, until a word has a bit at or below ours; on the way up our own bit no longer counts, only those before it. */
    int l = 0;
    uint64_t word = word_get(&map->bits[0][i / 64]) & (~UINT64_C(0) >> (63 - i % 64));
    while (word == 0) {
        i /= 64;
        if (++l == map->levels)
            return false;
        word = word_get(&map->bits[l][i / 64]) & ((UINT64_C(1) << (i % 64)) - 1);
    }
    /* Down, always by the highest bit. */
    for (;;) {
        i = (i / 64) * 64 + (uint64_t)(63 - __builtin_clzll(word));
        if (l == 0)
            break;
        l--;
        word = word_get(&map->bits[l][i]);
        if (word == 0) /* a record was taken out while we looked: nothing that a synchronized reader could ask for */
            return false;
        i *= 64;
    }
    *record = __atomic_load_n(&map->record[i], __ATOMIC_ACQUIRE);
    return true;
}
