/* checked.c -- the table that judges and then calls the plain one.
 *
 * The plain table is copied and the entries that carry addresses are replaced, so nothing else ever asks whether
 * checking is on. Order of an entry: may every buffer be touched, is it aligned, do buffers overlap. A call with a
 * buffer that it may not touch, or a misaligned one, is not carried out: what it would read is zero, waits are
 * satisfied. One whose buffers overlap is: the memory is its own. So is a put or get that is misaligned, as bytes:
 * most machines do it, and a program that lost its data would go astray from here on.
 */
#include "reference/check/checked.h"
#include "reference/check/address.h"

#include <string.h>

static const unsigned char alignments[SHMEM_TYPE_COUNT] = {[SHMEM_TYPE_MEM] = 1,
#define TYPE_ROW(name, ctype) [SHMEM_TYPE_##name] = _Alignof(ctype),
                                                           SHMEM_RMA_TYPES(TYPE_ROW) SHMEM_COMPLEX_TYPES(TYPE_ROW)
#undef TYPE_ROW
#define TYPE_ROW(bits) [SHMEM_TYPE_BITS##bits] = (bits) / 8,
                                                               SHMEM_SIZES(TYPE_ROW)
#undef TYPE_ROW
};

bool
fp_symmetric_fine(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call)
{
    size_t align = alignments[buffer->type];
    if (!fp_address_fine(pe, buffer, call))
        return false;
    if (__builtin_expect(((uintptr_t)buffer->address & (align - 1)) == 0, 1))
        return true;
    fp_address_misaligned(pe, buffer, align, call);
    return false;
}

/* The same for the symmetric side of a transfer, which may be misaligned and is moved as bytes then. */
static bool
transfer_fine(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call, bool *as_bytes)
{
    size_t align = alignments[buffer->type];
    *as_bytes = (uintptr_t)buffer->address & (align - 1);
    if (!fp_address_fine(pe, buffer, call))
        return false;
    if (*as_bytes)
        fp_address_misaligned(pe, buffer, align, call);
    return true;
}

static void
carry_out(struct fp_pe *pe, const shmem_op_t *op, bool as_bytes)
{
    shmem_op_t copy;
    if (as_bytes) {
        copy = *op;
        copy.type = SHMEM_TYPE_MEM;
        copy.elem_bytes = 1;
        op = &copy;
    }
    (op->kind == SHMEM_OP_PUT ? pe->job->plain->put : pe->job->plain->get)(op);
}

/* First byte to last of one side of a transfer. */
static inline size_t
extent(const shmem_op_t *op, ptrdiff_t step)
{
    return op->nblocks == 1 ? op->block_bytes : (op->nblocks - 1) * (size_t)step + op->block_bytes;
}

bool
fp_ranges_meet(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return a_bytes && b_bytes && x < y + b_bytes && y < x + a_bytes;
}

/* Strided sides whose extents overlap may still pass each other: looks at each block. */
static bool
blocks_meet(const shmem_op_t *op, const char *dest, const char *source)
{
    ptrdiff_t bytes = (ptrdiff_t)op->block_bytes, step = op->source_step;
    for (size_t i = 0; i < op->nblocks; i++) {
        const char *at = dest + (ptrdiff_t)i * op->dest_step;
        ptrdiff_t before = at - source - (bytes - 1); /* the first source block that ends behind `at` */
        ptrdiff_t j = before <= 0 || step <= 0 ? 0 : (before + step - 1) / step;
        if ((size_t)j < op->nblocks && source + j * step < at + bytes && at < source + j * step + bytes)
            return true;
    }
    return false;
}

