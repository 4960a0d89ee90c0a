/* whatif.c -- the whole of a replay without the program: settings, names, the run, what is told. See whatif.h. */
#include "sim/whatif.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sysexits.h>

#include "reference/launch/inprocess.h"
#include "sim/timing.h"

/* ---- Names that the trace brings along
 * ------------------------------------------------------------------------------------ */

/* The words of a value, which tabs separate. True where there are `count`. */
static bool
split(char *text, char **words, int count)
{
    int i = 0;
    for (char *at = text; at && i < count; i++) {
        words[i] = at;
        at = i + 1 < count ? strchr(at, '\t') : NULL;
        if (at)
            *at++ = '\0';
    }
    return i == count;
}

struct names {
    struct name {
        uint64_t key, bytes; /* site; or offset */
        int line;
        char *text, *file, *function; /* text owns the others */
    } * sites, *objects;
    size_t nsites, nobjects;
};

static struct names names;

static int
by_key(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static size_t
read_names(struct fp_trace_reader *trace, const char *key, int words, struct name **list)
{
    size_t count = 0, cap = 0;
    const char *value;
    for (int i = 0; (value = fp_trace_result_field(trace, key, i)); i++) {
        char *part[4], *text = strdup(value);
        if (count == cap) {
            cap = cap ? 2 * cap : 64;
            *list = realloc(*list, cap * sizeof **list);
        }
        if (!text || !*list)
            fp_env_fail("out of memory for the names of the trace");
        if (!split(text, part, words)) {
            free(text);
            continue;
        }
        struct name *name = &(*list)[count++];
        *name = (struct name){.text = text};
        if (words == 4) {
            name->key = strtoull(part[0], NULL, 16);
            name->line = atoi(part[1]);
            name->function = part[2];
            name->file = part[3];
        } else {
            name->key = strtoull(part[0], NULL, 10);
            name->bytes = strtoull(part[1], NULL, 10);
            name->function = part[2];
        }
    }
    if (count)
        qsort(*list, count, sizeof **list, by_key);
    return count;
}

/* The last one at or before the key, or NULL. */
static const struct name *
find_name(const struct name *list, size_t count, uint64_t key)
{
    size_t lo = 0, hi = count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (list[mid].key <= key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? &list[lo - 1] : NULL;
}

static bool
given_line(void *self, fp_site_t site, struct fp_line *line)
{
    const struct name *name = find_name(names.sites, names.nsites, site);
    *line = (struct fp_line){"?", "?", 0};
    if (!name || name->key != site)
        return false;
    *line = (struct fp_line){name->function, name->file, name->line};
    return true;
}

static bool
given_object(void *self, uint64_t offset, const char **text, uint64_t *start, uint64_t *bytes)
{
    const struct name *name = find_name(names.objects, names.nobjects, offset);
    *text = name ? name->function : "";
    *start = name ? name->key : 0;
    *bytes = name ? name->bytes : 0;
    return name && offset - name->key < name->bytes;
}

static void
names_free(void)
{
    for (size_t i = 0; i < names.nsites; i++)
        free(names.sites[i].text);
    for (size_t i = 0; i < names.nobjects; i++)
        free(names.objects[i].text);
    free(names.sites);
    free(names.objects);
    names = (struct names){0};
}

/* ---- The run
 * ------------------------------------------------------------------------------------------------------------ */

static struct whatif *loaded;
static struct fp_given given = {.line = given_line, .object = given_object};

static void *
made(size_t count, size_t bytes)
{
    void *block = calloc(count, bytes);
    if (!block)
        fp_env_fail("out of memory for %d PEs", loaded->npes);
    return block;
}

/* The largest transfer with private memory at one end. */
static size_t
private_bytes(const struct whatif *w)
{
    int64_t most = 64;
    for (int pe = 0; pe < w->npes; pe++)
        for (size_t i = 0; i < w->scripts[pe].count; i++)
            if (w->scripts[pe].acts[i].shape->event == TRACE_EV_ISSUE && w->scripts[pe].acts[i].bytes > most)
                most = w->scripts[pe].acts[i].bytes;
    return (size_t)most;
}

static void
prepare(struct fp_job *job)
{
    struct whatif *w = loaded;
    size_t count = (size_t)w->npes, bytes = ((size_t)w->static_bytes + 4096 + 4095) & ~(size_t)4095;
    char *statics =
        mmap(NULL, count * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (statics == MAP_FAILED)
        fp_env_fail("no memory for static objects of %zu bytes on %d PEs", bytes, w->npes);
    for (size_t i = 0; i < count; i++) {
        job->pes[i].static_lo = statics + i * bytes;
        job->pes[i].static_hi = statics + (i + 1) * bytes;
    }
    const char *hooks = fp_trace_header(w->trace, "hooks", 0);
    job->hooked = hooks && !strcmp(hooks, "1");
    given.self = w;
    job->given = &given;
    w->issuing = made(count, sizeof *w->issuing);
    w->ctxs = made(count, sizeof *w->ctxs);
    w->nctxs = made(count, sizeof *w->nctxs);
    w->born = made(count, sizeof *w->born);
    w->nothing = made(1, private_bytes(w) + 64);
}

/* What stands on the command line (in the environment), else what was recorded. */
static const char *
setting(const char *variable, const char *key, const char *standard)
{
    const char *asked = getenv(variable), *recorded = key ? fp_trace_header(loaded->trace, key, 0) : NULL;
    return asked && *asked ? asked : recorded && *recorded ? recorded : standard;
}

static size_t
heap_bytes(const struct whatif *w)
{
    const char *recorded = fp_trace_header(w->trace, "heap-bytes", 0);
    uint64_t bytes = recorded ? strtoull(recorded, NULL, 10) : 0, needed = 1 << 20;
    for (size_t i = 0; i < w->nblocks; i++)
        needed += (uint64_t)w->blocks[i].bytes + 4096;
    return bytes && bytes < UINT64_C(1) << 44 ? bytes : needed < UINT64_C(1) << 40 ? needed : (size_t)1 << 40;
}

/* Hangs, leaks, wrong arguments and what concerns private memory are found by a run of the program alone: the calls
 * that can be issued again are right. A finding of the recording of a class that was not found again is told, so that
 * nobody takes this replay's silence for an answer. Its number, or with `tell` what it was. */
static int
not_found_again(const struct whatif *w, const struct fp_report *report, bool tell)
{
    const char *recorded;
    int missing = 0;
    for (int i = 0; (recorded = fp_trace_result_field(w->trace, "finding", i)); i++) {
        bool again = false;
        for (int k = 0; k < fp_report_count(report) && !again; k++) {
            const char *name = fp_class_name(fp_report_get(report, k, NULL)->class_);
            size_t length = strlen(name);
            again = !strncmp(recorded, name, length) && recorded[length] == ':';
        }
        missing += !again;
        if (!again && tell)
            fprintf(stderr, "found by the recording, and not by this replay: %s\n", recorded);
    }
    return missing;
}

static void
tell_times(const struct whatif *w, const struct fp_job *job, int findings)
{
    int missing = job->config.check ? not_found_again(w, job->report, false) : 0;
    const char *unseen, *net = fp_trace_header(w->trace, "net", 0);
    uint64_t predicted = sim_timing_end(w->sim);
    fprintf(stderr, "fencepost: ");
    if (!job->config.check)
        fprintf(stderr, "not checked. ");
    else if (findings)
        fprintf(stderr, "%d finding%s. ", findings, findings == 1 ? "" : "s");
    else
        fprintf(stderr, missing ? "nothing found, but the recording had findings. " : "clean. ");
    fprintf(stderr, "replayed without its program: %d PEs, %" PRIu64 " operations, net %s, chooser %s, rules %s\n",
            w->npes, w->nops, job->config.net, job->config.chooser, job->config.rules_name);
    fprintf(stderr, "predicted %.3f us, recorded %.3f us (%s, net %s)\n", (double)predicted / 1000,
            (double)w->recorded_ns / 1000, w->real_clock ? "measured" : "simulated", net && *net ? net : "?");
    if (w->left_out)
        fprintf(stderr, "%" PRIu64 " calls left out: they name memory that is not symmetric or not live\n",
                w->left_out);
    if (missing)
        not_found_again(w, job->report, true);
    for (int i = 0; (unseen = fp_trace_result_field(w->trace, "unseen", i)); i++)
        fprintf(stderr, "not in the recording: %s\n", unseen);
}

static int
replay(struct whatif *w)
{
    struct fp_session session;
    const char *seed = setting("FENCEPOST_SEED", "seed", "1");
    fencepost_config_t config = {.npes = w->npes,
                                 .seed = strtoull(seed, NULL, 10),
                                 .net = setting("FENCEPOST_NET", "net", "reorder"),
                                 .chooser = setting("FENCEPOST_CHOOSER", NULL, "timed"),
                                 .rules = setting("FENCEPOST_RULES", "rules", "common"),
                                 .heap_bytes = heap_bytes(w)};
    unsetenv("FENCEPOST_REPLAY");
    int status = fp_session_open(&session, whatif_play, w, &config);
    if (status)
        return status;
    session.prepare = prepare;
    status = fp_session_run(&session, session.job.config.seed, NULL);
    if (session.job.report) {
        int findings = fp_report_count(session.job.report);
        if (fp_report_close(session.job.report) && !status)
            status = EX_OSERR;
        if (w->sim && !session.failed)
            tell_times(w, &session.job, findings);
    }
    fp_session_close(&session);
    return status;
}

int
whatif_main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "fencepost: which trace?\n");
        return EX_USAGE;
    }
    loaded = whatif_load(argv[1]);
    if (!loaded)
        return EX_DATAERR;
    char error[512];
    if (fp_trace_verify(argv[1], error, sizeof error) != 1)
        fprintf(stderr, "fencepost: trace %s was cut short; it is replayed as far as it goes\n", argv[1]);
    names.nsites = read_names(loaded->trace, "site", 4, &names.sites);
    names.nobjects = read_names(loaded->trace, "object", 3, &names.objects);
    int status = replay(loaded);
    whatif_free(loaded);
    names_free();
    return status;
}
