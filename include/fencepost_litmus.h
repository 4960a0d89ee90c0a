/* fencepost_litmus.h -- litmus tests and the memory model as an oracle: the seam between reference/model and the tools.
 *
 * A litmus test is a very small program of a few PEs (tests/litmus/FORMAT.md). The oracle enumerates every execution
 * that the ordering relations allow and says which outcomes there are and whether the program is sc, weak or racy. Not
 * part of the interface of OpenSHMEM programs.
 *
 *     char error[FP_LITMUS_ERROR];
 *     struct fp_litmus *test = fp_litmus_read("mp.litmus", error);
 *     struct fp_litmus_answer *answer = fp_litmus_ask(test, &(struct fp_litmus_question){.rules = "common"});
 *     puts(fp_litmus_verdict(answer)); // "sc", "weak" or "racy"
 */
#ifndef FENCEPOST_LITMUS_H
#define FENCEPOST_LITMUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define FP_LITMUS_ERROR 512 /* bytes of a message: "mp.litmus:7:3: ..." */

struct fp_litmus;
struct fp_litmus_answer;

/* NULL where the file cannot be read or is not a litmus test; error says why, with line and column. */
struct fp_litmus *fp_litmus_read(const char *path, char *error);
/* The same of a text in memory; `path` is for messages. */
struct fp_litmus *fp_litmus_parse(const char *path, const char *text, char *error);
void fp_litmus_free(struct fp_litmus *test);
const char *fp_litmus_name(const struct fp_litmus *test);
int fp_litmus_pes(const struct fp_litmus *test);
int fp_litmus_operations(const struct fp_litmus *test);
/* Profiles for which the test states an expectation: bit 0 strict, 1 common, 2 nv. */
unsigned fp_litmus_expects(const struct fp_litmus *test);

/* The verdict that another model is known to give ("sc", "weak", "racy"), or NULL. */
const char *fp_litmus_outside(const struct fp_litmus *test);

struct fp_litmus_question {
    const char *rules;      /* "strict", "common", "nv" */
    bool without_reduction; /* no partial-order reduction: for tests of the oracle */
    bool without_merging;   /* plain enumeration of every interleaving: small tests only */
    uint64_t states_max;    /* 0: the built-in bound */
};
struct fp_litmus_answer *fp_litmus_ask(const struct fp_litmus *test, const struct fp_litmus_question *question);
void fp_litmus_answer_free(struct fp_litmus_answer *answer);

/* False: the bound was reached, and nothing but the outcomes found so far is known. */
bool fp_litmus_complete(const struct fp_litmus_answer *answer);
const char *fp_litmus_verdict(const struct fp_litmus_answer *answer);
uint64_t fp_litmus_states(const struct fp_litmus_answer *answer);
int fp_litmus_outcomes(const struct fp_litmus_answer *answer);
/* "r=1 x@1=2", or "hang"; "done" for a test that observes nothing. Valid as long as the answer. */
const char *fp_litmus_outcome(const struct fp_litmus_answer *answer, int index);
bool fp_litmus_outcome_allowed(const struct fp_litmus_answer *answer, const char *outcome);
/* An interleaving of whole operations gives it too. */
bool fp_litmus_outcome_sc(const struct fp_litmus_answer *answer, int index);
/* The condition of the test's `final` line holds for it. */
bool fp_litmus_outcome_final(const struct fp_litmus_answer *answer, int index);

/* Same verdict and outcomes as the test expects for these rules? Else one line each of what differs goes to `out`. */
bool fp_litmus_check(const struct fp_litmus *test, const struct fp_litmus_answer *answer, FILE *out);
/* Outcomes, one shortest execution for each, and one for the race. */
void fp_litmus_show(const struct fp_litmus *test, const struct fp_litmus_answer *answer, FILE *out);
/* A shortest execution that gives the outcome; one that has the race, where there is one. */
void fp_litmus_show_outcome(const struct fp_litmus_answer *answer, int index, FILE *out);
void fp_litmus_show_race(const struct fp_litmus_answer *answer, FILE *out);
/* The lines `expect ...` that this answer gives, as they stand in a file; `rules` NULL: for all profiles. */
void fp_litmus_print_expect(const struct fp_litmus_answer *answer, const char *rules, FILE *out);

/* The test as a C program against shmem.h, for the generated program's use see reference/model/emit_program.c. False
 * where the interface of OpenSHMEM has no form of it; `error` says which operation. */
bool fp_litmus_emit(const struct fp_litmus *test, FILE *out, char *error);
/* It has plain loads or stores: then no program that is compiled with -DDEVICE_HEAP, whose objects only calls touch. */
bool fp_litmus_has_plain(const struct fp_litmus *test);
/* The same for an exhaustive search on the simulator; what it prints see reference/model/emit_search.c. */
bool fp_litmus_emit_search(const struct fp_litmus *test, FILE *out, char *error);

/* A random test, a function of seed and index alone. The caller frees the text. */
char *fp_litmus_generate(uint64_t seed, uint64_t index);

#endif
