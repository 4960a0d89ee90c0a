/* compare.h -- does the simulator agree with what a litmus test expects?
 *
 * The expectation of a test is the model's (`fencepost litmus --generate` writes it, `fencepost litmus` checks it).
 * The simulator runs the test under several choosers and many seeds. It disagrees where a run gives an outcome that is
 * not expected, reports a race in a test that has none, reports anything else, or, whatever is tried, no race where
 * there is one.
 */
#ifndef DIFFERENTIAL_COMPARE_H
#define DIFFERENTIAL_COMPARE_H

#include "play.h"

enum compare_result { COMPARE_AGREES, COMPARE_FORBIDDEN, COMPARE_FALSE_ALARM, COMPARE_MISSED_RACE, COMPARE_OTHER };
extern const char *const compare_texts[];

struct compare_effort {
    int runs;        /* of a test without a race; one with a race stops soon after it was seen */
    int runs_racy;   /* until a race is given up */
    uint64_t seed;   /* of the first run */
    bool first_only; /* enough when the first difference is known */
};

struct compared {
    enum compare_result result;
    char what[PLAY_OUTCOME], chooser[16]; /* the outcome, or the class of the finding; the run that shows it */
    uint64_t seed;
    long runs;
    unsigned outcomes_seen, outcomes_expected;
};

/* What the test expects in this profile, NULL: nothing. */
const struct lit_expect *compare_expectation(const struct fp_litmus *test, enum fp_rules rules);
struct compared compare_test(const struct fp_litmus *test, enum fp_rules rules, const struct compare_effort *effort);
/* A line or two for a person, and how to see it again. */
void compare_tell(const struct fp_litmus *test, enum fp_rules rules, const struct compared *compared, FILE *out);

#endif
