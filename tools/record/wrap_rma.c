/* wrap_rma.c -- put, get and their kin, with and without a context. */
#include <string.h>

#include "tools/record/wrap.h"

int64_t
wrap_value(const void *at, size_t bytes)
{
    uint64_t bits = 0;
    if (bytes == 0 || bytes > sizeof bits)
        return 0;
    memcpy(&bits, at, bytes);
    unsigned above = 64 - 8 * (unsigned)bytes;
    return (int64_t)(bits << above) >> above;
}

void
wrap_issue(const struct record_call *call, const struct wrap_op *op, uint64_t began)
{
    struct record_call issue = *call;
    struct record_fields fields = {0};
    int64_t region, offset;
    issue.event = TRACE_EV_ISSUE;
    issue.op = op->op;
    issue.type = op->type;
    issue.amo = op->amo;
    issue.flags = op->flags;
    issue.signal = op->signal;
    issue.elem = op->elem;
    record_place(op->remote, &region, &offset);
    RECORD_SET(&fields, region, region);
    RECORD_SET(&fields, offset, offset);
    record_place(op->local, &region, &offset);
    RECORD_SET(&fields, local_region, region);
    RECORD_SET(&fields, local_offset, offset);
    RECORD_SET(&fields, target, record_ctx_pe(op->ctx, op->pe));
    RECORD_SET(&fields, bytes, op->n * op->elem);
    RECORD_SET(&fields, ctx, record_ctx(op->ctx));
    RECORD_SET(&fields, value, op->value);
    bool strided = op->n > 1 && (op->remote_step || op->local_step);
    RECORD_SET(&fields, blocks, strided ? op->n - 1 : 0);
    RECORD_SET(&fields, step, strided ? op->remote_step : 0);
    RECORD_SET(&fields, local_step, strided ? op->local_step : 0);
    if (op->signal_at) {
        record_place(op->signal_at, &region, &offset);
        RECORD_SET(&fields, signal_region, region);
        RECORD_SET(&fields, signal_offset, offset);
        RECORD_SET(&fields, signal_value, op->signal_value);
    }
    record_write(&issue, &fields, began);
}

void
wrap_return(const struct record_call *call, uint64_t began)
{
    struct record_call returned = {.event = TRACE_EV_RETURN, .name = call->name, .site = call->site};
    struct record_fields fields = {0};
    RECORD_SET(&fields, age, 0);
    record_write(&returned, &fields, began);
}

/* A put: of one element its value is told. */
static void
put(const struct record_call *call, uint64_t began, const char *type, size_t elem, const char *flags, ctx_pointer ctx,
    const void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe)
{
    struct wrap_op op = {.op = "put",
                         .type = type,
                         .flags = flags,
                         .elem = elem,
                         .n = n,
                         .ctx = ctx,
                         .remote = dest,
                         .local = source,
                         .remote_step = dst * (ptrdiff_t)elem,
                         .local_step = sst * (ptrdiff_t)elem,
                         .pe = pe,
                         .value = n == 1 ? wrap_value(source, elem) : 0};
    if (!strcmp(type, "mem") && (n == 2 || n == 4 || n == 8))
        op.value = wrap_value(source, n);
    if (n > 0)
        wrap_issue(call, &op, began);
}

static void
get(const struct record_call *call, uint64_t began, const char *type, size_t elem, const char *flags, ctx_pointer ctx,
    const void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe)
{
    struct wrap_op op = {.op = "get",
                         .type = type,
                         .flags = flags,
                         .elem = elem,
                         .n = n,
                         .ctx = ctx,
                         .remote = source,
                         .local = dest,
                         .remote_step = sst * (ptrdiff_t)elem,
                         .local_step = dst * (ptrdiff_t)elem,
                         .pe = pe};
    if (n > 0)
        wrap_issue(call, &op, began);
}

#define NOTHING (void)0
#define RETURNED                                                                                                       \
    if (n > 0)                                                                                                         \
    wrap_return(&call, began)

