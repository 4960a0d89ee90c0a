/* report.c -- the sink of findings: same fault, same finding.
 *
 * A faulty loop finds its fault a million times, on every PE; a person wants it once. A finding's key is its class,
 * rule, unordered pair of places and object. A finding with a known key adds one to the count, and its PEs to the
 * accesses while there is room. Everything is kept in order of arrival, which a seed decides.
 */
#include "reference/report/report.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reference/report/state.h"

const char *
fp_class_name(enum fp_class class_)
{
    static const char *const names[] = {
#define FP_CLASS_ROW(id, text) text,
        FP_CLASS_ROWS(FP_CLASS_ROW)
#undef FP_CLASS_ROW
    };
    return names[class_];
}

const char *
fp_access_name(enum fp_access_kind kind)
{
    static const char *const names[] = {"read", "write", "atomic", "free", "realloc", "alloc", "call"};
    return names[kind];
}

static bool
wants_colour(void)
{
    const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
    return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0 && !(no && *no);
}

struct fp_report *
fp_report_open(struct fp_job *job)
{
    char cwd[PATH_MAX], exe[PATH_MAX];
    struct fp_report *report = calloc(1, sizeof *report);
    bool was = fp_runtime_enter();
    report->job = job;
    pthread_mutex_init(&report->lock, NULL);
    report->nbuckets = 64;
    report->buckets = calloc(report->nbuckets, sizeof *report->buckets);
    report->colour = wants_colour();
    const char *suppress = job->config.suppress;
    report->suppressions = suppress && *suppress ? fp_suppressions_read(suppress) : NULL;
    if (!getcwd(cwd, sizeof cwd))
        cwd[0] = '\0';
    /* The program may change directory before the report is written. */
    const char *path = job->config.report;
    if (path && *path &&
        (path[0] == '/' ? (report->path = strdup(path)) == NULL : asprintf(&report->path, "%s/%s", cwd, path) < 0))
        report->path = NULL;
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = '\0';
    fp_debug_open(&report->debug, exe, cwd);
    fp_runtime_leave(was);
    return report;
}

static uint64_t
mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

static uint64_t
mix_text(uint64_t h, const char *text)
{
    for (; text && *text; text++)
        h = mix(h, (unsigned char)*text);
    return mix(h, 0);
}

/* Without the copy: class, rule, places, object. */
static uint64_t
family_of(struct fp_report *report, const struct fp_finding *f)
{
    uint64_t h = mix(0, f->class_);
    h = mix_text(h, f->rule);
    uint64_t a = f->naccesses > 0 ? fp_place_key(report, f->accesses[0].site) : 0;
    uint64_t b = f->naccesses > 1 ? fp_place_key(report, f->accesses[1].site) : 0;
    h = mix(mix(h, a < b ? a : b), a < b ? b : a);
    h = f->object.allocated ? mix(h, f->object.allocated) : mix_text(h, f->object.name);
    if (f->naccesses == 0)
        h = mix_text(h, f->message);
    return h;
}

static uint64_t
key_of(const struct fp_finding *f, uint64_t family)
{
    return f->class_ == FP_CLASS_RACE ? mix(family, (uint64_t)f->object.pe + 1) : family;
}

static uint32_t *
bucket_of(const struct fp_report *report, uint64_t key)
{
    size_t i = key & (report->nbuckets - 1);
    while (report->buckets[i] && report->all.at[report->buckets[i] - 1]->key != key)
        i = (i + 1) & (report->nbuckets - 1);
    return &report->buckets[i];
}

static void
rehash(struct fp_report *report)
{
    free(report->buckets);
    report->nbuckets *= 2;
    report->buckets = calloc(report->nbuckets, sizeof *report->buckets);
    for (int i = 0; i < report->all.count; i++)
        *bucket_of(report, report->all.at[i]->key) = (uint32_t)i + 1;
}

