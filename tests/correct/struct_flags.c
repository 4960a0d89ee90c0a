/* struct_flags.c -- one struct has data for puts, a flag for atomics, a signal, and a lock, side by side; arrays of it.
 *
 * RUN: -n 2,4 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

struct slot {
    char name[3];
    short flag;
    int value;
    uint64_t signal;
    long lock;
    int count;
};

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), right = (me + 1) % npes, left = (me + npes - 1) % npes;
    struct slot *slot = shmem_calloc((size_t)npes, sizeof *slot);
    struct slot *to = &slot[me], *from = &slot[left];
    shmem_putmem(to->name, (char[3]){'a', (char)('0' + me), 0}, 3, right);
    shmem_int_put_signal(&to->value, &(int){10 * me}, 1, &to->signal, 1, SHMEM_SIGNAL_SET, right);
    shmem_signal_wait_until(&from->signal, SHMEM_CMP_GE, 1);
    bad |= from->value != 10 * left;
    shmem_quiet();
    shmem_set_lock(&slot[0].lock);
    int count = shmem_int_g(&slot[0].count, 0);
    shmem_int_p(&slot[0].count, count + 1, 0);
    shmem_clear_lock(&slot[0].lock);
    shmem_signal_set(&to->signal, 2, right); /* everything before the quiet is there */
    shmem_signal_wait_until(&from->signal, SHMEM_CMP_EQ, 2);
    bad |= from->name[1] != '0' + left;
    shmem_barrier_all();
    bad |= me == 0 && slot[0].count != npes;
    shmem_free(slot);
    shmem_finalize();
    return bad;
}
