/* request_server.c -- PE 0 serves: it looks for requests with test_some between other work, and answers with a signal.
 *
 * RUN: -n 2,5 --seeds 1..4 --rules common,strict
 * EXPECT: clean
 */
#include <shmem.h>

#define CALLS 3

static long request[64], reply;
static int asked[64];
static uint64_t answered;

static void
serve(int npes)
{
    int status[64] = {1}, left = (npes - 1) * CALLS, work = 0, wanted[64] = {0};
    size_t which[64];
    for (int pe = 1; pe < npes; pe++)
        wanted[pe] = 1;
    while (left > 0) {
        size_t n = shmem_int_test_some_vector(asked, (size_t)npes, which, status, SHMEM_CMP_GE, wanted);
        for (size_t k = 0; k < n; k++) {
            int pe = (int)which[k];
            long square = request[pe] * request[pe];
            shmem_long_put_signal(&reply, &square, 1, &answered, 1, SHMEM_SIGNAL_ADD, pe);
            status[pe] = ++wanted[pe] > CALLS;
            left--;
        }
        work++;
    }
}

int
main(void)
{
    int bad = 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    if (me == 0)
        serve(npes);
    for (int call = 1; me > 0 && call <= CALLS; call++) {
        shmem_long_p(&request[me], 10 * me + call, 0);
        shmem_fence();
        shmem_int_atomic_set(&asked[me], call, 0);
        shmem_signal_wait_until(&answered, SHMEM_CMP_GE, (uint64_t)call);
        bad |= reply != (10L * me + call) * (10 * me + call);
    }
    shmem_finalize();
    return bad;
}
