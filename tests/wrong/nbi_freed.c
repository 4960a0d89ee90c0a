/* nbi_freed.c -- private memory that a pending put still reads is given back to libc.
 *
 * RUN: -n 2 --seeds 1..3
 * EXPECT: race on=0 rule=E063 A=shmem_long_put_nbi@0 B=free@0
 *
 * VARIANT quiet: -DQUIET
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdlib.h>

static long box[8];

int
main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0) {
        long *source = calloc(8, sizeof *source);
        shmem_long_put_nbi(box, source, 8, 1); // <- A
#ifdef QUIET
        shmem_quiet();
#endif
        free(source); // <- B
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
