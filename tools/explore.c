/* explore.c -- `fencepost explore`: many runs of a program, or all of them, on several workers.
 *
 * What is found is told once, with the run that shows it in the fewest choices; a crash, a status that is not 0 and a
 * run that does not end count as findings too. explore_run.c makes the runs.
 */
#include "tools/explore.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "tools/fencepost.h"
#include "tools/options.h"
#include "tools/program.h"
#include "traces/trace.h"

#define RUNS_DEFAULT 1000
#define STATUS_FINDINGS 66
#define EXPLORE_ALLOWED                                                                                                \
    (((1u << OPTION_COUNT) - 1) &                                                                                      \
     ~(OPTION_BIT(replay) | OPTION_BIT(guided) | OPTION_BIT(trace) | OPTION_BIT(watchdog) | OPTION_BIT(timeout)))

static const char *const usual_choosers[] = {"adversarial", "random", "pct", "swarm"};
static const char *const all_choosers[] = {"adversarial", "random", "pct", "swarm", "uniform", "timed"};

static int
print_help(const char *command)
{
    printf("usage: %s -n N [options] ./prog [args]\n       %s --merge [--report FILE] REPORT...\n\n", command, command);
#define EXPLORE_HELP(id, flag, argument, help) printf("  %-20s %s\n", flag " " argument, help);
    EXPLORE_OPTIONS(EXPLORE_HELP)
#undef EXPLORE_HELP
    printf("\nOptions of each run; --seed is that of the first, and without --chooser the runs take turns between "
           "several:\n");
    options_print_help(EXPLORE_ALLOWED);
    printf(
        "\nexit status: 0 nothing found, 66 findings, 64 wrong usage, 70 fault of Fencepost, 71 of the environment\n");
    return 0;
}

/* An option of explore's own, as `--flag value` or `--flag=value`. */
static int
own_option(void *self, const char *word, const char *next)
{
    struct explore *e = self;
    const struct {
        const char *flag, *argument, **value;
    } rows[] = {
#define EXPLORE_ROW(id, flag, argument, help) {flag, argument, &e->id},
        EXPLORE_OPTIONS(EXPLORE_ROW){"--report", "FILE", &e->report},
#undef EXPLORE_ROW
    };
    size_t length = strcspn(word, "=");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strlen(rows[i].flag) != length || strncmp(rows[i].flag, word, length))
            continue;
        if (!*rows[i].argument) {
            *rows[i].value = "1";
            return 1;
        }
        *rows[i].value = word[length] ? word + length + 1 : next;
        if (*rows[i].value)
            return word[length] ? 1 : 2;
        fprintf(stderr, "%s: %s needs a value (%s)\n", e->command, rows[i].flag, rows[i].argument);
        return -1;
    }
    return 0;
}

static const char *const own_flags[] = {
#define EXPLORE_FLAG(id, flag, argument, help) &flag[2],
    EXPLORE_OPTIONS(EXPLORE_FLAG)
#undef EXPLORE_FLAG
        NULL};