/* The two sides of a transfer after translation: `remote` lies in the copy of op->pe. */
static void
judge_overlap(struct fp_pe *pe, const shmem_op_t *op, const struct fp_buffer *remote, const struct fp_buffer *local,
              bool put)
{
    struct fp_job *job = pe->job;
    const char *there = remote->address;
    if (op->pe != pe->rank) {
        /* Private memory of the caller is in no copy of another PE; only an alias by shmem_ptr is. */
        const struct fp_pe *target = &job->pes[op->pe];
        uintptr_t at = (uintptr_t)local->address;
        if (at - (uintptr_t)target->heap_base >= job->stride &&
            at - (uintptr_t)target->static_lo >= (uintptr_t)(target->static_hi - target->static_lo))
            return;
        there = fp_translate(job, there, pe->rank, op->pe);
    }
    if (!fp_ranges_meet(there, remote->bytes, local->address, local->bytes))
        return;
    const char *dest = put ? there : local->address, *source = put ? local->address : there;
    if (op->nblocks == 1 || blocks_meet(op, dest, source))
        fp_overlap_report(pe, put ? remote : local, put ? local : remote, &op->call, false);
}

static bool
signal_fine(struct fp_pe *pe, const shmem_op_t *op, const struct fp_buffer *dest, const struct fp_buffer *source)
{
    struct fp_buffer signal = {op->sig_addr, sizeof *op->sig_addr, FP_ROLE_SIGNAL, op->pe, SHMEM_TYPE_uint64};
    if (!fp_symmetric_fine(pe, &signal, &op->call))
        return false;
    if (fp_ranges_meet(dest->address, dest->bytes, signal.address, signal.bytes))
        fp_overlap_report(pe, dest, &signal, &op->call, false);
    else if (op->pe == pe->rank && fp_ranges_meet(source->address, source->bytes, signal.address, signal.bytes))
        fp_overlap_report(pe, source, &signal, &op->call, false);
    return true;
}

/* The common case, without a buffer being described: one block, the symmetric side in an object that is known, the
 * other private to the caller (or the front end's own copy of a value). Nothing can be wrong with it. False: look
 * closely. */
static inline bool
plainly_fine(const struct fp_pe *pe, const shmem_op_t *op, const void *symmetric, const void *local, bool no_local)
{
    if (op->nblocks != 1 || op->flags & SHMEM_OPF_SIGNAL || (uintptr_t)symmetric & (alignments[op->type] - 1u) ||
        !fp_known(pe, symmetric, op->block_bytes))
        return false;
    if (no_local)
        return true;
    const struct fp_pe *target = &pe->job->pes[op->pe];
    return fp_surely_private(pe, local) &&
           (uintptr_t)local - (uintptr_t)target->static_lo >= (uintptr_t)(target->static_hi - target->static_lo);
}

static bool
put_fine(struct fp_pe *pe, const shmem_op_t *op, bool *as_bytes)
{
    struct fp_buffer dest = {op->dest, extent(op, op->dest_step), FP_ROLE_DEST, op->pe, op->type};
    struct fp_buffer source = {op->source, extent(op, op->source_step), FP_ROLE_LOCAL_SOURCE, pe->rank, op->type};
    /* put_signal may carry no data: then its pointers are not looked at. */
    if (op->block_bytes && !transfer_fine(pe, &dest, &op->call, as_bytes))
        return false;
    if (op->flags & SHMEM_OPF_VALUE)
        return true;
    if (op->block_bytes && !fp_address_fine(pe, &source, &op->call))
        return false;
    if (op->flags & SHMEM_OPF_SIGNAL && !signal_fine(pe, op, &dest, &source))
        return false;
    if (op->block_bytes)
        judge_overlap(pe, op, &dest, &source, true);
    return true;
}

static void
checked_put(const shmem_op_t *op)
{
    struct fp_pe *pe = op->ctx->pe;
    bool as_bytes = false;
    if (plainly_fine(pe, op, op->dest, op->source, op->flags & SHMEM_OPF_VALUE) || op->flags & SHMEM_OPF_INTERNAL ||
        put_fine(pe, op, &as_bytes))
        carry_out(pe, op, as_bytes);
}

