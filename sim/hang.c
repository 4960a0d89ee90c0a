/* hang.c -- nobody can move: says for each PE what it waits for, and why that will not come. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reference/check/check.h"
#include "reference/team/team.h"
#include "sim/search.h"
#include "sim/sim.h"

struct text {
    char *at;
    size_t left;
};

static void __attribute__((format(printf, 2, 3))) say(struct text *text, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int count = vsnprintf(text->at, text->left, fmt, args);
    va_end(args);
    if (count < 0)
        return;
    size_t used = (size_t)count < text->left ? (size_t)count : text->left ? text->left - 1 : 0;
    text->at += used;
    text->left -= used;
}

static void
say_line(struct sim *sim, struct text *text, int pe, const shmem_call_t *call)
{
    struct fp_line line = fp_site_line(sim->job->report, fp_site_of(sim->job, pe, call->site));
    say(text, "%s at %s:%d", call->name ? call->name : "?", line.file, line.line);
}

static void
say_wait(struct sim *sim, struct text *text, struct sim_pe *sp, struct fp_finding *finding)
{
    const shmem_wait_t *w = sp->wait;
    char seen[32], wanted[32];
    size_t shown = 0;
    for (size_t i = 0; i < w->n && shown < 3; i++) {
        if (w->status && w->status[i])
            continue;
        const char *ivar = (const char *)w->ivars + i * w->elem_bytes;
        const char *value = (const char *)w->values + (w->vector ? i * w->elem_bytes : 0);
        struct fp_finding described = {0};
        fp_describe_object(sim->job, &described, ivar);
        if (!finding->object.name[0])
            finding->object = described.object;
        sim_value_text(w->type, w->elem_bytes, ivar, seen, sizeof seen);
        sim_value_text(w->type, w->elem_bytes, value, wanted, sizeof wanted);
        say(text, "%s %s %s %s, sees %s", shown ? " and" : " for",
            described.object.name[0] ? described.object.name : "a value", sim_cmp_text(w->cmp), wanted, seen);
        shown++;
    }
}

static void
say_meeting(struct sim *sim, struct text *text, struct sim_pe *sp)
{
    int there = 0;
    for (int i = 0; i < sim->npes; i++)
        there += sim->pes[i].why == SIM_IN_SYNC && sim->pes[i].meet_team == sp->meet_team &&
                 sim->pes[i].meet_seq == sp->meet_seq;
    say(text, " (%d of %d PEs are there)", there, fp_team_size(sim->job, sp->meet_team));
}

static void
say_pe(struct sim *sim, struct text *text, struct sim_pe *sp, struct fp_finding *finding)
{
    shmem_call_t call;
    if (sp->ended) {
        say(text, "PE %d has ended", sp->rank);
        if (sp->pe->exit_status)
            say(text, " with status %d", sp->pe->exit_status);
        say(text, "\n");
        return;
    }
    say(text, "PE %d ", sp->rank);
    switch (sp->why) {
    case SIM_IN_WAIT:
        say(text, "waits in ");
        say_line(sim, text, sp->rank, &sp->call);
        say_wait(sim, text, sp, finding);
        break;
    case SIM_IN_SYNC:
        say(text, "waits in ");
        say_line(sim, text, sp->rank, &sp->call);
        say_meeting(sim, text, sp);
        break;
    case SIM_IN_LOCK:
        say(text, "waits in ");
        say_line(sim, text, sp->rank, &sp->call);
        int owner = sim_lock_owner(sp->lock, &call);
        say(text, " for the lock that PE %d took in ", owner);
        if (owner >= 0)
            say_line(sim, text, owner, &call);
        break;
    case SIM_STOPPED:
        say(text, "was stopped (--stop-pe) in ");
        say_line(sim, text, sp->rank, &sp->call);
        break;
    case SIM_AT_END:
        say(text, "has ended");
        break;
    case SIM_RUNNABLE:
        say(text, "looks again and again in ");
        say_line(sim, text, sp->rank, &sp->call);
        break;
    default:
        say(text, "is in ");
        say_line(sim, text, sp->rank, &sp->call);
    }
    say(text, "\n");
}

/* The PE that the report is about: one that waits for a value, else one that waits for a lock, else any that is
 * blocked. */
static struct sim_pe *
chief(struct sim *sim)
{
    static const enum sim_why order[] = {SIM_IN_WAIT, SIM_IN_LOCK, SIM_IN_SYNC, SIM_RUNNABLE, SIM_IN_OP, SIM_IN_QUIET};
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
        for (int i = 0; i < sim->npes; i++)
            if (sim->pes[i].why == order[k] && !sim->pes[i].ended)
                return &sim->pes[i];
    return &sim->pes[0];
}

/* A PE's program has ended without the finalize that it owes. */
static bool
left_early(const struct sim *sim)
{
    for (int i = 0; i < sim->npes; i++)
        if ((sim->pes[i].ended || sim->pes[i].why == SIM_AT_END) && sim->pes[i].pe->init_count > 0)
            return true;
    return false;
}

/* PEs wait in collectives of different teams for each other. */
static bool
teams_crossed(const struct sim *sim)
{
    int team = -1;
    for (int i = 0; i < sim->npes; i++) {
        if (sim->pes[i].ended || sim->pes[i].why != SIM_IN_SYNC)
            continue;
        if (team >= 0 && sim->pes[i].meet_team != team)
            return true;
        team = sim->pes[i].meet_team;
    }
    return false;
}

void
sim_hang(struct sim *sim, const char *how)
{
    struct fp_job *job = sim->job;
    if (sim->search)
        sim_search_end(sim, true);
    if (job->given) { /* the recorded PEs went no further either */
        fprintf(stderr, "fencepost: the recording ends while PEs wait for others; it is replayed as far as it goes\n");
        fp_job_abort(job, 0);
    }
    fp_match_pending_mismatch(job);
    struct fp_finding finding = {.class_ = FP_CLASS_HANG, .rule = "E096, S 9.11"};
    struct text details = {finding.details, sizeof finding.details};
    struct sim_pe *first = chief(sim);
    int blocked = 0;
    for (int i = 0; i < sim->npes; i++) {
        struct sim_pe *sp = &sim->pes[i];
        bool stuck = !sp->ended && sp->why != SIM_AT_END;
        blocked += stuck;
        if (sim->npes <= 16 || (stuck && blocked <= 16))
            say_pe(sim, &details, sp, &finding);
        if (!stuck || finding.naccesses == FP_ACCESS_MAX || (sp != first && blocked > FP_ACCESS_MAX - 1))
            continue;
        finding.accesses[finding.naccesses++] = (struct fp_access){
            .pe = i, .op = sp->call.name, .kind = FP_CALL, .site = fp_site_of(job, i, sp->call.site)};
    }
    if (first->why == SIM_IN_SYNC)
        finding.rule = left_early(sim) ? "E005, S 9.1.4" : teams_crossed(sim) ? "E112, S 9.10" : "E113, S 9.10";
    else if (first->why == SIM_IN_LOCK)
        finding.rule = "E186, S 9.13";
    if (how)
        finding.rule = "E095, S 4.1";
    if (how)
        snprintf(finding.message, sizeof finding.message, "%s", how);
    else
        snprintf(finding.message, sizeof finding.message,
                 "%d of %d PEs can never go on: nothing is pending that could wake them", blocked, sim->npes);
    fp_report_add(job->report, &finding);
    fp_job_abort(job, 66);
}