static bool
number(const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* "90", "90s", "10m", "8h". */
static bool
duration(const char *text, double *seconds)
{
    char *end;
    *seconds = strtod(text, &end);
    if (end == text || *seconds <= 0)
        return false;
    double unit = *end == 'm' ? 60 : *end == 'h' ? 3600 : 1;
    *seconds *= unit;
    return !*end || (strchr("smh", *end) && !end[1]);
}

/* Which part of the runs this process makes: asked for, or as the batch system has numbered it. */
static bool
read_shard(struct explore *e)
{
    static const struct {
        const char *rank, *size;
    } systems[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                   {"SLURM_PROCID", "SLURM_NTASKS"},
                   {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT"},
                   {"PBS_VNODENUM", "PBS_NP"}};
    struct campaign *c = &e->campaign;
    c->shard = c->shards = 1;
    if (e->shard) {
        char first[32];
        const char *slash = strchr(e->shard, '/');
        snprintf(first, sizeof first, "%.*s", slash ? (int)(slash - e->shard) : 0, e->shard);
        return slash && number(first, &c->shard) && number(slash + 1, &c->shards) && c->shard >= 1 &&
               c->shard <= c->shards;
    }
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        const char *rank = getenv(systems[i].rank), *size = getenv(systems[i].size),
                   *least = getenv("SLURM_ARRAY_TASK_MIN");
        uint64_t r, k, from = 0;
        if (!rank || !size || !number(rank, &r) || !number(size, &k) || k < 2)
            continue;
        if (!strncmp(systems[i].rank, "SLURM_ARRAY", 11) && least)
            number(least, &from);
        if (r < from || r - from >= k)
            continue;
        c->shard = r - from + 1;
        c->shards = k;
        return true;
    }
    return true;
}

static bool
read_own(struct explore *e)
{
    uint64_t jobs = 0, timeout = 10;
    const char *wrong = NULL;
    e->runs_max = e->exhaustive || e->time ? 0 : RUNS_DEFAULT;
    if (e->runs && (!number(e->runs, &e->runs_max) || !e->runs_max))
        wrong = "--runs takes a number";
    if (e->time && !duration(e->time, &e->seconds_max))
        wrong = "--time takes seconds, or a number with m or h behind it";
    if (e->jobs && (!number(e->jobs, &jobs) || jobs < 1 || jobs > 256))
        wrong = "--jobs takes a number from 1 to 256";
    if (e->timeout && (!number(e->timeout, &timeout) || timeout < 1 || timeout > 1000000))
        wrong = "--timeout takes a number of seconds";
    if (!read_shard(e))
        wrong = "--shard is I/K with I from 1 to K";
    if (e->exhaustive && (e->resume || e->campaign.shards > 1))
        wrong = "an exhaustive search is made in one go: no --resume, no --shard";
    if (wrong) {
        fprintf(stderr, "%s: %s\n", e->command, wrong);
        return false;
    }
    cpu_set_t set;
    if (!jobs)
        jobs = sched_getaffinity(0, sizeof set, &set) ? 1 : (uint64_t)CPU_COUNT(&set);
    e->jobs_max = e->exhaustive ? 1 : jobs > 256 ? 256 : (int)jobs;
    e->timeout_ms = (uint32_t)(timeout * 1000);
    e->campaign.exhaustive = e->exhaustive != NULL;
    return true;
}

static const char *
setting(const char *variable, const char *usual)
{
    const char *value = getenv(variable);
    return value && *value ? value : usual;
}

static bool
read_choosers(struct explore *e)
{
    const char *chosen = getenv("FENCEPOST_CHOOSER");
    bool known = !chosen || !*chosen;
    for (size_t i = 0; i < sizeof all_choosers / sizeof *all_choosers; i++)
        known = known || !strcmp(chosen, all_choosers[i]);
    if (!known) {
        fprintf(stderr, "%s: no chooser %s: there are adversarial, random, uniform, timed, pct, swarm\n", e->command,
                chosen);
        return false;
    }
    e->nchoosers = chosen && *chosen ? 1 : sizeof usual_choosers / sizeof *usual_choosers;
    for (uint32_t i = 0; i < e->nchoosers; i++)
        snprintf(e->choosers[i], sizeof e->choosers[i], "%s", chosen && *chosen ? chosen : usual_choosers[i]);
    /* The worker that loads the program runs nothing itself: its children are told. */
    setenv("FENCEPOST_CHOOSER", chosen && !strcmp(chosen, "timed") ? "timed" : "adversarial", 1);
    return true;
}

/* Whether there is a place for what is to be written: not to be learnt when hours have passed. */
static bool
places_are_there(const struct explore *e)
{
    const char *files[] = {e->report, e->resume, e->junit, e->sarif};
    struct stat status;
    if (e->traces && (stat(e->traces, &status) || !S_ISDIR(status.st_mode))) {
        fprintf(stderr, "%s: --traces %s: there is no such folder\n", e->command, e->traces);
        return false;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *slash = files[i] ? strrchr(files[i], '/') : NULL;
        char folder[PATH_MAX];
        if (!files[i])
            continue;
        snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - files[i] + 1) : 1, slash ? files[i] : ".");
        if (stat(folder, &status) || !S_ISDIR(status.st_mode)) {
            fprintf(stderr, "%s: cannot write %s: there is no folder %s\n", e->command, files[i], folder);
            return false;
        }
    }
    return true;
}

