/* search_spin.c -- PEs that look again and again, in an exhaustive search.
 *
 * A PE that repeats a look which saw nothing need not move: until something touches that PE, or what it fetches, the
 * same look sees the same, so it is a wait in the form of a loop. A first look is a step like any other, since the
 * program may act on its failing. Looks are test and the like, and plain loads; a blocking fetch, where the loop
 * sleeps or yields between them (a fetch alone may as well be one of several that count).
 */
#include "sim/search.h"
#include "sim/sim.h"

void
search_note_look(struct search_pe *looker, const void *site)
{
    for (uint32_t i = 0; i < looker->nlooks; i++)
        if (looker->looks[i] == site) {
            looker->spinning = true;
            return;
        }
    if (looker->nlooks < SEARCH_LOOKS)
        looker->looks[looker->nlooks++] = site;
    else
        looker->spinning = true;
}

void
search_unspin(struct search_pe *looker)
{
    looker->spinning = false;
    looker->nlooks = 0;
    looker->fetched = NULL;
}

void
search_unspin_all(struct search_log *log)
{
    for (uint32_t i = 0; i < log->npes; i++)
        search_unspin(&log->pes[i]);
}

/* A blocking operation that only looks, or an attempt that may have been in vain: a loop around it is a wait, if it
 * sleeps or yields between the looks. */
bool
search_is_look(const struct sim_op *op)
{
    bool waited = !(op->flags & SHMEM_OPF_NBI);
    return waited && (op->kind == SHMEM_OP_GET ||
                      (op->kind == SHMEM_OP_AMO && (op->amo == SHMEM_AMO_FETCH || op->amo == SHMEM_AMO_CSWAP)));
}

/* Bytes [lo, hi) change by an operation: its two PEs look anew, and whoever fetches from there. */
void
search_unspin_changed(struct search_log *log, const struct sim_op *op, const char *lo, const char *hi)
{
    search_unspin(&log->pes[op->origin]);
    search_unspin(&log->pes[op->target]);
    for (uint32_t i = 0; i < log->npes; i++) {
        struct search_pe *looker = &log->pes[i];
        if (looker->fetched && lo < looker->fetched + looker->fetched_bytes && hi > looker->fetched)
            search_unspin(looker);
    }
}

void
search_unspin_for(struct search_log *log, const struct sim_unit *unit)
{
    const struct sim_flight *flight = unit->flight;
    const char *lo = unit->kind == SIM_UNIT_SIGNAL ? flight->sig_remote : flight->remote, *hi = lo;
    if (search_is_look(&flight->op)) {
        log->pes[flight->op.origin].fetched = flight->remote;
        log->pes[flight->op.origin].fetched_bytes = flight->op.bytes;
        return;
    }
    if (unit->kind == SIM_UNIT_PUT) {
        ptrdiff_t span = (ptrdiff_t)(flight->nblocks - 1) * flight->remote_step;
        lo += span < 0 ? span : 0;
        hi += (span > 0 ? span : 0) + (ptrdiff_t)flight->block_bytes;
    } else if (unit->kind != SIM_UNIT_GET) {
        hi += sizeof(uint64_t);
    }
    search_unspin_changed(log, &flight->op, lo, hi);
}
