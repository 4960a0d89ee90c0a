/* turn.c -- an operation of a litmus test becomes a call. */
#include <stdio.h>
#include <string.h>

#include "play.h"

enum { POLLS = 20000 }; /* whoever has polled this often polls for ever */

void *
turn_address(const struct turn *turn, const struct lit_place *place, enum lit_type type)
{
    const struct lit_object *object = &turn->player->test->objects[place->object];
    (void)type;
    return turn->objects + place->object * PLAY_SLOT + place->first * lit_types[object->type].bytes;
}

int64_t
turn_value(const struct turn *turn, const struct lit_value *value)
{
    return (value->reg < 0 ? 0 : turn->player->regs[value->reg]) + value->constant;
}

static void
plain(struct turn *turn, const struct lit_op *op)
{
    void *address = turn_address(turn, &op->place, op->type);

    if (op->place.pe >= 0 && op->place.pe != turn->pe)
        address = shmem_ptr(address, op->place.pe);
    if (op->row->kind == LIT_STORE)
        plain_store(op->type, address, turn_value(turn, &op->values[0]));
    else
        turn->player->regs[op->result] = plain_load(op->type, address);
}

/* signal_set, signal_add, signal_fetch, signal_wait_until. */
static void
by_signal(struct turn *turn, const struct lit_op *op)
{
    uint64_t *signal = turn_address(turn, &op->place, LIT_TYPE_uint64), seen;

    if (op->row->kind == LIT_AMO) {
        uint64_t value = (uint64_t)turn_value(turn, &op->values[0]);
        if (op->row->amo == SHMEM_AMO_SET)
            shmem_ctx_signal_set(turn->ctxs[op->ctx], signal, value, op->place.pe);
        else
            shmem_ctx_signal_add(turn->ctxs[op->ctx], signal, value, op->place.pe);
        return;
    }
    if (op->row->kind == LIT_SFETCH)
        seen = shmem_signal_fetch(signal);
    else
        seen = shmem_signal_wait_until(signal, (int)op->cmp, (uint64_t)turn_value(turn, &op->cmp_value));
    if (op->result >= 0)
        turn->player->regs[op->result] = (int64_t)seen;
}

static void
pe_quiet(struct turn *turn, const struct lit_op *op)
{
    int pes[LIT_PES], n = 0;

    for (int pe = 0; pe < turn->player->test->npes; pe++)
        if (op->pes >> pe & 1)
            pes[n++] = pe;
    shmem_ctx_pe_quiet(turn->ctxs[op->ctx], pes, (size_t)n);
}

static void
typed(struct turn *turn, const struct lit_op *op)
{
    switch (op->type) {
#define TYPED(name, ctype, bytes, is_signed)                                                                           \
    case LIT_TYPE_##name:                                                                                              \
        name##_typed(turn, op);                                                                                        \
        return;
        LIT_TYPE_ROWS(TYPED)
#undef TYPED
    case LIT_TYPES:
        break;
    }
    LIT_BUG("an operation of unknown type");
}

static void
call(struct turn *turn, const struct lit_op *op)
{
    long *lock = op->place.object >= 0 ? turn_address(turn, &op->place, LIT_TYPE_long) : NULL;

    switch (op->row->kind) {
    case LIT_LOAD:
    case LIT_STORE:
        plain(turn, op);
        break;
    case LIT_FENCE:
        shmem_ctx_fence(turn->ctxs[op->ctx]);
        break;
    case LIT_QUIET:
        shmem_ctx_quiet(turn->ctxs[op->ctx]);
        break;
    case LIT_PE_QUIET:
        pe_quiet(turn, op);
        break;
    case LIT_DESTROY:
        shmem_ctx_destroy(turn->ctxs[op->ctx]);
        turn->ctxs[op->ctx] = SHMEM_CTX_INVALID;
        break;
    case LIT_SYNC:
        if (op->team)
            shmem_team_sync(turn->teams[op->team]);
        else
            shmem_sync_all();
        break;
    case LIT_BARRIER:
        shmem_barrier_all();
        break;
    case LIT_LOCK:
        shmem_set_lock(lock);
        break;
    case LIT_UNLOCK:
        shmem_clear_lock(lock);
        break;
    case LIT_TRYLOCK:
        turn->player->regs[op->result] = shmem_test_lock(lock);
        break;
    case LIT_MEET:
        LIT_BUG("a PE with several threads");
    default:
        if (op->row->flags & LIT_SIGNAL)
            by_signal(turn, op);
        else
            typed(turn, op);
    }
}

void
turn_take(struct turn *turn, const struct lit_op *op)
{
    struct player *player = turn->player;

    if (op->guard >= 0 && !lit_compare(op->guard_cmp, player->regs[op->guard], op->guard_value))
        return;
    call(turn, op);
    while (op->until && !lit_compare(op->until, player->regs[op->result], op->until_value)) {
        if (++player->polls > POLLS) {
            player->polls_for_ever = true;
            shmem_global_exit(0);
        }
        call(turn, op);
    }
}
