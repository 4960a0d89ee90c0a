/* uninit_copies.c -- padding, members that are not set and spare elements may be copied, sent and fetched; only a value
 * made of them is a fault. Memory written by a peer, by libc, by an atomic or by a collective has been written.
 *
 * RUN: -n 2 --seeds 1..5 --choosers random,adversarial
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    char tag; /* padding behind it */
    long value;
    int spare[3]; /* never set */
};

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), other = 1 - me;
    struct item *items = shmem_malloc(4 * sizeof *items), *inbox = shmem_malloc(4 * sizeof *inbox), local[4], one;
    for (int i = 0; i < 4; i++) {
        items[i].tag = 'a';
        items[i].value = me + i;
    }
    shmem_putmem(inbox, items, 4 * sizeof *items, other);
    shmem_barrier_all();
    one = inbox[1];
    memcpy(local, inbox, sizeof local);
    if (one.value != other + 1 || local[3].value != other + 3 || local[3].tag != 'a')
        return 1;
    shmem_barrier_all();
    shmem_getmem(local, items, sizeof local, other);
    if (local[2].value != other + 2)
        return 2;

    long *word = shmem_malloc(3 * sizeof *word);
    char *text = shmem_malloc(16);
    if (me == 0) {
        shmem_long_atomic_set(&word[0], 5, 1);
        shmem_long_p(&word[1], 6, 1);
    }
    snprintf(text, 16, "%d", me);
    shmem_barrier_all();
    if (me == 1 && (shmem_long_atomic_fetch_add(&word[0], 1, 1) != 5 || word[1] != 6))
        return 3;
    if (text[0] != '0' + me || strlen(text) != 1)
        return 4;
    long *all = shmem_malloc(2 * sizeof *all);
    long *mine = shmem_malloc(sizeof *mine);
    *mine = me;
    shmem_long_fcollect(SHMEM_TEAM_WORLD, all, mine, 1);
    if (all[0] != 0 || all[1] != 1)
        return 5;
    items = shmem_realloc(items, 8 * sizeof *items); /* the spare members move along */
    if (items[3].value != me + 3)
        return 6;
    shmem_free(mine);
    shmem_free(all);
    shmem_free(text);
    shmem_free(word);
    shmem_free(inbox);
    shmem_free(items);
    shmem_finalize();
    return 0;
}
