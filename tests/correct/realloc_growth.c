/* realloc_growth.c -- a block that all PEs grow together, used through the new pointer, its contents kept.
 *
 * RUN: -n 1,3 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes, before = (me + npes - 1) % npes;
    size_t room = 2;
    int *list = shmem_malloc(room * sizeof *list);
    shmem_int_p(&list[0], me * 1000, next);
    shmem_int_p(&list[1], me * 1000 + 1, next);
    for (int round = 0; round < 4; round++) {
        list = shmem_realloc(list, 2 * room * sizeof *list); /* the barriers in it complete what came before */
        for (size_t i = room; i < 2 * room; i++)
            shmem_int_p(&list[i], me * 1000 + (int)i, next);
        room *= 2;
    }
    shmem_barrier_all();
    for (size_t i = 0; i < room; i++)
        bad |= list[i] != before * 1000 + (int)i;
    list = shmem_realloc(list, sizeof *list); /* and smaller again */
    bad |= list[0] != before * 1000;
    bad |= shmem_realloc(list, 0) != NULL;
    shmem_finalize();
    return bad;
}
