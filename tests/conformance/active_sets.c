/* The deprecated collectives on active sets: every set of a job, both widths, every reduction and type, pSync used
 * again after a synchronisation, and at once by barrier and sync.
 *
 * RUN: -n 1,2,3,5,8 --seeds 1..2
 * RUN: -n 1,2,3,5,8,16 --backends direct
 * RUN: -n 16 --seeds 1 --choosers random
 * EXPECT: clean
 */
#include <complex.h>

#include "conformance.h"

enum { N = 5, PES_MAX = 16 };

static long barrier_sync[SHMEM_BARRIER_SYNC_SIZE], bcast_sync[SHMEM_BCAST_SYNC_SIZE];
static long collect_sync[2][SHMEM_COLLECT_SYNC_SIZE], reduce_sync[SHMEM_REDUCE_SYNC_SIZE];
static long alltoall_sync[SHMEM_ALLTOALL_SYNC_SIZE], alltoalls_sync[SHMEM_ALLTOALLS_SYNC_SIZE];
static int start, log_stride, size, rank;

static int
pe_of(int member)
{
    return start + (member << log_stride);
}

static void
meet(void)
{
    shmem_barrier(start, log_stride, size, barrier_sync);
}

static size_t
share(int pe)
{
    return (size_t)(pe * 2 + 1) % 4;
}

#define DEFINE_DATA(bits)                                                                                              \
    static uint##bits##_t dest##bits[PES_MAX * N * 3 + 1], source##bits[PES_MAX * N * 3 + 1];                          \
    static uint##bits##_t value##bits(int pe, size_t i)                                                                \
    {                                                                                                                  \
        return (uint##bits##_t)(1000 * pe + 1) + (uint##bits##_t)i;                                                    \
    }                                                                                                                  \
    static void data##bits(void)                                                                                       \
    {                                                                                                                  \
        size_t at = 0;                                                                                                 \
                                                                                                                       \
        for (size_t i = 0; i < PES_MAX * N * 3; i++)                                                                   \
            source##bits[i] = value##bits(pe_of(rank), i);                                                             \
        memset(dest##bits, 0, sizeof dest##bits);                                                                      \
        meet();                                                                                                        \
        for (int root = 0; root < size; root++) {                                                                      \
            shmem_broadcast##bits(dest##bits, source##bits, N, root, start, log_stride, size, bcast_sync);             \
            for (size_t i = 0; i < N; i++)                                                                             \
                CHECK(dest##bits[i] == (rank == root ? (root == 0 ? 0 : value##bits(pe_of(root - 1), i))               \
                                                     : value##bits(pe_of(root), i)));                                  \
            meet();                                                                                                    \
        }                                                                                                              \
        shmem_broadcast##bits(NULL, NULL, 0, 0, start, log_stride, size, bcast_sync);                                  \
        shmem_fcollect##bits(dest##bits, source##bits, N, start, log_stride, size, collect_sync[0]);                   \
        for (int m = 0; m < size; m++)                                                                                 \
            for (size_t i = 0; i < N; i++)                                                                             \
                CHECK(dest##bits[(size_t)m * N + i] == value##bits(pe_of(m), i));                                      \
        meet();                                                                                                        \
        shmem_collect##bits(dest##bits, source##bits, share(rank), start, log_stride, size, collect_sync[1]);          \
        for (int m = 0; m < size; m++)                                                                                 \
            for (size_t i = 0; i < share(m); i++)                                                                      \
                CHECK(dest##bits[at++] == value##bits(pe_of(m), i));                                                   \
        meet();                                                                                                        \
        shmem_alltoall##bits(dest##bits, source##bits, N, start, log_stride, size, alltoall_sync);                     \
        for (int m = 0; m < size; m++)                                                                                 \
            for (size_t i = 0; i < N; i++)                                                                             \
                CHECK(dest##bits[(size_t)m * N + i] == value##bits(pe_of(m), (size_t)rank * N + i));                   \
        meet();                                                                                                        \
        shmem_alltoalls##bits(dest##bits, source##bits, 3, 2, N, start, log_stride, size, alltoalls_sync);             \
        for (int m = 0; m < size; m++)                                                                                 \
            for (size_t i = 0; i < N; i++)                                                                             \
                CHECK(dest##bits[((size_t)m * N + i) * 3] == value##bits(pe_of(m), ((size_t)rank * N + i) * 2));       \
        meet();                                                                                                        \
    }
DEFINE_DATA(32)
DEFINE_DATA(64)

#define TO_ALL(name, ctype, op, start_value, step)                                                                     \
    {                                                                                                                  \
        static ctype in[N], out[N], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];                                               \
        for (int i = 0; i < N; i++)                                                                                    \
            in[i] = (ctype)(pe_of(rank) % 3 + 1 + i);                                                                  \
        meet();                                                                                                        \
        shmem_##name##_##op##_to_all(out, in, N, start, log_stride, size, work, reduce_sync);                          \
        for (int i = 0; i < N; i++) {                                                                                  \
            ctype all = (ctype)(start_value);                                                                          \
            for (int m = 0; m < size; m++) {                                                                           \
                const ctype one = (ctype)(pe_of(m) % 3 + 1 + i);                                                       \
                all = (ctype)(step);                                                                                   \
            }                                                                                                          \
            CHECK(out[i] == all);                                                                                      \
        }                                                                                                              \
        meet();                                                                                                        \
        shmem_##name##_##op##_to_all(in, in, N, start, log_stride, size, work, reduce_sync);                           \
        CHECK(memcmp(in, out, sizeof(ctype)) == 0 || in[0] == out[0]);                                                 \
        meet();                                                                                                        \
    }

#define BITWISE(name, ctype)                                                                                           \
    TO_ALL(name, ctype, and, -1, all &one) TO_ALL(name, ctype, or, 0, all | one) TO_ALL(name, ctype, xor, 0, all ^ one)
#define MINMAX(name, ctype)                                                                                            \
    TO_ALL(name, ctype, max, 0, one > all ? one : all) TO_ALL(name, ctype, min, 100, one < all ? one : all)
#define ARITH(name, ctype) TO_ALL(name, ctype, sum, 0, all + one) TO_ALL(name, ctype, prod, 1, all *one)

static void
reductions(void)
{
    SHMEM_TO_ALL_BITWISE_TYPES(BITWISE)
    SHMEM_TO_ALL_MINMAX_TYPES(MINMAX)
    SHMEM_TO_ALL_ARITH_TYPES(ARITH)
}

int
main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), npes = shmem_n_pes();

    for (start = 0; start < npes; start += 1 + npes / 3)
        for (log_stride = 0; log_stride < 3; log_stride++)
            for (size = 1; pe_of(size - 1) < npes; size += 1 + size / 2) {
                rank = (me - start) >> log_stride;
                if (me >= start && pe_of(rank) == me && rank < size) {
                    meet();
                    shmem_sync(start, log_stride, size, barrier_sync);
                    data32();
                    data64();
                    if (start == 0)
                        reductions();
                }
                shmem_barrier_all(); /* the next set uses the same pSync */
            }
    for (size_t i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        CHECK(reduce_sync[i] == SHMEM_SYNC_VALUE);
    shmem_finalize();
    return 0;
}
