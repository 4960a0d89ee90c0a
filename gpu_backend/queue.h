/* queue.h -- what the host and the proxy kernel of a PE say to each other.
 *
 * Each PE has a ring of 16-byte entries in the host's memory, mapped into the GPU's address space, and a kernel of one
 * block, resident while there is work, that reads 32 entries in one load of a warp. An entry is written and read by one
 * 16-byte access each, so it is there as a whole or not at all; its turn (how often the ring has gone round) tells
 * whether it is new. Nothing else has to be read, so an operation costs the caller one store, and the GPU one read
 * over the bus for up to 32 of them.
 *
 * Replies travel the other way in the same manner: value and number in one 16-byte store.
 *
 * The kernel leaves when it has had nothing to do for a while, and after a certain time in any case, so that a
 * synchronisation of the whole GPU by the program does not wait for ever. It writes `ended`, then looks once more; the
 * host writes an entry, then reads `ended`. Between write and read both have a full fence (fence.sc here, mfence
 * there), so not both can miss the other: either the kernel still finds the entry, or the host starts another kernel.
 */
#ifndef GPU_QUEUE_H
#define GPU_QUEUE_H

#include <stdint.h>

#define GPU_ENTRIES 4096
#define GPU_REPLIES 256
#define GPU_ARGUMENTS 8
#define GPU_PROXY_THREADS 512

struct gpu_entry {
    uint64_t value;
    uint64_t word; /* kind, turn, address: 6, 8 and 50 bits from the top */
};

#define GPU_ADDRESS_BITS 50
#define GPU_TURN_BITS 8
#define GPU_KIND_SHIFT (GPU_ADDRESS_BITS + GPU_TURN_BITS)
#define GPU_TURN_MASK ((1u << GPU_TURN_BITS) - 1)
#define GPU_ADDRESS_MASK ((UINT64_C(1) << GPU_ADDRESS_BITS) - 1)

/* Turns are counted from 1, since a new ring is zero. */
#define GPU_TURN(position) (((position) / GPU_ENTRIES + 1) & GPU_TURN_MASK)

enum gpu_kind {
    GPU_NONE,
    /* Stores, in no order among themselves. */
    GPU_PUT8, /* bits */
    GPU_PUT16,
    GPU_PUT32,
    GPU_PUT64,
    /* From here on one by one, in order of entry. */
    GPU_GET8, /* reply: the value */
    GPU_GET16,
    GPU_GET32,
    GPU_GET64,
    GPU_ARGUMENT, /* value becomes argument number `address` of the entry that needs it */
    GPU_COPY,     /* argument 0 bytes from `value` to `address` */
    GPU_BLOCKS,   /* argument 1 blocks of argument 0 bytes, steps 2 (of `address`) and 3 (of `value`) */
    GPU_ZERO,     /* argument 0 bytes at `address` */
    GPU_FENCE,
    GPU_ACK,   /* reply: all before has been carried out, though it may not be complete */
    GPU_QUIET, /* reply: all before is complete */
    /* Looks for a short while until the word is no longer `value`. Reply: what it is. */
    GPU_WATCH16,
    GPU_WATCH32,
    GPU_WATCH64,
    /* Atomics: + shmem_amo_t. FETCH: reply is the old value. Comparand: argument 0. */
    GPU_AMO32,
    GPU_AMO64 = GPU_AMO32 + 10,
    GPU_FETCH32 = GPU_AMO64 + 10,
    GPU_FETCH64 = GPU_FETCH32 + 10,
    GPU_KINDS = GPU_FETCH64 + 10
};

struct gpu_shared {
    struct gpu_entry entries[GPU_ENTRIES];
    struct gpu_entry replies[GPU_REPLIES]; /* value, number from 1; number n is at n % GPU_REPLIES */
    uint64_t consumed;                     /* entries that have been carried out, as far as their order goes */
    char gap[120];
    uint64_t started, ended; /* number of the launch */
};

/* What a kernel leaves to the next one; in the GPU's memory. */
struct gpu_position {
    uint64_t entries, replies;
    uint64_t arguments[GPU_ARGUMENTS];
};

struct gpu_proxy {
    struct gpu_shared *shared; /* the GPU's address of it */
    struct gpu_position *position;
    uint64_t launch;
    uint64_t idle_cycles, life_cycles, watch_cycles;
};

#endif
