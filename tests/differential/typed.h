/* typed.h -- the calls of one element type: included once a type by typed.c, with TYPE (long), CTYPE (long), and the
 * groups that the interface has for the type: ATOMIC, BITWISE. */
#define GLUE3(a, b, c) a##b##c
#define NAME3(a, b, c) GLUE3(a, b, c)
#define CALL(rest) NAME3(shmem_, TYPE, rest)
#define CTX_CALL(rest) NAME3(shmem_ctx_, TYPE, rest)
#define LOCAL(name) NAME3(TYPE, _, name)

static void
LOCAL(put)(struct turn *turn, const struct lit_op *op, shmem_ctx_t ctx, CTYPE *target)
{
    CTYPE values[LIT_ELEMENTS] = {0}, *source = values;
    size_t n = (size_t)op->count;
    uint64_t *signal = op->row->kind == LIT_SIG ? turn_address(turn, &op->signal, LIT_TYPE_uint64) : NULL;
    uint64_t by = signal ? (uint64_t)turn_value(turn, &op->signal_value) : 0;
    int how = op->signal_adds ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET, pe = op->place.pe;

    for (int i = 0; i < op->count; i++)
        values[i] = (CTYPE)turn_value(turn, &op->values[i]);
    if (op->local.object >= 0)
        source = turn_address(turn, &op->local, op->type);
    if (signal && op->row->flags & LIT_NBI)
        CTX_CALL(_put_signal_nbi)(ctx, target, source, n, signal, by, how, pe);
    else if (signal)
        CTX_CALL(_put_signal)(ctx, target, source, n, signal, by, how, pe);
    else if (op->row->flags & LIT_NBI)
        CTX_CALL(_put_nbi)(ctx, target, source, n, pe);
    else if (op->row->flags & LIT_BYTES)
        shmem_ctx_putmem(ctx, target, source, n * sizeof(CTYPE), pe);
    else if (!strcmp(op->row->name, "iput"))
        CTX_CALL(_iput)(ctx, target, source, op->stride, 1, n, pe);
    else if (!strcmp(op->row->name, "p"))
        CTX_CALL(_p)(ctx, target, values[0], pe);
    else
        CTX_CALL(_put)(ctx, target, source, n, pe);
}

static void
LOCAL(get)(struct turn *turn, const struct lit_op *op, shmem_ctx_t ctx, CTYPE *target)
{
    CTYPE value = 0;

    if (op->result < 0 && op->row->flags & LIT_NBI)
        CTX_CALL(_get_nbi)(ctx, turn_address(turn, &op->local, op->type), target, (size_t)op->count, op->place.pe);
    else if (op->result < 0)
        CTX_CALL(_get)(ctx, turn_address(turn, &op->local, op->type), target, (size_t)op->count, op->place.pe);
    else if (!strcmp(op->row->name, "g"))
        value = CTX_CALL(_g)(ctx, target, op->place.pe);
    else
        CTX_CALL(_get)(ctx, &value, target, 1, op->place.pe);
    if (op->result >= 0)
        turn->player->regs[op->result] = (int64_t)value;
}

#if ATOMIC
static CTYPE
LOCAL(fetch)(const struct lit_op *op, shmem_ctx_t ctx, CTYPE *target, CTYPE value, CTYPE compare)
{
    switch (op->row->amo) {
    case SHMEM_AMO_FETCH:
        return CTX_CALL(_atomic_fetch)(ctx, target, op->place.pe);
    case SHMEM_AMO_INC:
        return CTX_CALL(_atomic_fetch_inc)(ctx, target, op->place.pe);
    case SHMEM_AMO_ADD:
        return CTX_CALL(_atomic_fetch_add)(ctx, target, value, op->place.pe);
    case SHMEM_AMO_SWAP:
        return CTX_CALL(_atomic_swap)(ctx, target, value, op->place.pe);
    case SHMEM_AMO_CSWAP:
        return CTX_CALL(_atomic_compare_swap)(ctx, target, compare, value, op->place.pe);
    default:
        LIT_BUG("a fetching atomic of unknown kind");
    }
}

static void
LOCAL(fetch_nbi)(const struct lit_op *op, shmem_ctx_t ctx, CTYPE *into, CTYPE *target, CTYPE value)
{
    switch (op->row->amo) {
    case SHMEM_AMO_FETCH:
        CTX_CALL(_atomic_fetch_nbi)(ctx, into, target, op->place.pe);
        return;
    case SHMEM_AMO_INC:
        CTX_CALL(_atomic_fetch_inc_nbi)(ctx, into, target, op->place.pe);
        return;
    case SHMEM_AMO_ADD:
        CTX_CALL(_atomic_fetch_add_nbi)(ctx, into, target, value, op->place.pe);
        return;
    case SHMEM_AMO_SWAP:
        CTX_CALL(_atomic_swap_nbi)(ctx, into, target, value, op->place.pe);
        return;
    default:
        LIT_BUG("a nonblocking atomic of unknown kind");
    }
}

