/* work_queue.c -- tasks taken from a counter by fetch_inc, as many as each can; results put where they belong.
 *
 * RUN: -n 1,2,6 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define TASKS 30

static unsigned next;
static long long result[TASKS];

int
main(void)
{
    int bad = 0;
    shmem_init();
    for (unsigned task; (task = shmem_uint_atomic_fetch_inc(&next, 0)) < TASKS;) {
        long long value = 0;
        for (unsigned i = 0; i <= task; i++)
            value += (long long)i * i;
        shmem_longlong_p(&result[task], value, 0);
    }
    shmem_barrier_all();
    for (int i = 0; shmem_my_pe() == 0 && i < TASKS; i++)
        bad |= result[i] != (long long)i * (i + 1) * (2 * i + 1) / 6;
    shmem_finalize();
    return bad;
}
