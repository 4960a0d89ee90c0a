/* static_objects.c -- symmetric objects that are not from the heap: of file or function scope, initialised or zero.
 *
 * RUN: -n 3 --seeds 1..3 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>
#include <string.h>

struct record {
    char name[13];
    double weight;
    int part[3];
};

static struct record record = {"first", 1.5, {1, 2, 3}};
int external_words[5] = {5, 4, 3, 2, 1};
static char text[40];

static int *
counter(void)
{
    static int calls = 100;
    return &calls;
}

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes, before = (me + npes - 1) % npes;
    bad |= strcmp(record.name, "first") != 0 || external_words[0] != 5 || *counter() != 100 || text[39] != 0;
    shmem_barrier_all(); /* everybody has seen the initial values */
    struct record mine = {"record of PE", me / 4.0, {me, me + 1, me + 2}};
    int words[5] = {me, me, me, me, me};
    shmem_putmem(&record, &mine, sizeof mine, next);
    shmem_int_put(external_words + 1, words, 3, next);
    shmem_int_atomic_add(counter(), me, next);
    shmem_char_put(text + 30, "from PE", 8, next);
    shmem_barrier_all();
    bad |= strcmp(record.name, "record of PE") != 0 || record.weight != before / 4.0 || record.part[2] != before + 2;
    bad |=
        external_words[0] != 5 || external_words[1] != before || external_words[3] != before || external_words[4] != 1;
    bad |= *counter() != 100 + before || strcmp(text + 30, "from PE") != 0 || text[29] != 0;
    shmem_finalize();
    return bad;
}
