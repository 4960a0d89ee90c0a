/* shrink.c -- `fencepost shrink`: the fewest choices that still show the finding of a trace.
 *
 * A recorded run has hundreds of choices, and a person wants the two that matter. Most of them can be left to a default
 * (go on), so the search is for the smallest set of answers that are not: delta debugging (Zeller and Hildebrandt,
 * 2002) over their positions. Each candidate is a list of choices that the chooser `guided` follows as far as it
 * fits, and it is good when the run still has the finding: same class, rule, object and places. Before that a
 * smaller program is looked for: fewer PEs, a stricter network, by sampling. The smallest run is recorded as it
 * goes, so its trace replays.
 */
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "tools/campaign.h"
#include "tools/fencepost.h"
#include "tools/options.h"
#include "tools/program.h"
#include "tools/recorded.h"
#include "tools/worker.h"

#define SAMPLES 200 /* runs that look for the finding with fewer PEs or on a stricter network */
#define TIMEOUT_MS 5000
#define SHRINK_OPTIONS (OPTION_BIT(pe_context))

struct shrink {
    const char *command, *output;
    char path[PATH_MAX];
    char **argv;
    char folder[64];
    struct worker worker;
    int workers; /* started so far: names their files */
    char *key;   /* of the finding */
    char *text;  /* what the last good run wrote */
    struct fp_trace_choice_entry *entries;
    size_t count;
    uint64_t tries;
};

static int
print_help(const char *command)
{
    printf(
        "usage: %s [--output FILE] TRACE -- ./prog args\n\n"
        "Writes the trace of a run that shows the same finding with the fewest choices that matter, on the fewest PEs\n"
        "and the strictest network it is found with.\n\n"
        "  --output FILE        where it goes [TRACE with .min before its ending]\n\n"
        "exit status: 0 written, 65 where the trace is damaged or shows no finding, 64 wrong usage\n",
        command);
    return 0;
}

static int
own_option(void *self, const char *word, const char *next)
{
    struct shrink *s = self;
    if (!strncmp(word, "--output=", 9)) {
        s->output = word + 9;
        return 1;
    }
    if (strcmp(word, "--output"))
        return 0;
    if (!next) {
        fprintf(stderr, "%s: --output needs a value (FILE)\n", s->command);
        return -1;
    }
    s->output = next;
    return 2;
}

/* ---- Runs */

static int
worker_open(struct shrink *s)
{
    setenv("FENCEPOST_NO_FOOTER", "1", 1);
    setenv("FENCEPOST_WATCHDOG", "0", 1);
    return worker_start(&s->worker, s->command, s->folder, s->workers++, s->path, s->argv);
}

/* Whether the run that the reply is of has the finding. Without a key yet, its first finding becomes the one. */
static bool
shows(struct shrink *s, const struct server_reply *reply)
{
    struct campaign seen = {0};
    bool found = false;
    if (!reply->ran || (!reply->status && !reply->timed_out))
        return false;
    char *output = worker_output(&s->worker);
    struct ending ending = {.status = reply->status,
                            .timed_out = reply->timed_out,
                            .chooser = "",
                            .report = s->worker.report,
                            .output = output ? output : ""};
    campaign_add(&seen, &ending, NULL);
    if (!s->key && seen.count)
        s->key = strdup(seen.found[0].key);
    for (int i = 0; i < seen.count; i++)
        found = found || !strcmp(seen.found[i].key, s->key);
    campaign_free(&seen);
    if (found) {
        free(s->text);
        s->text = output;
    } else {
        free(output);
    }
    return found;
}

static struct server_request
request_of(const struct shrink *s, uint32_t kind)
{
    struct server_request request = {
        .kind = kind, .step = 1, .count = 1, .seed = 1, .nchoosers = 4, .timeout_ms = TIMEOUT_MS};
    static const char *const choosers[] = {"adversarial", "random", "pct", "swarm"};
    for (int i = 0; i < 4; i++)
        snprintf(request.choosers[i], sizeof request.choosers[i], "%s", choosers[i]);
    snprintf(request.report, sizeof request.report, "%s", s->worker.report);
    return request;
}

static bool
ask(struct shrink *s, const struct server_request *request)
{
    struct server_reply reply;
    s->tries++;
    return worker_send(&s->worker, request) && worker_receive(&s->worker, &reply) && shows(s, &reply);
}

/* The run that follows the choices in `guide`; recorded in `trace` unless that is "". */
static bool
follow(struct shrink *s, const char *guide, const char *trace)
{
    struct server_request request = request_of(s, SERVER_GUIDED);
    snprintf(request.guide, sizeof request.guide, "%s", guide);
    snprintf(request.trace, sizeof request.trace, "%s", trace);
    return ask(s, &request);
}

/* ---- Lists of choices */

static bool
entries_read(struct shrink *s, const char *path)
{
    char error[512];
    size_t capacity = 0;
    int got = -1;
    struct fp_trace_reader *trace = fp_trace_open(path, error, sizeof error);
    s->count = 0;
    while (trace) {
        if (s->count == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            s->entries = realloc(s->entries, capacity * sizeof *s->entries);
            if (!s->entries)
                exit(EX_OSERR);
        }
        if ((got = fp_trace_next(trace, &s->entries[s->count], error, sizeof error)) != 1)
            break;
        s->count++;
    }
    fp_trace_free(trace);
    if (got)
        fprintf(stderr, "%s: %s\n", s->command, error);
    return got == 0;
}