static void
own_access(struct fp_access *access)
{
    if (access->note)
        access->note = strdup(access->note);
    if (access->stack && access->nstack > 0) {
        fp_site_t *stack = malloc((size_t)access->nstack * sizeof *stack);
        memcpy(stack, access->stack, (size_t)access->nstack * sizeof *stack);
        access->stack = stack;
    } else {
        access->stack = NULL;
        access->nstack = 0;
    }
}

/* The stack of an access that is happening, from its own place on. */
static void
capture(const struct fp_report *report, struct fp_access *access)
{
    fp_site_t stack[32];
    int n = fp_stack_capture(report->job, stack, 32), from = 0;
    while (from < n && stack[from] != access->site)
        from++;
    if (from == n)
        return; /* called through a library: the place alone is surer */
    access->nstack = n - from;
    fp_site_t *kept = malloc((size_t)access->nstack * sizeof *kept);
    memcpy(kept, stack + from, (size_t)access->nstack * sizeof *kept);
    access->stack = kept;
}

static void
entries_add(struct fp_entries *entries, struct fp_entry *entry)
{
    if (entries->count == entries->capacity) {
        entries->capacity = entries->capacity ? 2 * entries->capacity : 16;
        entries->at = realloc(entries->at, (size_t)entries->capacity * sizeof *entries->at);
    }
    entries->at[entries->count++] = entry;
}

static enum fp_entry_sort
sort_of(struct fp_report *report, const struct fp_finding *finding)
{
    if (finding->class_ == FP_CLASS_NOTE)
        return FP_ENTRY_NOTE;
    return report->suppressions && fp_suppressed(report, finding) ? FP_ENTRY_SUPPRESSED : FP_ENTRY_FINDING;
}

static struct fp_entry *
new_entry(struct fp_report *report, const struct fp_finding *finding, uint64_t key, uint64_t family)
{
    struct fp_entry *entry = malloc(sizeof *entry);
    *entry = (struct fp_entry){.finding = *finding, .count = 1, .key = key, .family = family};
    for (int i = 0; i < finding->naccesses; i++)
        own_access(&entry->finding.accesses[i]);
    if (finding->now && finding->naccesses > 0 && !entry->finding.accesses[0].stack)
        capture(report, &entry->finding.accesses[0]);
    entry->sort = sort_of(report, &entry->finding);
    entries_add(&report->all, entry);
    if (entry->sort == FP_ENTRY_FINDING)
        entries_add(&report->findings, entry);
    else if (entry->sort == FP_ENTRY_NOTE)
        entries_add(&report->notes, entry);
    else
        report->suppressed++;
    return entry;
}

/* The same fault again. A race is a pair of accesses on one copy and stays one; of other faults the accesses say which
 * PEs commit them. */
static void
join(struct fp_entry *entry, const struct fp_finding *again)
{
    struct fp_finding *f = &entry->finding;
    entry->count++;
    if (f->class_ == FP_CLASS_RACE || again->naccesses == 0 || f->naccesses == FP_ACCESS_MAX)
        return;
    const struct fp_access *act = &again->accesses[0];
    for (int i = 0; i < f->naccesses; i++)
        if (f->accesses[i].pe == act->pe && f->accesses[i].site == act->site)
            return;
    f->accesses[f->naccesses] = *act;
    own_access(&f->accesses[f->naccesses++]);
}

/* How many entries before this one are the same fault on another copy. */
static int
copies_before(const struct fp_report *report, const struct fp_entry *entry)
{
    int n = 0;
    for (int i = 0; i < report->all.count && report->all.at[i] != entry; i++)
        n += report->all.at[i]->family == entry->family;
    return n;
}

static void
tell(struct fp_report *report, const struct fp_entry *entry)
{
    int copies = copies_before(report, entry);
    if (report->job->config.quiet)
        return;
    if (copies == 0)
        fp_report_tell(report, entry);
    else if (copies <= 3)
        fp_report_tell_copy(report, entry);
    else
        report->untold++;
}

