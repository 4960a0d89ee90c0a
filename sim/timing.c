/* timing.c -- predicted time and the critical path, see timing.h. */
#include "sim/timing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PES_SHOWN 16
#define STEPS_SHOWN 24
#define STEPS_A_CHUNK 1024

/* PE `pe` was busy until `until` with `call`; then, until `arrived`, the network was. */
struct sim_step {
    const struct sim_step *before;
    uint64_t until, arrived;
    int pe, to;
    uint64_t bytes;
    shmem_call_t call;
    const char *how; /* "operation", "barrier", "lock" */
};

struct step_chunk {
    struct step_chunk *next;
    int used;
    struct sim_step steps[STEPS_A_CHUNK];
};

struct sim_timing {
    struct sim *sim;
    struct step_chunk *chunks;
};

struct sim_timing *
sim_timing_open(struct sim *sim)
{
    struct sim_timing *timing = calloc(1, sizeof *timing);
    if (!timing)
        fp_env_fail("out of memory for --time");
    timing->sim = sim;
    return timing;
}

void
sim_timing_close(struct sim_timing *timing)
{
    if (!timing)
        return;
    for (struct step_chunk *chunk = timing->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(timing);
}

static struct sim_step *
step_new(struct sim_timing *timing)
{
    if (!timing->chunks || timing->chunks->used == STEPS_A_CHUNK) {
        struct step_chunk *chunk = malloc(sizeof *chunk);
        if (!chunk)
            fp_env_fail("out of memory for the critical path: run without --time");
        chunk->used = 0;
        chunk->next = timing->chunks;
        timing->chunks = chunk;
    }
    return &timing->chunks->steps[timing->chunks->used++];
}

static void
came_from(struct sim_pe *sp, uint64_t until, struct sim_step step)
{
    struct sim_step *kept = step_new(sp->sim->timing);
    step.arrived = until;
    step.to = sp->rank;
    *kept = step;
    sp->blocked += until - sp->clock;
    sp->step = kept;
}

void
sim_timing_by_op(struct sim_pe *sp, uint64_t until, const struct sim_flight *flight)
{
    came_from(sp, until,
              (struct sim_step){.before = flight->step,
                                .until = flight->issued,
                                .pe = flight->op.origin,
                                .bytes = flight->op.bytes,
                                .call = flight->op.call,
                                .how = "operation"});
}

void
sim_timing_by_pe(struct sim_pe *sp, uint64_t until, const struct sim_pe *other, uint64_t at)
{
    came_from(sp, until,
              (struct sim_step){
                  .before = other->step, .until = at, .pe = other->rank, .call = other->call, .how = "meeting"});
}

/* ---- Telling
 * ----------------------------------------------------------------------------------------------------------- */

static const struct sim_pe *
last_pe(const struct sim *sim)
{
    const struct sim_pe *last = &sim->pes[0];
    for (int i = 1; i < sim->npes; i++)
        if (sim->pes[i].clock > last->clock)
            last = &sim->pes[i];
    return last;
}

uint64_t
sim_timing_end(const struct sim *sim)
{
    return last_pe(sim)->clock;
}

static void
tell_time(FILE *out, uint64_t ns)
{
    fprintf(out, "%9.3f us", (double)ns / 1000);
}

static void
tell_pe(FILE *out, const struct sim_pe *sp)
{
    fprintf(out, "  PE %-5d", sp->rank);
    tell_time(out, sp->clock);
    fputs(", blocked ", out);
    tell_time(out, sp->blocked);
    fputc('\n', out);
}

static int
later(const void *a, const void *b)
{
    const struct sim_pe *x = *(struct sim_pe *const *)a, *y = *(struct sim_pe *const *)b;
    if (x->clock != y->clock)
        return x->clock < y->clock ? 1 : -1;
    return x->rank - y->rank;
}

/* All PEs, or the latest ones where there are many. */
static void
tell_pes(const struct sim *sim, FILE *out)
{
    const struct sim_pe **pes = malloc((size_t)sim->npes * sizeof *pes);
    for (int i = 0; pes && i < sim->npes; i++)
        pes[i] = &sim->pes[i];
    if (pes && sim->npes > PES_SHOWN)
        qsort(pes, (size_t)sim->npes, sizeof *pes, later);
    for (int i = 0; pes && i < sim->npes && i < PES_SHOWN; i++)
        tell_pe(out, pes[i]);
    if (pes && sim->npes > PES_SHOWN) {
        fprintf(out, "  ... and %d PEs that end earlier, the first of them at", sim->npes - PES_SHOWN);
        tell_time(out, pes[sim->npes - 1]->clock);
        fputc('\n', out);
    }
    free(pes);
}

static void
tell_call(const struct sim *sim, FILE *out, int pe, const shmem_call_t *call)
{
    if (!call->name)
        return;
    struct fp_line line = fp_site_line(sim->job->report, fp_site_of(sim->job, pe, call->site));
    fprintf(out, "%s", call->name);
    if (line.line)
        fprintf(out, " %s:%d", line.file, line.line);
}

static void
tell_step(const struct sim *sim, FILE *out, const struct sim_step *step, uint64_t from)
{
    tell_time(out, from);
    fputs(" ..", out);
    tell_time(out, step->until);
    fprintf(out, "  PE %d, up to ", step->pe);
    tell_call(sim, out, step->pe, &step->call);
    fputc('\n', out);
    tell_time(out, step->until);
    fputs(" ..", out);
    tell_time(out, step->arrived);
    if (strcmp(step->how, "operation"))
        fprintf(out, "  all meet; on to PE %d\n", step->to);
    else
        fprintf(out, "  its %" PRIu64 " bytes on their way; on to PE %d\n", step->bytes, step->to);
}

static void
tell_path(struct sim_timing *timing, FILE *out)
{
    const struct sim *sim = timing->sim;
    const struct sim_pe *last = last_pe(sim);
    size_t count = 0;
    uint64_t network = 0;
    for (const struct sim_step *step = last->step; step; step = step->before) {
        count++;
        network += step->arrived - step->until;
    }
    const struct sim_step **path = malloc((count + 1) * sizeof *path);
    if (!path)
        return;
    size_t at = count;
    for (const struct sim_step *step = last->step; step; step = step->before)
        path[--at] = step;
    fprintf(out, "critical path: ");
    tell_time(out, last->clock);
    fputs(", of that on the network ", out);
    tell_time(out, network);
    fputc('\n', out);
    for (size_t i = 0; i < count; i++) {
        if (count > STEPS_SHOWN && i == STEPS_SHOWN / 2) {
            size_t skipped = count - STEPS_SHOWN;
            fprintf(out, "  ... %zu more\n", skipped);
            i += skipped;
        }
        tell_step(sim, out, path[i], i ? path[i - 1]->arrived : 0);
    }
    tell_time(out, count ? path[count - 1]->arrived : 0);
    fputs(" ..", out);
    tell_time(out, last->clock);
    fprintf(out, "  PE %d, to its end\n", last->rank);
    free(path);
}

void
sim_timing_tell(struct sim_timing *timing, FILE *out)
{
    const struct sim *sim = timing->sim;
    fprintf(out, "predicted time:");
    tell_time(out, sim_timing_end(sim));
    fprintf(out, " (net %s, chooser %s; computation counts only where the program lets simulated time pass)\n",
            sim->job->config.net, sim->job->config.chooser);
    tell_pes(sim, out);
    tell_path(timing, out);
}
