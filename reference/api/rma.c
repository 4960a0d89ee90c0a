/* rma.c -- put and get in all their shapes (9.6).
 *
 * Every routine is a transfer of nblocks blocks of `block` elements, with strides between the starts of blocks: a
 * contiguous transfer is one block, iput has blocks of one element. rma() is the only body. */
#include "reference/api/ctx.h"
#include "reference/check/check.h"

struct shape {
    size_t block, nblocks;   /* elements, blocks */
    ptrdiff_t dst, sst;      /* elements; 0 where nblocks is 1 by construction */
    const char *stride_rule; /* NULL: contiguous */
};

static inline struct shape
contiguous(size_t nelems)
{
    return (struct shape){.block = nelems, .nblocks = 1};
}

static inline struct shape
strided(ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{
    return (struct shape){1, nelems, dst, sst, "E035, S 9.6.1.3"};
}

static inline struct shape
blocks(ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks)
{
    return (struct shape){bsize, nblocks, dst, sst, "E035, S 9.6.1.4"};
}

/* The bytes from the first to the last element of one side fit an address space. */
static bool
extent_fits(size_t elem_bytes, size_t block, size_t nblocks, ptrdiff_t stride)
{
    size_t elements = block, bytes, steps;

    if (nblocks > 1 && (__builtin_mul_overflow(nblocks - 1, (size_t)stride, &steps) ||
                        __builtin_add_overflow(steps, block, &elements)))
        return false;
    return !__builtin_mul_overflow(elements, elem_bytes, &bytes) && bytes <= PTRDIFF_MAX;
}

static bool
shape_judged(const struct shape *shape, size_t elem_bytes, const shmem_call_t *call)
{
    if (shape->stride_rule != NULL) {
        const size_t least = shape->block > 1 ? shape->block : 1;
        if (shape->dst < 1 || shape->sst < 1 || (size_t)shape->dst < least || (size_t)shape->sst < least) {
            fp_usage(FP_CLASS_USAGE, shape->stride_rule, call,
                     "%s was given strides %td (dest) and %td (source); the least is %zu", call->name, shape->dst,
                     shape->sst, least);
            return false;
        }
    }
    if (!extent_fits(elem_bytes, shape->block, shape->nblocks, shape->dst) ||
        !extent_fits(elem_bytes, shape->block, shape->nblocks, shape->sst)) {
        fp_usage(FP_CLASS_USAGE, "E037, S 9.6", call, "%s was given a length that overflows: %zu x %zu elements of %zu",
                 call->name, shape->nblocks, shape->block, elem_bytes);
        return false;
    }
    return true;
}

static void
rma(shmem_op_kind_t kind, unsigned flags, shmem_type_t type, size_t elem_bytes, shmem_ctx_t ctx, void *dest,
    const void *source, struct shape shape, int pe_in_team, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    shmem_ctx_state_t *state = fp_ctx_find(pe, ctx, &call);
    const int target = state == NULL ? -1 : fp_ctx_target(state, pe_in_team, &call);
    if (shape.stride_rule != NULL && (shape.block == 0 || shape.nblocks == 0))
        fp_note("E036, S 9.6.1.4", &call, "%s was given %zu blocks of %zu elements: it moves nothing", call.name,
                shape.nblocks, shape.block);
    if (target >= 0 && shape.block > 0 && shape.nblocks > 0 && shape_judged(&shape, elem_bytes, &call)) {
        const shmem_op_t op = {
            .kind = kind,
            .type = type,
            .flags = flags,
            .pe = target,
            .ctx = state,
            .dest = dest,
            .source = source,
            .elem_bytes = elem_bytes,
            .block_bytes = shape.block * elem_bytes,
            .nblocks = shape.nblocks,
            .dest_step = shape.dst * (ptrdiff_t)elem_bytes,
            .source_step = shape.sst * (ptrdiff_t)elem_bytes,
            .call = call,
        };
        if (kind == SHMEM_OP_PUT)
            pe->job->backend->put(&op);
        else
            pe->job->backend->get(&op);
    }
    fp_leave(pe);
}

#define PUT SHMEM_OP_PUT
#define GET SHMEM_OP_GET
#define NBI SHMEM_OPF_NBI

#define DEFINE(N, T)                                                                                                   \
    FP_ROUTINE_CTX(void, N##_put,                                                                                      \
                   rma(PUT, 0, SHMEM_TYPE_##N, sizeof(T), ctx, dest, source, contiguous(nelems), pe, call), T *dest,   \
                   const T *source, size_t nelems, int pe)                                                             \
    FP_ROUTINE_CTX(void, N##_p,                                                                                        \
                   rma(PUT, SHMEM_OPF_VALUE, SHMEM_TYPE_##N, sizeof(T), ctx, dest, &value, contiguous(1), pe, call),   \
                   T *dest, T value, int pe)                                                                           \
    FP_ROUTINE_CTX(void, N##_iput,                                                                                     \
                   rma(PUT, 0, SHMEM_TYPE_##N, sizeof(T), ctx, dest, source, strided(dst, sst, nelems), pe, call),     \
                   T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)                      \
    FP_ROUTINE_CTX(                                                                                                    \
        void, N##_ibput,                                                                                               \
        rma(PUT, 0, SHMEM_TYPE_##N, sizeof(T), ctx, dest, source, blocks(dst, sst, bsize, nblocks), pe, call),         \
        T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)                  \
    FP_ROUTINE_CTX(void, N##_get,                                                                                      \
                   rma(GET, 0, SHMEM_TYPE_##N, sizeof(T), ctx, dest, source, contiguous(nelems), pe, call), T *dest,   \
                   const T *source, size_t nelems, int pe)                                                             \
    FP_ROUTINE_CTX(                                                                                                    \
        T, N##_g,                                                                                                      \
        FP_RESULT(T, rma(GET, SHMEM_OPF_G, SHMEM_TYPE_##N, sizeof(T), ctx, &result, source, contiguous(1), pe, call)), \
        const T *source, int pe)                                                                                       \
    FP_ROUTINE_CTX(void, N##_iget,                                                                                     \
                   rma(GET, 0, SHMEM_TYPE_##N, sizeof(T), ctx, dest, source, strided(dst, sst, nelems), pe, call),     \
                   T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)                      \
    FP_ROUTINE_CTX(                                                                                                    \
        void, N##_ibget,                                                                                               \
        rma(GET, 0, SHMEM_TYPE_##N, sizeof(T), ctx, dest, source, blocks(dst, sst, bsize, nblocks), pe, call),         \
        T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)                  \
    FP_ROUTINE_CTX(void, N##_put_nbi,                                                                                  \
                   rma(PUT, NBI, SHMEM_TYPE_##N, sizeof(T), ctx, dest, source, contiguous(nelems), pe, call), T *dest, \
                   const T *source, size_t nelems, int pe)                                                             \
    FP_ROUTINE_CTX(void, N##_get_nbi,                                                                                  \
                   rma(GET, NBI, SHMEM_TYPE_##N, sizeof(T), ctx, dest, source, contiguous(nelems), pe, call), T *dest, \
                   const T *source, size_t nelems, int pe)
SHMEM_RMA_TYPES(DEFINE)
#undef DEFINE

#define DEFINE(S)                                                                                                      \
    FP_ROUTINE_CTX(void, put##S,                                                                                       \
                   rma(PUT, 0, SHMEM_TYPE_BITS##S, S / 8, ctx, dest, source, contiguous(nelems), pe, call),            \
                   void *dest, const void *source, size_t nelems, int pe)                                              \
    FP_ROUTINE_CTX(void, iput##S,                                                                                      \
                   rma(PUT, 0, SHMEM_TYPE_BITS##S, S / 8, ctx, dest, source, strided(dst, sst, nelems), pe, call),     \
                   void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)                \
    FP_ROUTINE_CTX(                                                                                                    \
        void, ibput##S,                                                                                                \
        rma(PUT, 0, SHMEM_TYPE_BITS##S, S / 8, ctx, dest, source, blocks(dst, sst, bsize, nblocks), pe, call),         \
        void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)            \
    FP_ROUTINE_CTX(void, get##S,                                                                                       \
                   rma(GET, 0, SHMEM_TYPE_BITS##S, S / 8, ctx, dest, source, contiguous(nelems), pe, call),            \
                   void *dest, const void *source, size_t nelems, int pe)                                              \
    FP_ROUTINE_CTX(void, iget##S,                                                                                      \
                   rma(GET, 0, SHMEM_TYPE_BITS##S, S / 8, ctx, dest, source, strided(dst, sst, nelems), pe, call),     \
                   void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)                \
    FP_ROUTINE_CTX(                                                                                                    \
        void, ibget##S,                                                                                                \
        rma(GET, 0, SHMEM_TYPE_BITS##S, S / 8, ctx, dest, source, blocks(dst, sst, bsize, nblocks), pe, call),         \
        void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)            \
    FP_ROUTINE_CTX(void, put##S##_nbi,                                                                                 \
                   rma(PUT, NBI, SHMEM_TYPE_BITS##S, S / 8, ctx, dest, source, contiguous(nelems), pe, call),          \
                   void *dest, const void *source, size_t nelems, int pe)                                              \
    FP_ROUTINE_CTX(void, get##S##_nbi,                                                                                 \
                   rma(GET, NBI, SHMEM_TYPE_BITS##S, S / 8, ctx, dest, source, contiguous(nelems), pe, call),          \
                   void *dest, const void *source, size_t nelems, int pe)
SHMEM_SIZES(DEFINE)
#undef DEFINE

#define DEFINE(name, kind, flags)                                                                                      \
    FP_ROUTINE_CTX(void, name, rma(kind, flags, SHMEM_TYPE_MEM, 1, ctx, dest, source, contiguous(nelems), pe, call),   \
                   void *dest, const void *source, size_t nelems, int pe)
DEFINE(putmem, PUT, 0)
DEFINE(getmem, GET, 0)
DEFINE(putmem_nbi, PUT, NBI)
DEFINE(getmem_nbi, GET, NBI)
#undef DEFINE