/* The first run of each chooser predicts, so that what hangs on luck is found by aim and not by chance; with --predict
 * every run. */
static void
read_predict(struct explore *e)
{
    const char *asked = getenv("FENCEPOST_PREDICT");
    e->predicts = !asked || !*asked ? e->nchoosers : strcmp(asked, "0") ? UINT64_MAX : 0;
    options_set(OPTION_predict, e->predicts && !e->campaign.exhaustive ? "1" : "0");
}

/* In words, what else decides a run: a campaign is only taken up again with the same. */
static char *
settings_text(const struct explore *e)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "net %s, rules %s, heap %s, depth %s, steps %s, no-check %s, predict %s, choosers",
            setting("FENCEPOST_NET", "reorder"), setting("FENCEPOST_RULES", "common"),
            setting("FENCEPOST_HEAP", "direct"), setting("FENCEPOST_DEPTH", "3"), setting("FENCEPOST_STEPS", "0"),
            setting("FENCEPOST_NO_CHECK", "0"),
            !e->predicts                ? "no"
            : e->predicts == UINT64_MAX ? "all"
                                        : "first");
    for (uint32_t i = 0; i < e->nchoosers; i++)
        fprintf(out, " %s", e->choosers[i]);
    for (int i = 1; e->argv[i]; i++)
        fprintf(out, "%s%s", i == 1 ? ", arguments " : " ", e->argv[i]);
    fclose(out);
    return text;
}

static void
describe(struct explore *e)
{
    struct campaign *c = &e->campaign;
    char hash[17] = "";
    fp_trace_file_hash(e->path, hash);
    c->program = strdup(e->argv[0]);
    c->hash = strdup(hash);
    c->settings = settings_text(e);
    c->first_seed = strtoull(setting("FENCEPOST_SEED", "1"), NULL, 10);
    c->npes = strtoull(setting("FENCEPOST_NPES", "1"), NULL, 10);
    e->next = c->done = c->shard - 1;
}

/* Takes up an earlier campaign of the same runs. 0, or an exit status after saying why. */
static int
take_up(struct explore *e)
{
    struct campaign before, *c = &e->campaign;
    if (!e->resume || access(e->resume, F_OK))
        return 0;
    int status = campaign_read(&before, e->command, e->resume);
    if (status)
        return status;
    if (strcmp(before.hash, c->hash) || strcmp(before.settings, c->settings) || before.npes != c->npes ||
        before.first_seed != c->first_seed || before.shard != c->shard || before.shards != c->shards) {
        fprintf(stderr, "%s: %s is a campaign of another program or with other settings; remove it to begin anew\n",
                e->command, e->resume);
        campaign_free(&before);
        return EX_USAGE;
    }
    campaign_free(c);
    *c = before;
    e->next = c->done;
    e->taken_up = c->runs;
    if (c->count)
        e->first_wrong = c->found[0].number;
    return 0;
}

static int
remove_entry(const char *path, const struct stat *status, int kind, struct FTW *ftw)
{
    return remove(path);
}

/* A blank, and a word as a shell wants it. */
static void
tell_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%^";
    bool quoted = !*word || word[strspn(word, plain)];
    fputs(quoted ? " '" : " ", stderr);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", stderr);
        else
            fputc(*word, stderr);
    if (quoted)
        fputc('\'', stderr);
}

/* The command that shows the finding again: its trace's replay, or for want of a trace a run with its seed. */
static void
tell_again(const struct explore *e, const struct found *found)
{
    char *none[] = {"./prog", NULL}, **words = e->argv ? e->argv : none;
    if (!*found->trace && e->campaign.exhaustive)
        return;
    fputs(*found->trace ? "\n  again: fencepost replay" : "\n  again: fencepost run", stderr);
    if (*found->trace) {
        tell_word(found->trace);
        fputs(" --", stderr);
    } else {
        fprintf(stderr, " -n %llu --seed %llu --chooser %s", (unsigned long long)e->campaign.npes,
                (unsigned long long)found->seed, found->chooser);
    }
    for (; *words; words++)
        tell_word(*words);
}

