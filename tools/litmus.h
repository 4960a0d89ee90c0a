/* litmus.h -- inside of `fencepost litmus`, shared by its parts.
 *
 * litmus.c has the options, the files and the oracle; litmus_build.c makes a test a compiled program, litmus_run.c runs
 * it on a backend, litmus_search.c searches it exhaustively on the simulator.
 */
#ifndef TOOLS_LITMUS_H
#define TOOLS_LITMUS_H

#include "fencepost_litmus.h"
#include "tools/arguments.h"

struct litmus_request {
    const char *command;
    unsigned rules; /* bit 0 strict, 1 common, 2 nv; 0: those the test states */
    const char *backend;
    int runs;
    bool show, print_expect;
    bool exhaustive; /* sim: every execution instead of some */
    long executions; /* exhaustive: at most so many of one test; 0: no limit */
    int operations;  /* tests of more operations are left out; 0: none */
    long generate;
    uint64_t seed;
    const char *out;
};

extern const char *const litmus_profiles[3];

/* How the tests fared. */
struct litmus_counts {
    int tests, too_large, checks, wrong;
    int without_form; /* tests that cannot be written as a program */
    int equal;        /* exhaustive: sets of outcomes that equal the model's */
    int within;       /* exhaustive: of racy tests, within the model's but not equal */
    long executions;
    int outside[3][3]; /* tests that state another model's verdict, by it and ours in profile common: sc, weak, racy */
};

/* ---- litmus_build.c: what runs share */

enum { LITMUS_SEEN = 4096, LITMUS_PATH = 4096 + 64 };

struct litmus_histogram {
    int count;
    struct {
        char *text;
        long runs;
    } rows[LITMUS_SEEN];
};

/* A test as a compiled program, in a folder of its own. */
struct litmus_batch {
    const struct litmus_request *request;
    const struct fp_litmus *test;
    const char *path;
    char folder[4096], source[LITMUS_PATH], program[LITMUS_PATH], report[LITMUS_PATH], output[LITMUS_PATH];
};

/* 0; an exit status after saying why; -1: the test has no form as a program. To be closed where it is not above 0. */
int litmus_batch_open(struct litmus_batch *batch, const struct litmus_request *request, const struct fp_litmus *test,
                      const char *path);
void litmus_batch_close(struct litmus_batch *batch);
/* Runs a command with its output in the file (NULL: both streams untouched). Returns its status, -1 where it did not
 * start or was killed. */
int litmus_command(const struct arguments *words, const char *output, int cpu_seconds);
/* The text in the file, to be freed, or NULL. */
char *litmus_file(const char *path);
void litmus_set_number(const char *variable, long number);
void litmus_histogram_add(struct litmus_histogram *histogram, const char *text, long runs);
/* With the outcomes that the model allows and nobody saw. */
void litmus_histogram_show(const struct fp_litmus_answer *answer, const struct litmus_histogram *histogram);
void litmus_histogram_free(struct litmus_histogram *histogram);

/* Compares a compiled test in one profile with the model's answer: whether it is right, after saying what is not. */
typedef bool litmus_profile_check(const struct litmus_batch *batch, const char *rules,
                                  const struct fp_litmus_answer *answer, struct litmus_counts *counts);
/* Does so in each profile of the set. */
int litmus_in_profiles(const struct litmus_request *request, const struct fp_litmus *test, const char *path,
                       unsigned rules, struct litmus_counts *counts, litmus_profile_check *check);

/* ---- Compile and run the test in the profiles of the set, and compare. Return an exit status where that is
 * impossible. */

/* litmus_run.c: --runs */
int litmus_run(const struct litmus_request *request, const struct fp_litmus *test, const char *path, unsigned rules,
               struct litmus_counts *counts);
/* litmus_search.c: --exhaustive */
int litmus_search(const struct litmus_request *request, const struct fp_litmus *test, const char *path, unsigned rules,
                  struct litmus_counts *counts);

#endif