static void
checked_get(const shmem_op_t *op)
{
    struct fp_pe *pe = op->ctx->pe;
    bool as_bytes = false;
    if (!plainly_fine(pe, op, op->source, op->dest, op->flags & SHMEM_OPF_G) && !(op->flags & SHMEM_OPF_INTERNAL)) {
        struct fp_buffer dest = {op->dest, extent(op, op->dest_step), FP_ROLE_LOCAL_DEST, pe->rank, op->type};
        struct fp_buffer source = {op->source, extent(op, op->source_step), FP_ROLE_SOURCE, op->pe, op->type};
        bool result = op->flags & SHMEM_OPF_G;
        if (!result && !fp_address_fine(pe, &dest, &op->call))
            return;
        if (!transfer_fine(pe, &source, &op->call, &as_bytes)) {
            for (size_t i = 0; i < op->nblocks; i++)
                memset((char *)op->dest + (ptrdiff_t)i * op->dest_step, 0, op->block_bytes);
            return;
        }
        if (!result)
            judge_overlap(pe, op, &source, &dest, false);
    }
    carry_out(pe, op, as_bytes);
}

static bool
amo_fine(struct fp_pe *pe, const shmem_op_t *op)
{
    enum fp_role role = op->flags & SHMEM_OPF_SIGNAL ? FP_ROLE_SIGNAL : FP_ROLE_TARGET;
    struct fp_buffer dest = {op->dest, op->elem_bytes, role, op->pe, op->type};
    struct fp_buffer fetch = {op->fetch, op->elem_bytes, FP_ROLE_FETCH, pe->rank, op->type};
    bool users = op->flags & SHMEM_OPF_NBI; /* else fetch is the front end's own */
    if (users && !fp_address_fine(pe, &fetch, &op->call))
        return false;
    if (!fp_symmetric_fine(pe, &dest, &op->call)) {
        if (op->fetch)
            memset(op->fetch, 0, op->elem_bytes);
        return false;
    }
    if (users && op->pe == pe->rank && fp_ranges_meet(dest.address, dest.bytes, fetch.address, fetch.bytes))
        fp_overlap_report(pe, &fetch, &dest, &op->call, false);
    return true;
}

static void
checked_amo(const shmem_op_t *op)
{
    struct fp_pe *pe = op->ctx->pe;
    if ((!(op->flags & SHMEM_OPF_NBI) && plainly_fine(pe, op, op->dest, NULL, true)) ||
        op->flags & SHMEM_OPF_INTERNAL || amo_fine(pe, op))
        pe->job->plain->amo(op);
}

static bool
vectors_fine(struct fp_pe *pe, const shmem_wait_t *w, const struct fp_buffer *ivars)
{
    const struct fp_buffer others[] = {
        {w->status, w->status ? w->n * sizeof *w->status : 0, FP_ROLE_STATUS, pe->rank, SHMEM_TYPE_int},
        {w->indices, w->indices ? w->n * sizeof *w->indices : 0, FP_ROLE_INDICES, pe->rank, SHMEM_TYPE_size},
        {w->vector ? w->values : NULL, w->vector ? w->n * w->elem_bytes : 0, FP_ROLE_VALUES, pe->rank, w->type},
    };
    for (int i = 0; i < 3; i++) {
        if (others[i].bytes && !fp_address_fine(pe, &others[i], &w->call))
            return false;
        if (fp_ranges_meet(others[i].address, others[i].bytes, ivars->address, ivars->bytes))
            fp_overlap_report(pe, ivars, &others[i], &w->call, false);
        if (i != 1 && fp_ranges_meet(others[i].address, others[i].bytes, others[1].address, others[1].bytes))
            fp_overlap_report(pe, &others[1], &others[i], &w->call, false);
    }
    return true;
}

static bool
wait_fine(struct fp_pe *pe, const shmem_wait_t *w)
{
    struct fp_buffer ivars = {w->ivars, w->n * w->elem_bytes, FP_ROLE_IVAR, pe->rank, w->type};
    if (w->flags & SHMEM_OPF_SIGNAL)
        ivars.role = FP_ROLE_SIGNAL;
    return fp_symmetric_fine(pe, &ivars, &w->call) &&
           ((!w->status && !w->indices && !w->vector) || vectors_fine(pe, w, &ivars));
}

/* What a wait that is not carried out gives: satisfied, so that the program goes on. */
static size_t
satisfied(const shmem_wait_t *w)
{
    if (w->seen)
        *w->seen = 0;
    return w->mode == SHMEM_WAIT_ALL ? 1 : 0;
}

