/* chooser_guided.c -- answers from a trace by their position, as far as they fit.
 *
 * What replay refuses is welcome here: a list that was shortened or edited. An answer whose kind or bound is not
 * that of the question, and every answer behind the end of the list, becomes the default: go on; a PE that only
 * looks lets a delivery or another PE move instead. So each edited list is a run, and shrinking can look for the
 * shortest one that still shows a finding. The run is recorded as it really went, and that trace replays exactly.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sim/record.h"
#include "sim/sim.h"
#include "traces/trace.h"

struct guide {
    struct fp_trace_choice_entry *entries;
    size_t count, at;
};

static bool
read_entries(struct guide *guide, struct fp_trace_reader *trace, char *error, size_t error_size)
{
    size_t capacity = 0;
    for (;;) {
        if (guide->count == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            guide->entries = realloc(guide->entries, capacity * sizeof *guide->entries);
            if (!guide->entries)
                fp_env_fail("out of memory for the choices");
        }
        int got = fp_trace_next(trace, &guide->entries[guide->count], error, error_size);
        if (got != 1)
            return got == 0;
        guide->count++;
    }
}

static void
guided_close(void *self)
{
    struct guide *guide = self;
    free(guide->entries);
    free(guide);
}

static void *
guided_open(const struct sim *sim, uint64_t seed)
{
    char error[512];
    struct guide *guide = calloc(1, sizeof *guide);
    if (!guide)
        fp_env_fail("out of memory for the choices");
    struct fp_trace_reader *trace = fp_trace_open(sim->job->config.replay, error, sizeof error);
    bool good = trace && read_entries(guide, trace, error, sizeof error);
    fp_trace_free(trace);
    if (good)
        return guide;
    fprintf(stderr, "fencepost: %s\n", error);
    guided_close(guide);
    return NULL;
}

static uint32_t
usual(enum sim_choice_kind kind, uint32_t bound, const struct sim_view *view)
{
    if (kind != SIM_CHOICE_STEP || !view->can_go_on || !view->polling)
        return 0;
    return view->nunits ? bound - view->nunits : 1;
}

static uint32_t
guided_pick(void *self, enum sim_choice_kind kind, uint32_t bound, const struct sim_view *view)
{
    struct guide *guide = self;
    if (guide->at == guide->count)
        return usual(kind, bound, view);
    const struct fp_trace_choice_entry *entry = &guide->entries[guide->at++];
    if (entry->answer == 0 || entry->kind != (unsigned)kind || entry->answer >= bound)
        return usual(kind, bound, view);
    return entry->answer;
}

const struct sim_chooser_class sim_chooser_guided = {
    .name = "guided",
    .help = "a shortened or edited list of choices",
    .open = guided_open,
    .pick = guided_pick,
    .close = guided_close,
};
