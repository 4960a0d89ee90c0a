/* address_wrong.c -- no symmetric address of the caller's: stack, malloc, thread-local, another PE's pointer, NULL.
 *
 * RUN: -n 2 --seeds 1..2
 *
 * VARIANT stack: -DUSE=1
 * EXPECT: bad-address rule=E042 A=shmem_int_p@0
 *
 * VARIANT private: -DUSE=2
 * EXPECT: bad-address rule=E020 B=shmem_int_get@0
 *
 * VARIANT thread_local: -DUSE=3
 * EXPECT: bad-address C=shmem_int_atomic_inc@0
 *
 * VARIANT foreign: -DUSE=4
 * EXPECT: bad-address rule=E021 D=shmem_int_p@0
 *
 * VARIANT null: -DUSE=5
 * EXPECT: bad-address rule=E029 E=shmem_int_p@0
 *
 * VARIANT null_source: -DUSE=6
 * EXPECT: bad-address rule=E029 F=shmem_int_put@0
 *
 * VARIANT wait: -DUSE=7
 * EXPECT: bad-address rule=E042 G=shmem_int_wait_until@0
 *
 * VARIANT signal: -DUSE=8
 * EXPECT: bad-address H=shmem_int_put_signal@0
 */
#include <shmem.h>
#include <stdlib.h>

static _Thread_local int own_thread;
static int *address[2];

int
main(void)
{
    int stack = 1, *private = malloc(sizeof *private);
    uint64_t stack_signal = 0;
    shmem_init();
    int me = shmem_my_pe();
    int *block = shmem_calloc(1, sizeof *block);
    shmem_putmem(&address[me], &block, sizeof block, 1 - me); /* a pointer in a message */
    shmem_barrier_all();
    if (me == 0)
        switch (USE) {
        case 1:
            shmem_int_p(&stack, 1, 1); // <- A
            break;
        case 2:
            shmem_int_get(&stack, private, 1, 1); // <- B
            break;
        case 3:
            shmem_int_atomic_inc(&own_thread, 1); // <- C
            break;
        case 4:
            shmem_int_p(address[1], 1, 1); // <- D
            break;
        case 5:
            shmem_int_p(NULL, 1, 1); // <- E
            break;
        case 6:
            shmem_int_put(block, NULL, 1, 1); // <- F
            break;
        case 7:
            shmem_int_wait_until(&stack, SHMEM_CMP_EQ, 1); // <- G
            break;
        default:
            shmem_int_put_signal(block, &stack, 1, &stack_signal, 1, SHMEM_SIGNAL_SET, 1); // <- H
        }
    shmem_free(block);
    shmem_finalize();
    free(private);
    return 0;
}
