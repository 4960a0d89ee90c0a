/* turns.c -- the data collectives of one team follow each other on every member (A19).
 *
 * A member may leave a collective while others are still in it, or have not come yet, and push the data of the next
 * one. What it pushes to a member that has not left all earlier calls of the team stays under way until that member
 * has: otherwise the earlier call's data could arrive on top, and whoever uses one buffer for both would keep the wrong
 * one, without a mistake of his own. The sender is not held up.
 */
#include <stdlib.h>

#include "reference/team/team.h"
#include "sim/sim.h"

/* Calls of a team that a PE has left behind. */
struct sim_turn {
    struct sim_turn *next;
    int team;
    uint64_t stamp; /* tells a team from an earlier one of the same number */
    uint64_t left;
    struct sim_unit *held; /* data of later calls, through held_next */
};

static struct sim_turn *
turn_of(struct sim_pe *sp, int team)
{
    const struct fp_team *entry = fp_team_get(sp->sim->job, team);
    uint64_t stamp = entry ? entry->stamp : 0;
    struct sim_turn *turn = sp->turns;

    while (turn && (turn->team != team || turn->stamp != stamp))
        turn = turn->next;
    if (turn)
        return turn;
    turn = calloc(1, sizeof *turn);
    if (!turn)
        fp_env_fail("out of memory at a collective");
    *turn = (struct sim_turn){.next = sp->turns, .team = team, .stamp = stamp};
    return sp->turns = turn;
}

bool
sim_turn_holds(struct sim *sim, struct sim_unit *unit)
{
    const struct sim_op *op = &unit->flight->op;

    if (!(op->flags & SHMEM_OPF_INTERNAL) || unit->kind != SIM_UNIT_PUT || op->target == op->origin)
        return false;
    struct sim_turn *turn = turn_of(&sim->pes[op->target], op->coll.team);
    if (turn->left >= op->coll.seq)
        return false;
    unit->held_next = turn->held;
    turn->held = unit;
    return true;
}

/* The PE has left the first `left` calls of the team. */
static void
turn_comes(struct sim_pe *sp, int team, uint64_t left)
{
    struct sim_turn *turn = turn_of(sp, team);
    struct sim_unit *ready = NULL;

    turn->left = left;
    for (struct sim_unit **at = &turn->held, *unit; (unit = *at);) {
        if (unit->flight->op.coll.seq > left) {
            at = &unit->held_next;
            continue;
        }
        *at = unit->held_next;
        unit->held_next = ready;
        ready = unit;
    }
    while (ready) { /* the list was the newest first: now it is in order of issue */
        struct sim_unit *unit = ready;
        ready = unit->held_next;
        if (unit->time < sp->clock)
            unit->time = sp->clock;
        sim_unit_unblock(sp->sim, unit);
    }
}

void
sim_turn_enter(struct sim_pe *sp, const shmem_coll_t *c)
{
    turn_comes(sp, c->team, c->seq);
}

void
sim_turn_leave(struct sim_pe *sp, const shmem_coll_t *c)
{
    turn_comes(sp, c->team, c->seq + 1);
}

void
sim_turns_free(struct sim_pe *sp)
{
    for (struct sim_turn *turn = sp->turns, *next; turn; turn = next) {
        next = turn->next;
        free(turn);
    }
    sp->turns = NULL;
}