static size_t
checked_wait(const shmem_wait_t *w)
{
    struct fp_pe *pe = fp_self;
    if (w->flags & SHMEM_OPF_INTERNAL || wait_fine(pe, w))
        return pe->job->plain->wait(w);
    return satisfied(w);
}

static size_t
checked_test(const shmem_wait_t *w)
{
    struct fp_pe *pe = fp_self;
    if (w->flags & SHMEM_OPF_INTERNAL || wait_fine(pe, w))
        return pe->job->plain->test(w);
    return satisfied(w);
}

static uint64_t
checked_signal_fetch(const uint64_t *sig_addr, const shmem_call_t *call)
{
    struct fp_pe *pe = fp_self;
    struct fp_buffer signal = {sig_addr, sizeof *sig_addr, FP_ROLE_SIGNAL, pe->rank, SHMEM_TYPE_uint64};
    return fp_symmetric_fine(pe, &signal, call) ? pe->job->plain->signal_fetch(sig_addr, call) : 0;
}

static bool
lock_fine(struct fp_pe *pe, const long *lock, const shmem_call_t *call)
{
    struct fp_buffer buffer = {lock, sizeof *lock, FP_ROLE_LOCK, pe->rank, SHMEM_TYPE_long};
    return fp_symmetric_fine(pe, &buffer, call);
}

static void
checked_lock_set(long *lock, const shmem_call_t *call)
{
    if (lock_fine(fp_self, lock, call))
        fp_self->job->plain->lock_set(lock, call);
}

static int
checked_lock_test(long *lock, const shmem_call_t *call)
{
    return lock_fine(fp_self, lock, call) ? fp_self->job->plain->lock_test(lock, call) : 0;
}

static void
checked_lock_clear(long *lock, const shmem_call_t *call)
{
    if (lock_fine(fp_self, lock, call))
        fp_self->job->plain->lock_clear(lock, call);
}

static void
checked_coll_enter(const shmem_coll_t *c)
{
    struct fp_pe *pe = fp_self;
    if (!fp_collective_fine(pe, c) || (c->psync != NULL && !fp_psync_enter(pe, c)))
        fp_job_abort(pe->job, 66); /* its members would move data to and from where nothing may be touched */
    pe->job->plain->coll_enter(c);
}

static void
checked_coll_leave(const shmem_coll_t *c)
{
    if (c->psync != NULL)
        fp_psync_leave(fp_self, c);
    fp_self->job->plain->coll_leave(c);
}

static void
checked_sync(const shmem_coll_t *c)
{
    struct fp_pe *pe = fp_self;
    if (c->psync != NULL && !fp_psync_enter(pe, c))
        fp_job_abort(pe->job, 66);
    pe->job->plain->sync(c);
    if (c->psync != NULL)
        fp_psync_leave(pe, c);
}

static void
checked_block_born(struct fp_pe *pe, size_t offset, size_t bytes, const shmem_call_t *call)
{
    memset(pe->known, 0, sizeof pe->known);
    pe->touched.bytes = 0;
    pe->job->plain->block_born(pe, offset, bytes, call);
}

static void
checked_block_died(struct fp_pe *pe, size_t offset, size_t bytes, const shmem_call_t *call)
{
    memset(pe->known, 0, sizeof pe->known);
    pe->touched.bytes = 0;
    pe->job->plain->block_died(pe, offset, bytes, call);
}

const shmem_backend_t *
fp_checked_table(struct fp_job *job, const shmem_backend_t *plain)
{
    shmem_backend_t *table = &job->checked;
    job->plain = plain;
    *table = *plain;
    table->put = checked_put;
    table->get = checked_get;
    table->amo = checked_amo;
    table->wait = checked_wait;
    table->test = checked_test;
    table->signal_fetch = checked_signal_fetch;
    table->coll_enter = checked_coll_enter;
    table->coll_leave = checked_coll_leave;
    table->sync = checked_sync;
    table->lock_set = checked_lock_set;
    table->lock_test = checked_lock_test;
    table->lock_clear = checked_lock_clear;
    table->block_born = checked_block_born;
    table->block_died = checked_block_died;
    return table;
}
