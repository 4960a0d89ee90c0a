/* libc_state.c -- what libc keeps once per process and each PE expects to own.
 *
 * Random numbers, strtok and the static results of the calendar functions: each is libc's own algorithm on a state of
 * the PE's, through the reentrant form that libc has of it, so a PE sees the sequence that a process of its own would
 * see. Callers that are not PEs use libc's state.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "reference/launch/launch.h"

#define RANDOM_STATE_BYTES 128 /* glibc's default */

struct fp_state {
    struct random_data random;
    char random_state[RANDOM_STATE_BYTES];
    struct drand48_data drand48;
    char *strtok;
    struct tm calendar;
    char calendar_text[64];
};

int
fp_libc_open(struct fp_job *job)
{
    struct fp_libc *libc = calloc((size_t)job->npes, sizeof *libc);
    if (!libc)
        return -1;
    for (int i = 0; i < job->npes; i++) {
        libc[i].getopt_vars = (struct fp_getopt_vars){.optind = 1, .opterr = 1, .optopt = '?'};
        job->pes[i].libc = &libc[i];
    }
    return 0;
}

static void
parts_free(struct fp_libc *libc)
{
    fp_output_free(libc->output);
    fp_getopt_free(libc->getopt);
    fp_exit_list_free(libc->exits);
    fp_environment_free(libc->environment);
    free(libc->state);
    free(libc->argv);
}

void
fp_libc_close(struct fp_job *job)
{
    for (int i = 0; i < job->npes; i++)
        parts_free(job->pes[i].libc);
    free(job->pes[0].libc);
}

void
fp_libc_again(struct fp_job *job)
{
    for (int i = 0; i < job->npes; i++) {
        struct fp_libc *libc = job->pes[i].libc;
        parts_free(libc);
        libc->output = NULL;
        libc->getopt = NULL;
        libc->exits = NULL;
        libc->state = NULL;
        libc->argv = NULL;
        libc->environment = NULL;
        libc->end_set = false;
        libc->workers = 0;
        libc->getopt_vars = (struct fp_getopt_vars){.optind = 1, .opterr = 1, .optopt = '?'};
        memset(libc->fatal, 0, sizeof libc->fatal);
        memset(&libc->alternate, 0, sizeof libc->alternate);
    }
}

static struct fp_state *
state_make(struct fp_pe *pe)
{
    struct fp_state *state = calloc(1, sizeof *state);
    if (!state)
        fp_env_fail("out of memory");
    initstate_r(1, state->random_state, sizeof state->random_state, &state->random);
    return pe->libc->state = state;
}

/* The state of the PE that calls, or NULL. */
static struct fp_state *
state_for(const void *caller)
{
    struct fp_pe *pe = fp_caller_pe_at(caller);
    if (!pe || !pe->libc)
        return NULL;
    return pe->libc->state ? pe->libc->state : state_make(pe);
}

#define STATE() state_for(__builtin_return_address(0))

/* ---- rand, random: one generator under two names */

FP_EXPORT int
rand(void)
{
    struct fp_state *state = STATE();
    int32_t value;
    if (!state)
        return FP_REAL(rand)();
    random_r(&state->random, &value);
    return value;
}

FP_EXPORT long
random(void)
{
    struct fp_state *state = STATE();
    int32_t value;
    if (!state)
        return FP_REAL(random)();
    random_r(&state->random, &value);
    return value;
}

FP_EXPORT void
srand(unsigned seed)
{
    struct fp_state *state = STATE();
    if (state)
        srandom_r(seed, &state->random);
    else
        FP_REAL(srand)(seed);
}

FP_EXPORT void
srandom(unsigned seed)
{
    struct fp_state *state = STATE();
    if (state)
        srandom_r(seed, &state->random);
    else
        FP_REAL(srandom)(seed);
}

/* The word before the table tells its kind: that is where the caller's array began. */
static char *
random_array(const struct fp_state *state)
{
    return (char *)(state->random.state - 1);
}

FP_EXPORT char *
initstate(unsigned seed, char *array, size_t bytes)
{
    struct fp_state *state = STATE();
    if (!state)
        return FP_REAL(initstate)(seed, array, bytes);
    char *before = random_array(state);
    return initstate_r(seed, array, bytes, &state->random) ? NULL : before;
}

FP_EXPORT char *
setstate(char *array)
{
    struct fp_state *state = STATE();
    if (!state)
        return FP_REAL(setstate)(array);
    char *before = random_array(state);
    return setstate_r(array, &state->random) ? NULL : before;
}

/* ---- drand48 and its kin */

#define DRAND48(name, type)                                                                                            \
    struct fp_state *state = STATE();                                                                                  \
    type value;                                                                                                        \
    if (!state)                                                                                                        \
    return FP_REAL(name)

FP_EXPORT double
drand48(void)
{
    DRAND48(drand48, double)();
    drand48_r(&state->drand48, &value);
    return value;
}

FP_EXPORT double
erand48(unsigned short x[3])
{
    DRAND48(erand48, double)(x);
    erand48_r(x, &state->drand48, &value);
    return value;
}

FP_EXPORT long
lrand48(void)
{
    DRAND48(lrand48, long)();
    lrand48_r(&state->drand48, &value);
    return value;
}

FP_EXPORT long
nrand48(unsigned short x[3])
{
    DRAND48(nrand48, long)(x);
    nrand48_r(x, &state->drand48, &value);
    return value;
}

FP_EXPORT long
mrand48(void)
{
    DRAND48(mrand48, long)();
    mrand48_r(&state->drand48, &value);
    return value;
}

FP_EXPORT long
jrand48(unsigned short x[3])
{
    DRAND48(jrand48, long)(x);
    jrand48_r(x, &state->drand48, &value);
    return value;
}

FP_EXPORT void
srand48(long seed)
{
    struct fp_state *state = STATE();
    if (state)
        srand48_r(seed, &state->drand48);
    else
        FP_REAL(srand48)(seed);
}

FP_EXPORT unsigned short *
seed48(unsigned short x[3])
{
    struct fp_state *state = STATE();
    if (!state)
        return FP_REAL(seed48)(x);
    seed48_r(x, &state->drand48);
    return state->drand48.__old_x;
}

FP_EXPORT void
lcong48(unsigned short parameters[7])
{
    struct fp_state *state = STATE();
    if (state)
        lcong48_r(parameters, &state->drand48);
    else
        FP_REAL(lcong48)(parameters);
}

/* ---- strtok */

FP_EXPORT char *
strtok(char *restrict text, const char *restrict separators)
{
    struct fp_state *state = STATE();
    return state ? strtok_r(text, separators, &state->strtok) : FP_REAL(strtok)(text, separators);
}

/* ---- Calendar */

FP_EXPORT struct tm *
gmtime(const time_t *when)
{
    struct fp_state *state = STATE();
    return state ? gmtime_r(when, &state->calendar) : FP_REAL(gmtime)(when);
}

FP_EXPORT struct tm *
localtime(const time_t *when)
{
    struct fp_state *state = STATE();
    if (!state)
        return FP_REAL(localtime)(when);
    tzset();
    return localtime_r(when, &state->calendar);
}

FP_EXPORT char *
asctime(const struct tm *when)
{
    struct fp_state *state = STATE();
    return state ? asctime_r(when, state->calendar_text) : FP_REAL(asctime)(when);
}

FP_EXPORT char *
ctime(const time_t *when)
{
    struct fp_state *state = STATE();
    if (!state)
        return FP_REAL(ctime)(when);
    tzset();
    return ctime_r(when, state->calendar_text);
}
