/* collective_buffers.c -- a collective settles the caller's own buffers only, and wants dest free everywhere.
 *
 * RUN: -n 2 --seeds 1..10
 *
 * VARIANT remote_dest: -DREMOTE_DEST
 * EXPECT: race object=dest on=1 rule=E091 A=shmem_int_sum_reduce@0,1 B=shmem_int_g@0
 *
 * VARIANT dest_reused: -DDEST_REUSED
 * EXPECT: race object=dest on=1 rule=E090 C=shmem_int_broadcast D=load@1
 *
 * VARIANT atomic: -DATOMIC
 * EXPECT: race object=source on=1 E=shmem_int_atomic_inc@0 A=shmem_int_sum_reduce ...
 *
 * VARIANT dest_stored: -DDEST_STORED
 * EXPECT: race object=dest on=1 rule=E090 A=shmem_int_sum_reduce@0,1 F=store@1
 *
 * VARIANT synced: -DSYNCED
 * EXPECT: clean
 */
#include <shmem.h>

static int source = 1, dest;

int
main(void)
{
    int seen = 0;
    shmem_init();
    int me = shmem_my_pe();
#ifdef DEST_REUSED
    if (me == 1)
        seen = dest;                                             // <- D
    shmem_int_broadcast(SHMEM_TEAM_WORLD, &dest, &source, 1, 0); // <- C
#else
#ifdef ATOMIC
    if (me == 0)
        shmem_int_atomic_inc(&source, 1);                      // <- E
#endif
#ifdef DEST_STORED
    if (me == 1)
        *(volatile int *)&dest = 3;                            // <- F
#endif
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &dest, &source, 1); // <- A
#ifdef SYNCED
    shmem_sync_all();
#endif
#if defined REMOTE_DEST || defined SYNCED
    if (me == 0)
        seen = shmem_int_g(&dest, 1); // <- B
#endif
#endif
    shmem_barrier_all();
    shmem_finalize();
    return seen > 2;
}
