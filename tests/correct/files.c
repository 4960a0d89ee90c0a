/* files.c -- each PE has files of its own, reads its source through them, and formats into symmetric memory.
 *
 * RUN: -n 1,4 --seeds 1..3 --rules common,strict
 * RUN: -n 3 --backends direct
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[64 * 16], text[16];

int
main(void)
{
    int bad = 0, pe = -1, value = -1;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    bad |= getchar() != EOF;
    FILE *file = tmpfile();
    if (!file)
        return 1;
    fprintf(file, "PE %d has %d\n", me, me * me);
    rewind(file);
    bad |= fscanf(file, "PE %d has %d", &pe, &value) != 2 || pe != me;
    fclose(file);
    snprintf(text, sizeof text, "%d:%d", pe & 63, value);
    for (int to = 0; to < npes; to++)
        shmem_putmem(&line[me * 16], text, strlen(text) + 1, to);
    shmem_barrier_all();
    for (int from = 0; from < npes; from++) {
        char wanted[32];
        snprintf(wanted, sizeof wanted, "%d:%d", from, from * from);
        bad |= strcmp(&line[from * 16], wanted) != 0;
    }
    shmem_finalize();
    return bad;
}