/* One routine without and with a context: `params` and `args` without it. */
#define BOTH(name, params, args, before, after) BOTH_(name, PLAIN params, PLAIN args, before, after)
#define PLAIN(...) __VA_ARGS__
#define BOTH_(name, params, args, before, after)                                                                       \
    WRAP_VOID(name, (params), (args), ctx_pointer ctx = NULL; before, after)                                           \
    WRAP_VOID(ctx_##name, (ctx_pointer ctx, params), (ctx, args), before, after)

#define CONTIGUOUS(put_name, get_name, T, text, elem)                                                                  \
    BOTH(put_name, (T * dest, const T *source, size_t n, int pe), (dest, source, n, pe),                               \
         put(&call, began, text, elem, "", ctx, dest, source, 0, 0, n, pe), NOTHING)                                   \
    BOTH(put_name##_nbi, (T * dest, const T *source, size_t n, int pe), (dest, source, n, pe),                         \
         put(&call, began, text, elem, "nbi", ctx, dest, source, 0, 0, n, pe), NOTHING)                                \
    BOTH(get_name, (T * dest, const T *source, size_t n, int pe), (dest, source, n, pe),                               \
         get(&call, began, text, elem, "", ctx, dest, source, 0, 0, n, pe), RETURNED)                                  \
    BOTH(get_name##_nbi, (T * dest, const T *source, size_t n, int pe), (dest, source, n, pe),                         \
         get(&call, began, text, elem, "nbi", ctx, dest, source, 0, 0, n, pe), NOTHING)

#define STRIDED(put_name, get_name, T, text, elem)                                                                     \
    BOTH(put_name, (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe),                        \
         (dest, source, dst, sst, n, pe), put(&call, began, text, elem, "", ctx, dest, source, dst, sst, n, pe),       \
         NOTHING)                                                                                                      \
    BOTH(get_name, (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe),                        \
         (dest, source, dst, sst, n, pe), get(&call, began, text, elem, "", ctx, dest, source, dst, sst, n, pe),       \
         RETURNED)

#define SINGLE(NAME, T)                                                                                                \
    BOTH(NAME##_p, (T * dest, T value, int pe), (dest, value, pe),                                                     \
         put(&call, began, #NAME, sizeof(T), "value", ctx, dest, &value, 0, 0, 1, pe), NOTHING)                        \
    WRAP(T, NAME##_g, (const T *source, int pe), (source, pe),                                                         \
         get(&call, began, #NAME, sizeof(T), "g", NULL, NULL, source, 0, 0, 1, pe), wrap_return(&call, began))         \
    WRAP(T, ctx_##NAME##_g, (ctx_pointer ctx, const T *source, int pe), (ctx, source, pe),                             \
         get(&call, began, #NAME, sizeof(T), "g", ctx, NULL, source, 0, 0, 1, pe), wrap_return(&call, began))

#define TYPED(NAME, T)                                                                                                 \
    CONTIGUOUS(NAME##_put, NAME##_get, T, #NAME, sizeof(T))                                                            \
    STRIDED(NAME##_iput, NAME##_iget, T, #NAME, sizeof(T))                                                             \
    SINGLE(NAME, T)
SHMEM_RMA_TYPES(TYPED)

#define SIZED(bits)                                                                                                    \
    CONTIGUOUS(put##bits, get##bits, void, "bits" #bits, bits / 8)                                                     \
    STRIDED(iput##bits, iget##bits, void, "bits" #bits, bits / 8)
SHMEM_SIZES(SIZED)

CONTIGUOUS(putmem, getmem, void, "mem", 1)

/* put_signal (1.5): where the implementation has it. */
static void
put_signal(const struct record_call *call, uint64_t began, const char *type, size_t elem, const char *flags,
           ctx_pointer ctx, const void *dest, const void *source, size_t n, const uint64_t *at, uint64_t signal,
           int how, int pe)
{
    struct wrap_op op = {.op = "put",
                         .type = type,
                         .flags = flags,
                         .elem = elem,
                         .n = n,
                         .ctx = ctx,
                         .remote = dest,
                         .local = source,
                         .pe = pe,
                         .signal = how ? "add" : "set",
                         .signal_at = at,
                         .signal_value = signal};
    wrap_issue(call, &op, began);
}
#define SIGNALLED(name, T, text, elem, nbi)                                                                            \
    BOTH(name, (T * dest, const T *source, size_t n, uint64_t *at, uint64_t signal, int how, int pe),                  \
         (dest, source, n, at, signal, how, pe),                                                                       \
         put_signal(&call, began, text, elem, nbi "signal", ctx, dest, source, n, at, signal, how, pe), NOTHING)
#define SIGNALLED_TYPE(NAME, T)                                                                                        \
    SIGNALLED(NAME##_put_signal, T, #NAME, sizeof(T), "")                                                              \
    SIGNALLED(NAME##_put_signal_nbi, T, #NAME, sizeof(T), "nbi ")
SHMEM_RMA_TYPES(SIGNALLED_TYPE)
SIGNALLED(putmem_signal, void, "mem", 1, "")
SIGNALLED(putmem_signal_nbi, void, "mem", 1, "nbi ")
