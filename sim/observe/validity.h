/* validity.h -- which bytes of the symmetric heaps somebody has written.
 *
 * Only blocks that shmem_malloc and its kin gave without contents are kept, and only until all their bytes are
 * written: memory is used where there is something to know, and a block that is written once costs nothing
 * afterwards.
 */
#ifndef SIM_VALIDITY_H
#define SIM_VALIDITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fp_job;
struct validity;

struct validity *validity_open(struct fp_job *job);
void validity_close(struct validity *validity);
/* A block without contents begins, or ends, in the copy of PE `pe`. Offsets are those of the heap. */
void validity_born(struct validity *validity, int pe, uint64_t offset, uint64_t bytes);
void validity_died(struct validity *validity, int pe, uint64_t offset);
/* Whether any block of any PE has bytes that nobody has written; whether the one at `offset` may have. */
bool validity_any(const struct validity *validity);
bool validity_knows(const struct validity *validity, int pe, uint64_t offset);
/* The bytes have been written. */
void validity_write(struct validity *validity, int pe, uint64_t offset, uint64_t bytes);
/* The bytes have been written with a copy of others, of which those with a bit in `invalid` (bit i: byte i) had
 * never been. */
void validity_copy(struct validity *validity, int pe, uint64_t offset, uint64_t bytes, const uint8_t *invalid);
/* How many of the bytes nobody has written; their bits are set in `invalid`, if it is not NULL. Memory that no
 * longer has the contents of a fresh block was written by somebody who was not seen, and counts as written. */
uint64_t validity_look(struct validity *validity, int pe, uint64_t offset, uint64_t bytes, uint8_t *invalid);

#endif
