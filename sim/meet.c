/* meet.c -- where PEs meet: the rendezvous of sync (H9), and the brackets of data collectives (H11).
 *
 * The members of a team meet at call number seq of that team. reference/check has compared the calls already; here
 * they only wait for each other. The last to arrive wakes the others and forgets the meeting.
 */
#include <stdlib.h>

#include "reference/team/team.h"
#include "sim/sim.h"

struct sim_meet {
    struct sim_meet *next;
    int team;
    uint64_t seq;
    int arrived, members;
    uint64_t latest;        /* clock of the latest arrival */
    struct sim_pe *waiting; /* list through meet_next */
};

static void
emit_coll(struct sim_pe *sp, enum sim_event_kind kind, const shmem_coll_t *c)
{
    struct sim *sim = sp->sim;
    if (!sim->observing)
        return;
    int root = c->kind == SHMEM_COLL_BROADCAST ? fp_team_world_pe(sim->job, c->team, c->root) : 0;
    sim_emit_(sim, &(struct sim_event){.kind = kind,
                                       .pe = sp->rank,
                                       .coll = c,
                                       .members = fp_team_size(sim->job, c->team),
                                       .root = root,
                                       .name = c->call.name,
                                       .site = fp_site_of(sim->job, sp->rank, c->call.site)});
}

static struct sim_meet **
meet_find(struct sim *sim, const shmem_coll_t *c)
{
    struct sim_meet **at = &sim->meets;
    while (*at && ((*at)->team != c->team || (*at)->seq != c->seq))
        at = &(*at)->next;
    if (!*at) {
        struct sim_meet *meet = calloc(1, sizeof *meet);
        if (!meet)
            fp_env_fail("out of memory at a collective");
        meet->team = c->team;
        meet->seq = c->seq;
        meet->members = fp_team_size(sim->job, c->team);
        *at = meet;
    }
    return at;
}

void
sim_sync(const shmem_coll_t *c)
{
    struct sim_pe *sp = sim_self();
    struct sim *sim = sp->sim;
    sim_begin(sp, &c->call);
    emit_coll(sp, SIM_EV_SYNC_ENTER, c);
    struct sim_meet **at = meet_find(sim, c), *meet = *at;
    if (sp->clock > meet->latest)
        meet->latest = sp->clock;
    if (++meet->arrived < meet->members) {
        sp->meet_next = meet->waiting;
        meet->waiting = sp;
        sp->meet_team = c->team;
        sp->meet_seq = c->seq;
        sp->meet_kind = c->kind;
        sim_block(sp, SIM_IN_SYNC);
    } else {
        *at = meet->next;
        uint64_t leave = meet->latest + sim->net.latency_ns;
        for (struct sim_pe *other = meet->waiting, *next; other; other = next) {
            next = other->meet_next;
            sim_wake(other, leave);
        }
        if (sp->clock < leave)
            sp->clock = leave;
        free(meet);
        sim_point(sp);
    }
    emit_coll(sp, SIM_EV_SYNC_LEAVE, c);
}

void
sim_coll_enter(const shmem_coll_t *c)
{
    struct sim_pe *sp = sim_self();
    sim_begin(sp, &c->call);
    emit_coll(sp, SIM_EV_COLL_ENTER, c);
    sim_point(sp);
}

void
sim_coll_leave(const shmem_coll_t *c)
{
    emit_coll(sim_self(), SIM_EV_COLL_LEAVE, c);
}

void
sim_meet_free(struct sim *sim)
{
    for (struct sim_meet *meet = sim->meets, *next; meet; meet = next) {
        next = meet->next;
        free(meet);
    }
    sim->meets = NULL;
}
