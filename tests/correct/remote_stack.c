/* remote_stack.c -- a lock-free stack of nodes at PE 0: head with a count against reuse, links by atomics, contents by
 * put and get.
 *
 * RUN: -n 2,4 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define NODES 3 /* of each PE */
#define TIMES 6

static uint64_t head, link[64 * NODES]; /* head: count << 32 | node + 1, 0 is empty */
static int body[64 * NODES], sum, all;

static void
push(uint64_t node, int value)
{
    shmem_int_p(&body[node], value, 0);
    for (;;) {
        uint64_t seen = shmem_uint64_atomic_fetch(&head, 0);
        shmem_uint64_atomic_set(&link[node], seen & UINT32_MAX, 0);
        shmem_quiet();
        uint64_t next = ((seen >> 32) + 1) << 32 | (node + 1);
        if (shmem_uint64_atomic_compare_swap(&head, seen, next, 0) == seen)
            return;
    }
}

static int
pop(uint64_t *node, int *value)
{
    for (;;) {
        uint64_t seen = shmem_uint64_atomic_fetch(&head, 0), top = seen & UINT32_MAX;
        if (top == 0)
            return 0;
        uint64_t below = shmem_uint64_atomic_fetch(&link[top - 1], 0);
        uint64_t next = ((seen >> 32) + 1) << 32 | below;
        if (shmem_uint64_atomic_compare_swap(&head, seen, next, 0) != seen)
            continue;
        *node = top - 1;
        *value = shmem_int_g(&body[top - 1], 0);
        return 1;
    }
}

int
main(void)
{
    int bad = 0, value, pushed = 0;
    uint64_t own[64 * NODES], count = NODES;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (uint64_t i = 0; i < NODES; i++)
        own[i] = (uint64_t)me * NODES + i;
    for (int i = 0; i < TIMES; i++) {
        if (count > 0) {
            push(own[--count], me * 100 + i);
            pushed += me * 100 + i;
        }
        if (i % 2 && pop(&own[count], &value)) {
            count++;
            pushed -= value;
        }
    }
    shmem_barrier_all();
    for (uint64_t node; me == 0 && pop(&node, &value);)
        pushed -= value;
    sum = pushed;
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &all, &sum, 1);
    bad |= all != 0 || npes < 1;
    shmem_finalize();
    return bad;
}
