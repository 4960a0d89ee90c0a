/* pattern.h -- what fresh memory contains in check mode: bytes that depend on the seed and are never zero, so that a
 * program which relies on zeros from shmem_malloc shows it.
 *
 * Small blocks are filled. A large one would be touched as a whole that way, on every PE, though the program may use
 * little of it; it is mapped copy-on-write from one memory file that holds the pattern, and takes memory page by page
 * as it is written.
 */
#ifndef FP_PATTERN_H
#define FP_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

/* From this size on a block is mapped. */
#define FP_PATTERN_MAP_BYTES (UINT64_C(4) << 20)

struct fp_pattern {
    uint64_t seed;
    int fd; /* the memory file, or -1: none yet */
};

void fp_pattern_open(struct fp_pattern *pattern, uint64_t seed);
void fp_pattern_close(struct fp_pattern *pattern);
/* The eight bytes that fresh memory repeats from the start of its block. */
uint64_t fp_pattern_word(const struct fp_pattern *pattern, int rank);
void fp_pattern_fill(const struct fp_pattern *pattern, int rank, void *at, uint64_t bytes);
/* Makes the memory file. The caller holds the lock of the heap. False: there is none. */
bool fp_pattern_prepare(struct fp_pattern *pattern);
/* Replaces the pages at `at`. False: nothing was done that filling does not mend. */
bool fp_pattern_map(const struct fp_pattern *pattern, char *at, uint64_t bytes);

#endif
