/* choose.h -- the one choice function.
 *
 * Every nondeterministic decision of a run is one call of sim_choose(sim, kind, bound): an answer below bound. Who
 * answers is a chooser, one file each (chooser_*.c); nothing else in the simulator knows which. The list of answers,
 * each with its kind and bound, is the schedule; replay is a chooser that reads it and stops the run when kind or
 * bound differ.
 */
#ifndef SIM_CHOOSE_H
#define SIM_CHOOSE_H

#include <stdbool.h>
#include <stdint.h>

struct sim;
struct sim_net;
struct fp_trace_reader;

#define SIM_CHOICE_ROWS(X)                                                                                             \
    X(STEP, "step")   /* go on (0, if the running PE can), else run a ready PE, else carry out a ready unit */         \
    X(SPLIT, "split") /* in how many pieces, less one, a transfer travels */                                           \
    X(JITTER,                                                                                                          \
      "jitter") /* how much later than the least latency a unit arrives, in steps of the network's jitter / 16 */
enum sim_choice_kind {
#define SIM_CHOICE_ROW(id, text) SIM_CHOICE_##id,
    SIM_CHOICE_ROWS(SIM_CHOICE_ROW)
#undef SIM_CHOICE_ROW
        SIM_CHOICE_KINDS
};

/* What a chooser may look at for a STEP: candidates are [go on] [ready PEs: nready] [ready units: nunits]. Under a
 * timed chooser both are in heap order (the earliest by the simulated clock first). */
struct sim_view {
    bool can_go_on; /* candidate 0 is the running PE */
    bool polling;   /* ... but it only looks for something: better let others move */
    uint32_t nready, nunits;
    uint32_t nready_polling; /* of the ready PEs, how many only look */
    const struct sim *sim;
};

struct sim_chooser_class {
    const char *name, *help;
    bool timed; /* follows the network's clock: JITTER is chosen */
    void (*tune)(void *self, struct sim_net *net); /* or NULL: makes the network of this run stricter */
    void *(*open)(const struct sim *sim, uint64_t seed);
    uint32_t (*pick)(void *self, enum sim_choice_kind kind, uint32_t bound, const struct sim_view *view);
    void (*close)(void *self);
};

struct sim_chooser {
    const struct sim_chooser_class *class_;
    void *self;
};

#define SIM_CHOOSERS(X) X(adversarial) X(random) X(uniform) X(timed) X(pct) X(swarm)
#define SIM_CHOOSER_DECLARE(name) extern const struct sim_chooser_class sim_chooser_##name;
SIM_CHOOSERS(SIM_CHOOSER_DECLARE)
SIM_CHOOSER_DECLARE(replay)
SIM_CHOOSER_DECLARE(exhaustive)
SIM_CHOOSER_DECLARE(guided)
#undef SIM_CHOOSER_DECLARE

/* `inner`, but for what sim->late says (chooser_late.c); closes it too. */
struct sim_chooser sim_chooser_late(struct sim *sim, struct sim_chooser inner);
/* By name; NULL after saying which there are. */
const struct sim_chooser_class *sim_chooser_find(const char *name);
/* The answer, recorded. bound >= 1; with bound 1 nobody is asked and nothing is recorded. */
uint32_t sim_choose(struct sim *sim, enum sim_choice_kind kind, uint32_t bound, const struct sim_view *view);

/* A small generator with good properties (splitmix64 over a counter): the only source of randomness. */
struct sim_random {
    uint64_t state;
};
uint64_t sim_random_next(struct sim_random *random);
uint32_t sim_random_below(struct sim_random *random, uint32_t bound);

/* Times of candidates, for choosers that follow the clock. */
uint64_t sim_ready_time(const struct sim *sim, uint32_t index);
uint64_t sim_unit_time(const struct sim *sim, uint32_t index);
uint64_t sim_running_time(const struct sim *sim);
bool sim_ready_polling(const struct sim *sim, uint32_t index);

#endif
