/* iput, iget, ibput, ibget, all 24 types and all five widths, with and without a context; strides 1, equal and
 * unequal; what lies between the elements stays untouched.
 *
 * RUN: -n 1,2,3,5,8 --seeds 1..2 --backends sim,direct
 * EXPECT: clean
 */
#include "conformance.h"

enum { N = 9, ROOM = 64 };

typedef struct bits128 {
    uint64_t half[2];
} bits128_t;

/* The shape of a transfer: nblocks blocks of `block` elements. */
static const struct shape {
    ptrdiff_t dst, sst;
    size_t block, nblocks;
} shapes[] = {{1, 1, 1, N}, {2, 3, 1, N}, {5, 1, 1, 0}, {3, 2, 2, N}, {4, 4, 4, 5}, {7, 5, 3, 1}, {2, 2, 2, 0}};

/* data[k * stride + j] has the value of from's element k * other + j; everything else is 0. `size` bytes an
 * element, which are all equal to the element's number, shifted by PE. */
static unsigned char
pattern(int pe, size_t i)
{
    return (unsigned char)(1 + i + 64 * ((size_t)pe % 3));
}

static void
fill(unsigned char *data, size_t size)
{
    for (size_t i = 0; i < ROOM; i++)
        memset(data + i * size, pattern(shmem_my_pe(), i), size);
}

static void
verify(const unsigned char *data, size_t size, const struct shape *shape, int from)
{
    unsigned char expected[ROOM] = {0};

    for (size_t k = 0; k < shape->nblocks; k++)
        for (size_t j = 0; j < shape->block; j++)
            expected[k * (size_t)shape->dst + j] = pattern(from, k * (size_t)shape->sst + j);
    for (size_t i = 0; i < ROOM * size; i++)
        CHECK(data[i] == expected[i / size]);
}

#define TEST_ONE(puts, gets, ...)                                                                                      \
    {                                                                                                                  \
        const struct shape *s = &shapes[n];                                                                            \
        memset(dest, 0, ROOM * sizeof *dest);                                                                          \
        shmem_barrier_all();                                                                                           \
        puts(__VA_ARGS__ next_pe());                                                                                   \
        shmem_ctx_quiet(ctx);                                                                                          \
        shmem_barrier_all();                                                                                           \
        verify((unsigned char *)dest, sizeof *dest, s, previous_pe());                                                 \
        shmem_barrier_all();                                                                                           \
        memset(dest, 0, ROOM * sizeof *dest);                                                                          \
        gets(__VA_ARGS__ next_pe());                                                                                   \
        verify((unsigned char *)dest, sizeof *dest, s, next_pe());                                                     \
    }

#define DEFINE_TEST(test, ctype, iput, iget, ibput, ibget, ctx_iput, ctx_iget, ctx_ibput, ctx_ibget)                   \
    static void test(shmem_ctx_t ctx)                                                                                  \
    {                                                                                                                  \
        ctype *dest = shmem_malloc(ROOM * sizeof *dest), *source = shmem_malloc(ROOM * sizeof *source);                \
                                                                                                                       \
        fill((unsigned char *)source, sizeof *source);                                                                 \
        shmem_barrier_all();                                                                                           \
        for (size_t n = 0; n < sizeof shapes / sizeof shapes[0]; n++) {                                                \
            TEST_ONE(ibput, ibget, dest, source, s->dst, s->sst, s->block, s->nblocks, )                               \
            TEST_ONE(ctx_ibput, ctx_ibget, ctx, dest, source, s->dst, s->sst, s->block, s->nblocks, )                  \
            if (shapes[n].block != 1)                                                                                  \
                continue;                                                                                              \
            TEST_ONE(iput, iget, dest, source, s->dst, s->sst, s->nblocks, )                                           \
            TEST_ONE(ctx_iput, ctx_iget, ctx, dest, source, s->dst, s->sst, s->nblocks, )                              \
        }                                                                                                              \
        shmem_free(source);                                                                                            \
        shmem_free(dest);                                                                                              \
    }

#define DEFINE(name, ctype)                                                                                            \
    DEFINE_TEST(test_##name, ctype, shmem_##name##_iput, shmem_##name##_iget, shmem_##name##_ibput,                    \
                shmem_##name##_ibget, shmem_ctx_##name##_iput, shmem_ctx_##name##_iget, shmem_ctx_##name##_ibput,      \
                shmem_ctx_##name##_ibget)
SHMEM_RMA_TYPES(DEFINE)
#undef DEFINE

typedef uint8_t bits8_t;
typedef uint16_t bits16_t;
typedef uint32_t bits32_t;
typedef uint64_t bits64_t;
#define DEFINE(S)                                                                                                      \
    DEFINE_TEST(test_bits##S, bits##S##_t, shmem_iput##S, shmem_iget##S, shmem_ibput##S, shmem_ibget##S,               \
                shmem_ctx_iput##S, shmem_ctx_iget##S, shmem_ctx_ibput##S, shmem_ctx_ibget##S)
SHMEM_SIZES(DEFINE)
#undef DEFINE

int
main(void)
{
    shmem_ctx_t ctx;

    shmem_init();
    CHECK(shmem_ctx_create(0, &ctx) == 0);
#define TEST(name, ctype) test_##name(ctx);
    SHMEM_RMA_TYPES(TEST)
#undef TEST
#define TEST(bits) test_bits##bits(ctx);
    SHMEM_SIZES(TEST)
#undef TEST
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return 0;
}
