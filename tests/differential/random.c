/* random.c -- random litmus tests: the model against the simulator.
 *
 *     litmus_random --tests 10000 -j 2          ten thousand tests of seed 1
 *     litmus_random --minutes 5 --seed 7        as many as fit
 *     litmus_random --from 4000 --shard 1/3     every third one from there on
 *     litmus_random tests/litmus FILE.litmus    these
 *     litmus_random --only-generate --demand 5  does the generator make enough of everything?
 *
 * A test is a function of seed and number, so a campaign goes on where it stopped, and machines share one by shards.
 * Each worker is a process that takes the next number, makes the test, and runs it in three profiles. What it dies of
 * is a disagreement as well: another worker takes its place behind that test. The tests about which model and
 * simulator disagree are written to --out, and can be given as FILE again. Exit status: 0 no disagreement, 1 some, 64
 * wrong usage.
 */
#include <errno.h>
#include <ftw.h>
#include <getopt.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "compare.h"
#include "coverage.h"

enum { WORKERS_MAX = 256 };

static struct campaign {
    uint64_t seed;
    long from, tests, shard, shards;
    double minutes;
    int jobs, runs, runs_racy;
    const char *out;
    bool coverage, only_generate;
    long demand;
} campaign = {.seed = 1, .tests = 1000, .shards = 1, .jobs = 1, .runs = 48, .runs_racy = 1200, .out = "."};

/* What the workers share. */
static struct shared {
    atomic_long next, done, disagreements, runs, crashed, skipped;
    atomic_long outcomes_seen, outcomes_expected;
    atomic_long current[WORKERS_MAX]; /* the test in hand, -1: none */
    struct coverage coverage;
} * shared;

static double
now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- One test ---------------------------------------------------------------------------------------------------- */

static void
keep(const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.litmus", campaign.out, name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file)) {
        fprintf(stderr, "litmus_random: %s: %s\n", path, strerror(errno));
        exit(EX_CANTCREAT);
    }
    printf("    kept: %s\n", path);
}

/* True where model and simulator agree in all profiles. */
static bool
examine(const struct fp_litmus *test)
{
    struct compare_effort effort = {
        .runs = campaign.runs, .runs_racy = campaign.runs_racy, .seed = 1, .first_only = true};
    bool agree = true;

    for (enum fp_rules rules = FP_RULES_STRICT; rules <= FP_RULES_NV && !campaign.only_generate; rules++) {
        if (!compare_expectation(test, rules))
            continue;
        struct compared compared = compare_test(test, rules, &effort);
        atomic_fetch_add(&shared->runs, compared.runs);
        if (compare_expectation(test, rules)->verdict != LIT_RACY) {
            atomic_fetch_add(&shared->outcomes_seen, compared.outcomes_seen);
            atomic_fetch_add(&shared->outcomes_expected, compared.outcomes_expected);
        }
        if (compared.result == COMPARE_AGREES)
            continue;
        agree = false;
        compare_tell(test, rules, &compared, stdout);
    }
    coverage_add(&shared->coverage, test);
    return agree;
}

static struct fp_litmus *
parse(const char *name, const char *text)
{
    char error[FP_LITMUS_ERROR];
    struct fp_litmus *test = fp_litmus_parse(name, text, error);
    if (!test) {
        fprintf(stderr, "%s\n", error);
        exit(EX_DATAERR);
    }
    return test;
}

static void
examine_number(long number)
{
    char *text = fp_litmus_generate(campaign.seed, (uint64_t)number);
    struct fp_litmus *test = parse("generated", text);

    if (!examine(test)) {
        atomic_fetch_add(&shared->disagreements, 1);
        keep(test->name, text);
        fflush(stdout);
    }
    fp_litmus_free(test);
    free(text);
}

/* ---- Workers ----------------------------------------------------------------------------------------------------- */

static _Noreturn void
work(int worker, double until)
{
    long last = campaign.from + campaign.tests;

    while (now() < until) {
        long number = atomic_fetch_add(&shared->next, campaign.shards);
        if (number >= last)
            break;
        atomic_store(&shared->current[worker], number);
        examine_number(number);
        atomic_store(&shared->current[worker], -1);
        atomic_fetch_add(&shared->done, 1);
    }
    fflush(stdout);
    _exit(0);
}

static pid_t
start_worker(int worker, double until)
{
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) {
        perror("litmus_random: fork");
        exit(EX_OSERR);
    }
    if (!child)
        work(worker, until);
    return child;
}