/* The entries at these positions; whatever stands between them is the default. */
static bool
try_positions(struct shrink *s, const size_t *positions, size_t count)
{
    char guide[128];
    snprintf(guide, sizeof guide, "%s/guide.fptrace", s->folder);
    struct fp_trace_writer *writer = fp_trace_create(guide);
    if (!writer)
        return false;
    fp_trace_field(writer, "guide", "1");
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        for (; at < positions[i]; at++)
            fp_trace_choice(writer, 0, 0, 0);
        fp_trace_choice(writer, s->entries[at].kind, s->entries[at].bound, s->entries[at].answer);
        at++;
    }
    return !fp_trace_close(writer) && follow(s, guide, "");
}

static size_t
positions_of(const struct shrink *s, size_t *positions)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->entries[i].answer != 0)
            positions[count++] = i;
    return count;
}

/* Delta debugging: leaves out ever smaller parts, as long as the finding stays. */
static size_t
minimise(struct shrink *s, size_t *positions, size_t count)
{
    size_t *without = malloc((count + 1) * sizeof *without);
    if (!without)
        exit(EX_OSERR);
    for (size_t part = count; part >= 1 && count > 0;) {
        bool smaller = false;
        for (size_t from = 0; from < count;) {
            size_t to = from + part < count ? from + part : count, kept = 0;
            for (size_t i = 0; i < count; i++)
                if (i < from || i >= to)
                    without[kept++] = positions[i];
            if (try_positions(s, without, kept)) {
                memcpy(positions, without, kept * sizeof *positions);
                count = kept;
                smaller = true;
            } else {
                from = to;
            }
        }
        if (part > 1)
            part = part > count ? count : (part + 1) / 2;
        else if (!smaller)
            break;
        if (part == 0)
            break;
    }
    free(without);
    return count;
}

/* ---- A smaller program */

/* Looks for the finding among runs with the settings that the variables have now. True: `trace` has such a run. */
static bool
sample(struct shrink *s, const char *trace)
{
    worker_stop(&s->worker);
    bool found = false;
    options_set(OPTION_chooser, "adversarial"); /* of the loader; each run has its own */
    if (worker_open(s))
        return false;
    for (uint64_t n = 0; n < SAMPLES && !found; n++) {
        struct server_request request = request_of(s, SERVER_SAMPLE);
        struct server_reply reply;
        request.first = n;
        request.count = SAMPLES - n;
        if (!worker_send(&s->worker, &request) || !worker_receive(&s->worker, &reply) || reply.timed_out)
            break;
        n = reply.last;
        s->tries += reply.ran;
        if (!(found = shows(s, &reply)))
            continue;
        request.first = n;
        request.count = 1;
        snprintf(request.trace, sizeof request.trace, "%s", trace);
        found = ask(s, &request) && !access(trace, R_OK);
    }
    return found;
}

/* One setting after the other, from the smallest; keeps the first with which the finding is there. */
static void
smaller_setting(struct shrink *s, enum option_id option, const char *const *values, const char *now, const char *base)
{
    char trace[128];
    snprintf(trace, sizeof trace, "%s/sample.fptrace", s->folder);
    for (; *values && strcmp(*values, now); values++) {
        options_set(option, *values);
        if (sample(s, trace) && !rename(trace, base))
            return;
    }
    options_set(option, now);
}

static void
smaller_program(struct shrink *s, const char *npes, const char *net, const char *base)
{
    static const char *const nets[] = {"ideal", "ordered", "reorder", NULL};
    char numbers[16][16];
    const char *counts[17] = {NULL};
    int most = atoi(npes);
    for (int n = 1, k = 0; n < most && k < 16; n = n < 8 ? n + 1 : 2 * n, k++) {
        snprintf(numbers[k], sizeof numbers[k], "%d", n);
        counts[k] = numbers[k];
    }
    smaller_setting(s, OPTION_npes, counts, npes, base);
    if (!strcmp(net, "reorder") || !strcmp(net, "ordered"))
        smaller_setting(s, OPTION_net, nets, net, base);
}

/* The settings that the trace at `base` was recorded with. False after saying why. */
static bool
settings_from(struct shrink *s, const char *base)
{
    char error[512];
    struct fp_trace_reader *trace = fp_trace_open(base, error, sizeof error);
    bool good = trace && recorded_settings(trace);
    fp_trace_free(trace);
    return good;
}

static char *
header_copy(const struct fp_trace_reader *trace, const char *key)
{
    const char *value = fp_trace_header(trace, key, 0);
    return strdup(value ? value : "");
}

static int
remove_entry(const char *path, const struct stat *status, int kind, struct FTW *ftw)
{
    return remove(path);
}

