/* conversation.c -- two PEs take turns by wait_until on a word that each sets at the other; strictly alternating writes
 * and reads of one buffer.
 *
 * RUN: -n 2 --seeds 1..5 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>
#include <string.h>

#define TURNS 6

static char said[32];
static int turn;

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), other = 1 - me;
    for (int i = me; i < TURNS; i += 2) {
        char words[32];
        if (i > 0) {
            shmem_int_wait_until(&turn, SHMEM_CMP_GE, i);
            memset(words, 'a' + i - 1, 20);
            bad |= memcmp(said, words, (size_t)i) != 0;
        }
        memset(words, 'a' + i, sizeof words);
        shmem_putmem(said, words, (size_t)i + 1, other);
        shmem_fence();
        shmem_int_atomic_set(&turn, i + 1, other);
        shmem_fence(); /* the next one comes behind it */
    }
    shmem_finalize();
    return bad;
}