static bool
notes_wanted(const struct fp_report *report)
{
    return report->job->config.notes || report->job->config.unneeded;
}

static bool
stops(const struct fp_report *report, const struct fp_entry *entry)
{
    const struct fp_config *config = &report->job->config;
    return config->stop_at_first && !config->in_process && entry->sort == FP_ENTRY_FINDING;
}

void
fp_report_add(struct fp_report *report, const struct fp_finding *finding)
{
    FP_ASSERT(finding->naccesses >= 0 && finding->naccesses <= FP_ACCESS_MAX); /* not under the lock: it ends the job */
    bool was = fp_runtime_enter();
    pthread_mutex_lock(&report->lock);
    uint64_t family = family_of(report, finding), key = key_of(finding, family);
    uint32_t *bucket = bucket_of(report, key);
    struct fp_entry *entry = *bucket ? report->all.at[*bucket - 1] : NULL;
    bool is_new = false;
    if (report->stopping || (finding->class_ == FP_CLASS_NOTE && !notes_wanted(report))) {
        entry = NULL;
    } else if (entry) {
        join(entry, finding);
    } else if (report->all.count >= FP_FINDINGS_MAX) {
        report->dropped++;
    } else {
        entry = new_entry(report, finding, key, family);
        is_new = true;
        *bucket = (uint32_t)report->all.count;
        if (4 * (size_t)report->all.count > 3 * report->nbuckets)
            rehash(report);
        if (entry->sort != FP_ENTRY_SUPPRESSED)
            tell(report, entry);
    }
    report->occurrences += entry && entry->sort == FP_ENTRY_FINDING;
    report->stopping |= is_new && stops(report, entry);
    bool stop = is_new && report->stopping;
    pthread_mutex_unlock(&report->lock);
    fp_runtime_leave(was);
    if (stop)
        fp_job_abort(report->job, 66);
}

int
fp_report_count(const struct fp_report *report)
{
    return report->findings.count;
}

const struct fp_finding *
fp_report_get(const struct fp_report *report, int index, uint64_t *count)
{
    if (index < 0 || index >= report->findings.count)
        return NULL;
    if (count)
        *count = report->findings.at[index]->count;
    return &report->findings.at[index]->finding;
}

struct fp_line
fp_access_line(struct fp_report *report, const struct fp_access *access)
{
    struct fp_line own = fp_site_line(report, access->site);
    for (int i = 0; i < access->nstack && own.line == 0; i++) {
        struct fp_line frame = fp_site_line(report, access->stack[i]);
        if (frame.line)
            own = frame;
    }
    return own;
}

int
fp_report_close(struct fp_report *report)
{
    int status = 0;
    bool was = fp_runtime_enter();
    pthread_mutex_lock(&report->lock);
    if (!report->closed) {
        report->closed = true;
        status = report->path ? fp_report_write_json(report) : 0;
        fp_report_tell_footer(report);
    }
    pthread_mutex_unlock(&report->lock);
    fp_runtime_leave(was);
    return status;
}

void
fp_report_redirect(struct fp_report *report, const char *path)
{
    free(report->path);
    report->path = *path ? strdup(path) : NULL;
}

void
fp_report_free(struct fp_report *report)
{
    for (int i = 0; i < report->all.count; i++) {
        struct fp_finding *f = &report->all.at[i]->finding;
        for (int j = 0; j < f->naccesses; j++) {
            free((void *)f->accesses[j].note);
            free((void *)f->accesses[j].stack);
        }
        free(report->all.at[i]);
    }
    fp_debug_close(&report->debug);
    fp_places_free(report);
    free(report->all.at);
    free(report->findings.at);
    free(report->notes.at);
    fp_suppressions_free(report->suppressions);
    free(report->buckets);
    free(report->path);
    pthread_mutex_destroy(&report->lock);
    free(report);
}