/* A worker died of its test: that counts. True: the campaign needs another one. */
static bool
bury(int worker, int status)
{
    long number = atomic_exchange(&shared->current[worker], -1);

    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return false;
    if (number < 0) {
        fprintf(stderr, "litmus_random: a worker ended (status %d)\n", status);
        exit(EX_OSERR);
    }
    char name[64], *text = fp_litmus_generate(campaign.seed, (uint64_t)number);
    snprintf(name, sizeof name, "random-%llu-%ld", (unsigned long long)campaign.seed, number);
    printf("%s: the process ended: %s %d\n", name, WIFSIGNALED(status) ? "signal" : "status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    keep(name, text);
    free(text);
    atomic_fetch_add(&shared->disagreements, 1);
    atomic_fetch_add(&shared->crashed, 1);
    return true;
}

static void
run_workers(double until)
{
    pid_t workers[WORKERS_MAX];
    int alive = campaign.jobs, status;

    for (int i = 0; i < campaign.jobs; i++) {
        atomic_store(&shared->current[i], -1);
        workers[i] = start_worker(i, until);
    }
    while (alive > 0) {
        pid_t ended = wait(&status);
        for (int i = 0; i < campaign.jobs && ended > 0; i++)
            if (workers[i] == ended && bury(i, status))
                workers[i] = start_worker(i, until);
            else if (workers[i] == ended)
                alive--;
    }
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static int
usage(void)
{
    fprintf(stderr,
            "usage: litmus_random [--seed S|today] [--from I] [--tests N | --minutes M] [--shard K/J] [-j JOBS]\n"
            "                     [--runs R] [--out DIR] [--coverage] [--demand N]\n"
            "                     [--only-generate] [FILE.litmus ...]\n");
    return EX_USAGE;
}

static int
read_options(int argc, char **argv)
{
    static const struct option options[] = {
        {"seed", required_argument, NULL, 's'},    {"from", required_argument, NULL, 'f'},
        {"tests", required_argument, NULL, 'n'},   {"minutes", required_argument, NULL, 'm'},
        {"shard", required_argument, NULL, 'k'},   {"runs", required_argument, NULL, 'r'},
        {"out", required_argument, NULL, 'o'},     {"coverage", no_argument, NULL, 'c'},
        {"jobs", required_argument, NULL, 'j'},    {"demand", required_argument, NULL, 'd'},
        {"only-generate", no_argument, NULL, 'g'}, {NULL, 0, NULL, 0}};

    for (int letter; (letter = getopt_long(argc, argv, "j:", options, NULL)) != -1;)
        switch (letter) {
        case 's': /* another one each day, for tests that are run every day */
            campaign.seed = strcmp(optarg, "today") ? strtoull(optarg, NULL, 0) : (uint64_t)time(NULL) / 86400;
            break;
        case 'f':
            campaign.from = atol(optarg);
            break;
        case 'n':
            campaign.tests = atol(optarg);
            break;
        case 'm':
            campaign.minutes = atof(optarg);
            campaign.tests = INT32_MAX;
            break;
        case 'k':
            if (sscanf(optarg, "%ld/%ld", &campaign.shard, &campaign.shards) != 2 || campaign.shard < 1 ||
                campaign.shard > campaign.shards)
                return usage();
            campaign.shard--;
            break;
        case 'r':
            campaign.runs = atoi(optarg);
            break;
        case 'o':
            campaign.out = optarg;
            break;
        case 'c':
            campaign.coverage = true;
            break;
        case 'd':
            campaign.demand = atol(optarg);
            break;
        case 'g':
            campaign.only_generate = true;
            break;
        case 'j':
            campaign.jobs = atoi(optarg);
            break;
        default:
            return usage();
        }
    return campaign.jobs < 1 || campaign.jobs > WORKERS_MAX || campaign.runs < 1 ? usage() : 0;
}

static int
examine_file(const char *path, const struct stat *status, int type, struct FTW *where)
{
    char error[FP_LITMUS_ERROR];
    size_t length = strlen(path);

    (void)status;
    if (type != FTW_F || (where->level > 0 && (length < 7 || strcmp(path + length - 7, ".litmus"))))
        return 0;
    struct fp_litmus *test = fp_litmus_read(path, error);
    if (!test) {
        fprintf(stderr, "%s\n", error);
        exit(EX_DATAERR);
    }
    if (!play_can(test))
        atomic_fetch_add(&shared->skipped, 1);
    else if (!examine(test))
        atomic_fetch_add(&shared->disagreements, 1);
    atomic_fetch_add(&shared->done, play_can(test));
    fp_litmus_free(test);
    return 0;
}

static void
summary(double seconds)
{
    long next = atomic_load(&shared->next);
    printf("random litmus tests: seed %llu, %ld tests, %ld runs, %ld disagreements (%ld ended the process), %.0f %% of "
           "the outcomes of tests without a race seen, %.1f s",
           (unsigned long long)campaign.seed, atomic_load(&shared->done), atomic_load(&shared->runs),
           atomic_load(&shared->disagreements), atomic_load(&shared->crashed),
           100.0 * (double)atomic_load(&shared->outcomes_seen) /
               (double)(atomic_load(&shared->outcomes_expected) + !atomic_load(&shared->outcomes_expected)),
           seconds);
    if (atomic_load(&shared->skipped))
        printf("; %ld have no form as calls", atomic_load(&shared->skipped));
    if (next < campaign.from + campaign.tests)
        printf("; go on with --from %ld", next - campaign.shard);
    printf("\n");
}

int
main(int argc, char **argv)
{
    double start = now();
    int status = read_options(argc, argv);

    if (status)
        return status;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("litmus_random: mmap");
        return EX_OSERR;
    }
    atomic_store(&shared->next, campaign.from + campaign.shard);
    if (optind < argc) {
        for (int i = optind; i < argc; i++)
            if (nftw(argv[i], examine_file, 16, FTW_PHYS)) {
                fprintf(stderr, "litmus_random: %s: %s\n", argv[i], strerror(errno));
                return EX_NOINPUT;
            }
        campaign.tests = 0;
    } else {
        run_workers(campaign.minutes > 0 ? start + 60 * campaign.minutes : 1e300);
    }
    if (campaign.coverage)
        coverage_print(&shared->coverage, stdout);
    summary(now() - start);
    int lacking = campaign.demand > 0 ? coverage_complain(&shared->coverage, campaign.demand, stdout) : 0;
    return atomic_load(&shared->disagreements) > 0 || lacking > 0;
}
