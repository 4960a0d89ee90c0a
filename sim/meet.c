/* meet.c -- where PEs meet: the rendezvous of sync (H9), and the brackets of data collectives (H11).
 *
 * The members of a team meet at call number seq of that team. reference/check has compared the calls already; here
 * they only wait for each other. The last to arrive wakes the others and forgets the meeting.
 */
#include <stdlib.h>

#include "reference/team/team.h"
#include "sim/sim.h"
#include "sim/timing.h"
#include "sim/topology.h"

struct sim_meet {
    struct sim_meet *next;
    int team;
    uint64_t seq;
    int arrived, members;
    uint64_t latest; /* clock of the latest arrival, and whose it is */
    struct sim_pe *last;
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

/* How long after the latest arrival all leave: by a topology, as many rounds of the dissemination algorithm as it
 * takes, each as long as the farthest two members of that round are apart. */
static uint64_t
rounds_ns(struct sim *sim, const struct sim_meet *meet)
{
    uint64_t sum = 0;
    for (int distance = 1; distance < meet->members; distance *= 2) {
        uint64_t most = 0;
        for (int rank = 0; rank < meet->members; rank++) {
            int from = fp_team_world_pe(sim->job, meet->team, rank);
            int to = fp_team_world_pe(sim->job, meet->team, (rank + distance) % meet->members);
            uint64_t latency = sim_links_latency(sim->links, from, to);
            most = most > latency ? most : latency;
        }
        sum += most + sim->net.overhead_ns;
    }
    return sum;
}

/* All have arrived, `sp` (which runs) as the last in the order of the run. */
static void
release(struct sim *sim, struct sim_meet *meet, struct sim_pe *sp)
{
    uint64_t leave = meet->latest + (sim->links ? rounds_ns(sim, meet) : sim->net.latency_ns);
    struct sim_pe last = *meet->last; /* as it was before it is let go itself */
    for (struct sim_pe *other = meet->waiting, *next; other; other = next) {
        next = other->meet_next;
        if (sim->timing && other->clock < leave)
            sim_timing_by_pe(other, leave, &last, meet->latest);
        sim_wake(other, leave);
    }
    if (sp->clock >= leave)
        return;
    if (sim->timing)
        sim_timing_by_pe(sp, leave, &last, meet->latest);
    sp->clock = leave;
}

void
sim_sync(const shmem_coll_t *c)
{
    struct sim_pe *sp = sim_self();
    struct sim *sim = sp->sim;
    sim_begin(sp, &c->call);
    emit_coll(sp, SIM_EV_SYNC_ENTER, c);
    sim_turn_enter(sp, c);
    struct sim_meet **at = meet_find(sim, c), *meet = *at;
    if (!meet->last || sp->clock > meet->latest) {
        meet->latest = sp->clock;
        meet->last = sp;
    }
    if (++meet->arrived < meet->members) {
        sp->meet_next = meet->waiting;
        meet->waiting = sp;
        sp->meet_team = c->team;
        sp->meet_seq = c->seq;
        sp->meet_kind = c->kind;
        sim_block(sp, SIM_IN_SYNC);
    } else {
        *at = meet->next;
        release(sim, meet, sp);
        free(meet);
        sim_point(sp);
    }
    emit_coll(sp, SIM_EV_SYNC_LEAVE, c);
    sim_turn_leave(sp, c);
}

void
sim_coll_enter(const shmem_coll_t *c)
{
    struct sim_pe *sp = sim_self();
    sim_begin(sp, &c->call);
    emit_coll(sp, SIM_EV_COLL_ENTER, c);
    sim_turn_enter(sp, c);
    sim_point(sp);
}

void
sim_coll_leave(const shmem_coll_t *c)
{
    struct sim_pe *sp = sim_self();
    emit_coll(sp, SIM_EV_COLL_LEAVE, c);
    sim_turn_leave(sp, c);
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
