/* putS, getS and the mem routines, blocking and nonblocking, with and without a context, between static objects.
 *
 * RUN: -n 1,2,3,5,8 --seeds 1..2 --backends sim,direct
 * EXPECT: clean
 */
#include "conformance.h"

enum { N = 11 };

static unsigned char
pattern(int pe, size_t i)
{
    return (unsigned char)(i * 7 + (size_t)pe * 31 + 1);
}

static void
is_from(const void *data, size_t bytes, int pe)
{
    for (size_t i = 0; i < bytes; i++)
        CHECK(((const unsigned char *)data)[i] == pattern(pe, i));
}

#define DEFINE_TEST(test, element, put, get, put_nbi, get_nbi, ctx_put, ctx_get, ctx_put_nbi, ctx_get_nbi)             \
    static struct {                                                                                                    \
        _Alignas(16) unsigned char dest[N * element], source[N * element];                                             \
    } test##_memory;                                                                                                   \
    static void test(shmem_ctx_t ctx)                                                                                  \
    {                                                                                                                  \
        unsigned char *dest = test##_memory.dest, *source = test##_memory.source;                                      \
        const size_t bytes = N * element;                                                                              \
                                                                                                                       \
        for (size_t i = 0; i < bytes; i++)                                                                             \
            source[i] = pattern(shmem_my_pe(), i);                                                                     \
        shmem_barrier_all();                                                                                           \
        for (int form = 0; form < 4; form++) {                                                                         \
            memset(dest, 0, bytes);                                                                                    \
            shmem_barrier_all();                                                                                       \
            form == 0   ? put(dest, source, N, next_pe())                                                              \
            : form == 1 ? put_nbi(dest, source, N, next_pe())                                                          \
            : form == 2 ? ctx_put(ctx, dest, source, N, next_pe())                                                     \
                        : ctx_put_nbi(ctx, dest, source, N, next_pe());                                                \
            put(dest, source, 0, next_pe());                                                                           \
            shmem_ctx_quiet(ctx);                                                                                      \
            shmem_barrier_all();                                                                                       \
            is_from(dest, bytes, previous_pe());                                                                       \
            shmem_barrier_all();                                                                                       \
            memset(dest, 0, bytes);                                                                                    \
            form == 0   ? get(dest, source, N, next_pe())                                                              \
            : form == 1 ? get_nbi(dest, source, N, next_pe())                                                          \
            : form == 2 ? ctx_get(ctx, dest, source, N, next_pe())                                                     \
                        : ctx_get_nbi(ctx, dest, source, N, next_pe());                                                \
            shmem_ctx_quiet(ctx);                                                                                      \
            shmem_quiet();                                                                                             \
            is_from(dest, bytes, next_pe());                                                                           \
        }                                                                                                              \
    }

#define DEFINE(bits)                                                                                                   \
    DEFINE_TEST(test_##bits, bits / 8, shmem_put##bits, shmem_get##bits, shmem_put##bits##_nbi, shmem_get##bits##_nbi, \
                shmem_ctx_put##bits, shmem_ctx_get##bits, shmem_ctx_put##bits##_nbi, shmem_ctx_get##bits##_nbi)
SHMEM_SIZES(DEFINE)
#undef DEFINE
DEFINE_TEST(test_mem, 1, shmem_putmem, shmem_getmem, shmem_putmem_nbi, shmem_getmem_nbi, shmem_ctx_putmem,
            shmem_ctx_getmem, shmem_ctx_putmem_nbi, shmem_ctx_getmem_nbi)

int
main(void)
{
    shmem_ctx_t ctx;

    shmem_init();
    CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE | SHMEM_CTX_SERIALIZED, &ctx) == 0);
#define TEST(bits) test_##bits(ctx);
    SHMEM_SIZES(TEST)
#undef TEST
    test_mem(ctx);
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return 0;
}