static void
tell_finding(const struct explore *e, const struct found *found)
{
    const char *message = json_text(found->finding, "message");
    fputs(found->text, stderr);
    if (!*found->text || !strstr(found->text, "fencepost: "))
        fprintf(stderr, "%sfencepost: %s: %s\n",
                *found->text && found->text[strlen(found->text) - 1] != '\n' ? "\n" : "",
                json_text(found->finding, "class"), message);
    fprintf(stderr, "  found by seed %llu, chooser %s, in %llu choices", (unsigned long long)found->seed,
            found->chooser, (unsigned long long)found->choices);
    if (found->runs > 1)
        fprintf(stderr, "; seen in %llu runs", (unsigned long long)found->runs);
    tell_again(e, found);
    fputs("\n\n", stderr);
}

static void
tell_summary(const struct explore *e)
{
    const struct campaign *c = &e->campaign;
    double elapsed = seconds_now() - e->started;
    for (int i = 0; i < c->count; i++)
        tell_finding(e, &c->found[i]);
    fprintf(stderr, "%s: ", e->command);
    if (c->exhaustive && c->complete)
        fprintf(stderr, "complete: %llu executions", (unsigned long long)c->executions);
    else if (c->exhaustive)
        fprintf(stderr, "not complete: %llu executions%s", (unsigned long long)c->executions,
                e->astray     ? ", then the program did something else with the same choices (fencepost run "
                                "--verify-determinism says more)"
                : e->too_long ? ", some cut off: they are too long for this search"
                              : ", there are more");
    else
        fprintf(stderr, "%llu runs", (unsigned long long)c->runs);
    if (e->started > 0)
        fprintf(stderr, " in %.1f s", elapsed);
    if (c->shards > 1)
        fprintf(stderr, ", shard %llu of %llu", (unsigned long long)c->shard, (unsigned long long)c->shards);
    if (c->count)
        fprintf(stderr, ", %d finding%s in %llu of them", c->count, c->count == 1 ? "" : "s",
                (unsigned long long)c->wrong);
    else
        fprintf(stderr, ", nothing found");
    for (const char *line = c->unseen; line && *line; line += strcspn(line, "\n"), line += *line == '\n')
        fprintf(stderr, "%s%.*s", line == c->unseen ? "; not checked: " : ", ", (int)strcspn(line, "\n"), line);
    fputc('\n', stderr);
}

static bool
has(const uint64_t *numbers, int count, uint64_t wanted)
{
    for (int i = 0; i < count; i++)
        if (numbers[i] == wanted)
            return true;
    return false;
}

/* Joins reports of shards: each once, and those that are missing are named. */
static int
merge(struct explore *e, int count, char **files)
{
    struct campaign other;
    uint64_t *seen = calloc((size_t)count + 1, sizeof *seen), shards = 0, missing = 0;
    int status = !seen ? EX_OSERR : count ? 0 : EX_USAGE;
    if (!count)
        fprintf(stderr, "%s: --merge joins reports of explore: which?\n", e->command);
    for (int i = 0; i < count && !status; i++) {
        status = campaign_read(i ? &other : &e->campaign, e->command, files[i]);
        if (status)
            continue;
        seen[i] = i ? other.shard : e->campaign.shard;
        if (i == 0) {
            shards = e->campaign.shards;
            continue;
        }
        if (strcmp(other.hash, e->campaign.hash) || strcmp(other.settings, e->campaign.settings) ||
            other.first_seed != e->campaign.first_seed || other.npes != e->campaign.npes) {
            fprintf(stderr, "%s: %s is of another program or other settings than %s\n", e->command, files[i], files[0]);
            status = EX_USAGE;
        } else if (other.shards != shards || has(seen, i, other.shard)) {
            fprintf(stderr, "%s: %s is shard %llu of %llu: %s\n", e->command, files[i], (unsigned long long)other.shard,
                    (unsigned long long)other.shards,
                    other.shards == shards ? "it is there a second time" : "the others are of another number of parts");
            status = EX_USAGE;
        } else {
            campaign_join(&e->campaign, &other);
        }
        campaign_free(&other);
    }
    for (uint64_t s = 1; s <= shards && !status && shards <= 1000000; s++)
        if (!has(seen, count, s) && missing++ < 10)
            fprintf(stderr, "%s: shard %llu of %llu is missing\n", e->command, (unsigned long long)s,
                    (unsigned long long)shards);
    free(seen);
    if (status)
        return status;
    e->campaign.shard = e->campaign.shards = 1;
    e->campaign.partial = missing > 0;
    tell_summary(e);
    status = explore_write(e);
    return status ? status : e->campaign.count ? STATUS_FINDINGS : 0;
}

