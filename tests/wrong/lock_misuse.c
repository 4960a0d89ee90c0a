/* lock_misuse.c -- a lock taken twice by its holder, given back by a PE that has not got it, never given back.
 *
 * RUN: -n 2 --seeds 1..2 --backends sim,direct
 *
 * VARIANT twice: -DUSE=1
 * EXPECT: usage rule=E180 A=shmem_set_lock@0 ...
 *
 * VARIANT not_holder: -DUSE=2
 * EXPECT: usage rule=E181 B=shmem_clear_lock@0 ...
 *
 * VARIANT kept: -DUSE=4
 * EXPECT: leak rule=E183 C=shmem_test_lock@0
 *
 * VARIANT right: -DUSE=3
 * EXPECT: clean
 */
#include <shmem.h>

static long lock;

int
main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0) {
#if USE == 1
        shmem_set_lock(&lock);
        shmem_set_lock(&lock); // <- A
        shmem_clear_lock(&lock);
#elif USE == 2
        shmem_clear_lock(&lock); // <- B
#elif USE == 4
        if (shmem_test_lock(&lock) != 0) // <- C
            return 1;
#else
        shmem_set_lock(&lock);
        shmem_clear_lock(&lock);
#endif
    }
    shmem_finalize();
    return 0;
}