static void
LOCAL(update)(const struct lit_op *op, shmem_ctx_t ctx, CTYPE *target, CTYPE value)
{
    switch (op->row->amo) {
    case SHMEM_AMO_SET:
        CTX_CALL(_atomic_set)(ctx, target, value, op->place.pe);
        return;
    case SHMEM_AMO_INC:
        CTX_CALL(_atomic_inc)(ctx, target, op->place.pe);
        return;
    case SHMEM_AMO_ADD:
        CTX_CALL(_atomic_add)(ctx, target, value, op->place.pe);
        return;
#if BITWISE
    case SHMEM_AMO_AND:
        CTX_CALL(_atomic_and)(ctx, target, value, op->place.pe);
        return;
    case SHMEM_AMO_OR:
        CTX_CALL(_atomic_or)(ctx, target, value, op->place.pe);
        return;
    case SHMEM_AMO_XOR:
        CTX_CALL(_atomic_xor)(ctx, target, value, op->place.pe);
        return;
#endif
    default:
        LIT_BUG("an atomic that the type has not");
    }
}

static void
LOCAL(atomic)(struct turn *turn, const struct lit_op *op, shmem_ctx_t ctx, CTYPE *target)
{
    CTYPE value = (CTYPE)turn_value(turn, &op->values[0]), compare = (CTYPE)turn_value(turn, &op->compare);

    if (op->row->flags & LIT_NBI) {
        LOCAL(fetch_nbi)(op, ctx, turn_address(turn, &op->local, op->type), target, value);
    } else if (op->row->flags & LIT_FETCH) {
        CTYPE old = LOCAL(fetch)(op, ctx, target, value, compare);
        if (op->result >= 0)
            turn->player->regs[op->result] = (int64_t)old;
    } else {
        LOCAL(update)(op, ctx, target, value);
    }
}
#endif

static void
LOCAL(look)(struct turn *turn, const struct lit_op *op, CTYPE *ivar)
{
    CTYPE value = (CTYPE)turn_value(turn, &op->cmp_value);

    if (op->row->kind == LIT_WAIT) {
        CALL(_wait_until)(ivar, (int)op->cmp, value);
        return;
    }
    int result = CALL(_test)(ivar, (int)op->cmp, value);
    if (op->result >= 0)
        turn->player->regs[op->result] = result;
}

static void
LOCAL(collective)(struct turn *turn, const struct lit_op *op)
{
    shmem_team_t team = turn->teams[op->team];
    unsigned members = turn->player->test->teams[op->team].members;
    CTYPE *dest = turn_address(turn, &op->dest, op->type), *source = turn_address(turn, &op->local, op->type);
    size_t n = (size_t)op->count;

    if (!strcmp(op->row->name, "broadcast"))
        CALL(_broadcast)(team, dest, source, n, __builtin_popcount(members & ((1u << op->root) - 1)));
    else if (!strcmp(op->row->name, "fcollect"))
        CALL(_fcollect)(team, dest, source, n);
    else if (!strcmp(op->row->name, "alltoall"))
        CALL(_alltoall)(team, dest, source, n / (size_t)__builtin_popcount(members));
    else if (!strcmp(op->row->name, "sum_inscan"))
        CALL(_sum_inscan)(team, dest, source, n);
    else if (!strcmp(op->row->name, "sum_exscan"))
        CALL(_sum_exscan)(team, dest, source, n);
    else
        CALL(_sum_reduce)(team, dest, source, n);
}

void
LOCAL(typed)(struct turn *turn, const struct lit_op *op)
{
    CTYPE *target = op->place.object >= 0 ? turn_address(turn, &op->place, op->type) : NULL;
    shmem_ctx_t ctx = turn->ctxs[op->ctx];

    switch (op->row->kind) {
    case LIT_PUT:
    case LIT_SIG:
        LOCAL(put)(turn, op, ctx, target);
        break;
    case LIT_GET:
        LOCAL(get)(turn, op, ctx, target);
        break;
#if ATOMIC
    case LIT_AMO:
        LOCAL(atomic)(turn, op, ctx, target);
        break;
#endif
    case LIT_WAIT:
    case LIT_TEST:
        LOCAL(look)(turn, op, target);
        break;
    case LIT_COLL:
        LOCAL(collective)(turn, op);
        break;
    default:
        LIT_BUG("an operation that has no type, or not this one");
    }
}

#undef GLUE3
#undef NAME3
#undef CALL
#undef CTX_CALL
#undef LOCAL