/* Shards that the batch system made are started with the same words: each gets a file of its own. */
static const char *
shard_file(const struct explore *e, const char *file)
{
    char *own;
    if (!file || e->shard || e->campaign.shards < 2)
        return file;
    const char *dot = strrchr(file, '.');
    int stem = dot && !strchr(dot, '/') ? (int)(dot - file) : (int)strlen(file);
    if (asprintf(&own, "%.*s.%llu%s", stem, file, (unsigned long long)e->campaign.shard, file + stem) < 0)
        return file;
    return own;
}

static int
explore_program(struct explore *e)
{
    struct campaign *c = &e->campaign;
    int status = take_up(e);
    snprintf(e->folder, sizeof e->folder, "/tmp/fencepost-XXXXXX");
    if (!status && !mkdtemp(e->folder)) {
        fprintf(stderr, "%s: cannot make a folder in /tmp: %s\n", e->command, strerror(errno));
        status = EX_OSERR;
    }
    if (status)
        return status;
    status = explore_run(e);
    if (!status) {
        explore_traces(e);
        tell_summary(e);
        status = explore_write(e);
    }
    for (int i = 0; i < e->nworkers; i++)
        worker_stop(&e->workers[i]);
    free(e->workers);
    nftw(e->folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    return status ? status : c->count ? STATUS_FINDINGS : e->astray ? EX_USAGE : 0;
}

int
command_explore(int argc, char **argv)
{
    struct explore e = {.command = argv[0], .first_wrong = UINT64_MAX};
    struct option_request request = {.command = argv[0],
                                     .allowed = EXPLORE_ALLOWED,
                                     .launcher_words = true,
                                     .own = own_option,
                                     .self = &e,
                                     .own_flags = own_flags};
    if (!getenv("FENCEPOST_NPES"))
        options_set(OPTION_npes, "1");
    unsetenv("FENCEPOST_REPLAY");
    unsetenv("FENCEPOST_TRACE");
    unsetenv("FENCEPOST_REPORT");
    int first = options_read(&request, argc, argv, 1);
    if (first < 0)
        return EX_USAGE;
    if (request.asked_help)
        return print_help(argv[0]);
    if (!read_own(&e))
        return EX_USAGE;
    if (e.merge)
        return merge(&e, argc - first, argv + first);
    if (first == argc) {
        fprintf(stderr, "%s: which program? usage: %s -n N [options] ./prog [args]\n", argv[0], argv[0]);
        return EX_USAGE;
    }
    int status = program_check(argv[0], argv[first], e.path, sizeof e.path);
    if (status)
        return status;
    e.argv = argv + first;
    options_set(OPTION_quiet_footer, "1");
    options_set(OPTION_watchdog, "0");
    options_set(OPTION_timeout, "0");
    if (!read_choosers(&e) || !places_are_there(&e))
        return EX_USAGE;
    read_predict(&e);
    describe(&e);
    e.report = shard_file(&e, e.report);
    e.resume = shard_file(&e, e.resume);
    e.junit = shard_file(&e, e.junit);
    e.sarif = shard_file(&e, e.sarif);
    return explore_program(&e);
}