static bool
file_copy(const char *from, const char *to)
{
    char buffer[65536];
    size_t got;
    FILE *in = fopen(from, "re"), *out = fopen(to, "we");
    bool good = in && out;
    while (good && (got = fread(buffer, 1, sizeof buffer, in)) > 0)
        good = fwrite(buffer, 1, got, out) == got;
    if (in)
        fclose(in);
    if (out && fclose(out))
        good = false;
    return good;
}

static int
shrink(struct shrink *s, const char *file, const char *npes, const char *net)
{
    char base[128], output[PATH_MAX], absolute[PATH_MAX];
    snprintf(base, sizeof base, "%s/base.fptrace", s->folder);
    const char *dot = strrchr(file, '.');
    int stem = dot && !strchr(dot, '/') ? (int)(dot - file) : (int)strlen(file);
    if (s->output)
        snprintf(output, sizeof output, "%s", s->output);
    else
        snprintf(output, sizeof output, "%.*s.min%s", stem, file, file + stem);
    if (!realpath(file, absolute) || worker_open(s) || !follow(s, absolute, base)) {
        fprintf(stderr, "%s: the run of %s shows no finding, so there is nothing to shrink\n", s->command, file);
        return EX_DATAERR;
    }
    if (!entries_read(s, base))
        return EX_DATAERR;
    size_t *positions = malloc((s->count + 1) * sizeof *positions), before = positions_of(s, positions);
    smaller_program(s, npes, net, base);
    worker_stop(&s->worker);
    if (!settings_from(s, base) || worker_open(s) || !entries_read(s, base))
        return EX_SOFTWARE;
    positions = realloc(positions, (s->count + 1) * sizeof *positions);
    size_t count = minimise(s, positions, positions_of(s, positions));
    char guide[128], last[128];
    snprintf(last, sizeof last, "%s/last.fptrace", s->folder);
    snprintf(guide, sizeof guide, "%s/guide.fptrace", s->folder);
    bool good = try_positions(s, positions, count) && follow(s, guide, last) && !access(last, R_OK);
    free(positions);
    if (!good || !entries_read(s, last) || !file_copy(last, output)) {
        fprintf(stderr, "%s: the shortened run cannot be written to %s\n", s->command, output);
        return EX_SOFTWARE;
    }
    fputs(s->text ? s->text : "", stderr);
    fprintf(stderr, "\n%s: %zu choices matter, of %zu", s->command, count, before);
    if (strcmp(getenv("FENCEPOST_NPES"), npes))
        fprintf(stderr, "; %s PEs instead of %s", getenv("FENCEPOST_NPES"), npes);
    if (strcmp(getenv("FENCEPOST_NET"), net))
        fprintf(stderr, "; net %s instead of %s", getenv("FENCEPOST_NET"), net);
    fprintf(stderr, "; %llu runs\n", (unsigned long long)s->tries);
    fprintf(stderr, "  again: fencepost replay %s --", output);
    for (int i = 0; s->argv[i]; i++)
        fprintf(stderr, " %s", s->argv[i]);
    fputc('\n', stderr);
    return 0;
}

int
command_shrink(int argc, char **argv)
{
    struct shrink s = {.command = argv[0], .worker = {.socket = -1, .output = -1}};
    struct option_request request = {.command = argv[0], .allowed = SHRINK_OPTIONS, .own = own_option, .self = &s};
    int at = options_read(&request, argc, argv, 1);
    if (at < 0)
        return EX_USAGE;
    if (request.asked_help)
        return print_help(argv[0]);
    const char *file = at < argc ? argv[at] : NULL;
    if (file)
        at = options_read(&request, argc, argv, at + 1);
    if (at < 0)
        return EX_USAGE;
    if (!file || !request.stopped_at_dashes || at == argc) {
        fprintf(stderr, "%s: usage: %s [--output FILE] TRACE -- ./prog args\n", argv[0], argv[0]);
        return EX_USAGE;
    }
    char error[512];
    struct fp_trace_reader *trace = fp_trace_open(file, error, sizeof error);
    if (!trace) {
        fprintf(stderr, "%s: %s\n", argv[0], error);
        return EX_DATAERR;
    }
    s.argv = argv + at;
    int status = program_check(argv[0], argv[at], s.path, sizeof s.path);
    const char *wrong = status ? NULL : recorded_difference(trace, s.path, argv + at + 1);
    if (!status && !wrong && !recorded_settings(trace))
        wrong = "it does not say how the run was configured";
    if (wrong) {
        fprintf(stderr, "%s: trace %s: %s\n", argv[0], file, wrong);
        status = EX_USAGE;
    }
    char *npes = header_copy(trace, "npes"), *net = header_copy(trace, "net");
    fp_trace_free(trace);
    snprintf(s.folder, sizeof s.folder, "%s/fencepost-XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!status && !mkdtemp(s.folder)) {
        fprintf(stderr, "%s: cannot make a folder for the candidates\n", argv[0]);
        status = EX_OSERR;
    }
    if (!status) {
        status = shrink(&s, file, npes, net);
        worker_stop(&s.worker);
        nftw(s.folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    }
    free(npes);
    free(net);
    free(s.key);
    free(s.text);
    free(s.entries);
    return status;
}
