/* nbi_dest.c -- destinations of nonblocking gets and fetches are nobody's until quiet; nor is the source of the get.
 *
 * RUN: -n 2 --seeds 1..5
 *
 * VARIANT store:
 * EXPECT: race on=0 rule=E064 A=shmem_long_get_nbi@0 B=store@0
 *
 * VARIANT twice: -DTWICE
 * EXPECT: race on=0 rule=E064 A=shmem_long_get_nbi@0 C=shmem_long_get_nbi@0
 *
 * VARIANT fetch: -DFETCH
 * EXPECT: race on=0 rule=E064 D=shmem_long_atomic_fetch_add_nbi@0 E=load@0
 *
 * VARIANT source: -DSOURCE
 * EXPECT: race object=word on=1 rule=E062 A=shmem_long_get_nbi@0 F=shmem_long_p@0
 *
 * VARIANT quiet: -DQUIET
 * EXPECT: clean
 */
#include <shmem.h>

long word[2] = {7, 7}, counter;

int
main(void)
{
    long dest = 7, was = 0;
    shmem_init();
    if (shmem_my_pe() == 0) {
#ifndef FETCH
        shmem_long_get_nbi(&dest, &word[0], 1, 1); // <- A
#endif
#if defined TWICE
        shmem_long_get_nbi(&dest, &word[1], 1, 1); // <- C
#elif defined FETCH
        shmem_long_atomic_fetch_add_nbi(&was, &counter, 1, 1); // <- D
        dest += was;                                           // <- E
#elif defined SOURCE
        shmem_fence();
        shmem_long_p(&word[0], 7, 1); // <- F
#else
#ifdef QUIET
        shmem_quiet();
#endif
        dest = 7; // <- B
#endif
        shmem_quiet();
    }
    shmem_finalize();
    return dest != 7 || was != 0;
}
