/* h15.c -- a put through a block that has been freed.
 *
 * RUN: -n 2 --seeds 1..5
 * EXPECT: lifetime on=0 A=shmem_int_p@1 B=shmem_free:free
 *
 * VARIANT before_free: -DBEFORE_FREE
 * EXPECT: clean
 * STDOUT: buf=3
 */
#include <shmem.h>
#include <stdio.h>

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    int *buf = shmem_calloc(1, 4);
#ifdef BEFORE_FREE
    if (me == 1)
        shmem_int_p(buf, 3, 0);
    shmem_barrier_all();
    if (me == 0)
        printf("buf=%d\n", *buf);
    shmem_free(buf);
#else
    shmem_free(buf); // <- B
    if (me == 1)
        shmem_int_p(buf, 3, 0); // <- A
#endif
    shmem_finalize();
    return 0;
}
