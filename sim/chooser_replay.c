/* chooser_replay.c -- every answer from a trace.
 *
 * The run must ask the same questions: kind and bound of each are compared, and the first difference ends the run,
 * since then the program, its input or its environment is not what was recorded.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/record.h"
#include "sim/sim.h"
#include "traces/trace.h"

#define EXIT_DATA 65

static const char *const kind_text[] = {
#define SIM_CHOICE_ROW(id, text) text,
    SIM_CHOICE_ROWS(SIM_CHOICE_ROW)
#undef SIM_CHOICE_ROW
};

struct replay {
    struct fp_trace_reader *trace;
    struct fp_job *job;
    uint64_t choices;
};

static void *
replay_open(const struct sim *sim, uint64_t seed)
{
    char error[512];
    struct replay *replay = calloc(1, sizeof *replay);
    if (!replay)
        fp_env_fail("out of memory for the replay");
    replay->job = sim->job;
    int whole = fp_trace_verify(sim->job->config.replay, error, sizeof error);
    if (whole < 0) {
        fprintf(stderr, "fencepost: %s\n", error);
        free(replay);
        return NULL;
    }
    if (whole == 0)
        fprintf(stderr, "fencepost: trace %s was cut short; it is replayed as far as it goes\n",
                sim->job->config.replay);
    replay->trace = fp_trace_open(sim->job->config.replay, error, sizeof error);
    if (!replay->trace) {
        fprintf(stderr, "fencepost: %s\n", error);
    } else if (sim_record_fits((struct sim *)sim, replay->trace, error, sizeof error)) {
        fprintf(stderr, "fencepost: trace %s does not fit: %s\n", sim->job->config.replay, error);
        fp_trace_free(replay->trace);
        replay->trace = NULL;
    }
    if (replay->trace)
        return replay;
    free(replay);
    return NULL;
}

static uint32_t
replay_pick(void *self, enum sim_choice_kind kind, uint32_t bound, const struct sim_view *view)
{
    struct replay *replay = self;
    struct fp_trace_choice_entry entry;
    char error[512];
    int got = fp_trace_next(replay->trace, &entry, error, sizeof error);
    replay->choices++;
    if (got < 0) {
        fprintf(stderr, "fencepost: %s\n", error);
    } else if (got == 0) {
        fprintf(stderr,
                "fencepost: the trace ends after %" PRIu64
                " choices, but the run goes on: it differs from the recorded one\n",
                replay->choices - 1);
    } else if (entry.kind != (unsigned)kind || (entry.bound != 0 && entry.bound != bound)) {
        fprintf(stderr,
                "fencepost: choice %" PRIu64
                " is a %s among %u in the trace, but a %s among %u in this run: the program or its input "
                "differs from the recorded ones\n",
                replay->choices, kind_text[entry.kind], entry.bound, kind_text[kind], bound);
    } else {
        return entry.answer;
    }
    fp_job_abort(replay->job, EXIT_DATA);
}

static void
replay_close(void *self)
{
    struct replay *replay = self;
    struct fp_trace_choice_entry entry;
    char error[512];
    if (!replay->job->ending && fp_trace_next(replay->trace, &entry, error, sizeof error) == 1) {
        fprintf(stderr,
                "fencepost: the run ended after %" PRIu64
                " choices, but the trace goes on: it differs from the recorded one\n",
                replay->choices);
        replay->job->exit_status = EXIT_DATA;
    }
    fp_trace_free(replay->trace);
    free(replay);
}

const struct sim_chooser_class sim_chooser_replay = {
    .name = "replay",
    .help = "every answer from a trace",
    .open = replay_open,
    .pick = replay_pick,
    .close = replay_close,
};
