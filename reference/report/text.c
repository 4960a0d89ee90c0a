/* text.c -- a finding as a person reads it.
 *
 *     race: put by PE 0 and load by PE 2 touch the same bytes, and nothing orders them
 *       --> mp.c:12 in producer
 *        |
 *     12 |     shmem_int_put(data, source, 4, 2);
 *        |     PE 0: shmem_int_put (write)
 *        |
 *       --> mp.c:20 in consumer
 *        |
 *     20 |     sum += data[i];
 *        |     PE 2: load (read)
 *        |
 *        = object: data on PE 2, byte 4 of 16
 *        = rule: E065, S 9.12.1
 *        = repair: shmem_fence between the put and the flag
 *
 * PEs that did the same at the same place share one entry. A source file that is not there is not missed: the line is
 * named all the same.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reference/report/state.h"

enum style { PLAIN, BOLD, RED, BLUE, GREEN };

static const char *
on(const struct fp_report *report, enum style style)
{
    static const char *const codes[] = {"", "\033[1m", "\033[1;31m", "\033[34m", "\033[32m"};
    return report->colour ? codes[style] : "";
}

static const char *
off(const struct fp_report *report)
{
    return report->colour ? "\033[0m" : "";
}

void
fp_report_say(const char *text, size_t bytes)
{
    while (bytes > 0) {
        ssize_t n = write(STDERR_FILENO, text, bytes);
        if (n <= 0)
            return; /* nobody listens: nothing better to do */
        text += n;
        bytes -= (size_t)n;
    }
}

/* One line of a source file, tabs spaced out, blanks in front kept; NULL if it is not there. */
char *
fp_source_line(const char *path, int wanted)
{
    char *line = NULL, *shown = NULL;
    size_t room = 0;
    ssize_t n = 0;
    FILE *file = path && wanted > 0 ? fopen(path, "re") : NULL;
    if (!file)
        return NULL;
    for (int i = 0; i < wanted && n >= 0; i++)
        n = getline(&line, &room, file);
    fclose(file);
    if (n >= 0 && (shown = malloc(8 * (size_t)n + 1))) {
        size_t out = 0;
        for (ssize_t i = 0; i < n && out < 110; i++) {
            unsigned char c = (unsigned char)line[i];
            if (c == '\t')
                do
                    shown[out++] = ' ';
                while (out % 4);
            else if (c >= ' ' && c != 0x7f)
                shown[out++] = (char)c;
        }
        while (out > 0 && shown[out - 1] == ' ')
            out--;
        shown[out] = '\0';
    }
    free(line);
    return shown;
}

/* "file:line in function", or what is known of it. */
static void
put_place(FILE *out, const struct fp_line *line)
{
    bool named = line->function && strcmp(line->function, "?") != 0;
    if (line->line)
        fprintf(out, "%s:%d", line->file, line->line);
    else if (strcmp(line->file, "?") != 0)
        fputs(line->file, out);
    else
        fputs(named ? "line unknown (compile with -g)" : "place unknown (compile with -g)", out);
    if (named)
        fprintf(out, " in %s", line->function);
}

static bool
same_act(const struct fp_access *a, const struct fp_access *b)
{
    return a->site == b->site && a->kind == b->kind && strcmp(a->op, b->op) == 0 &&
           strcmp(a->note ? a->note : "", b->note ? b->note : "") == 0;
}

/* The PEs that did what access `first` did, as "PE 0" or "PEs 0, 1, 2". `seen` marks those that are told. */
static void
put_actors(FILE *out, const struct fp_finding *f, int first, bool *seen)
{
    int pes[FP_ACCESS_MAX], n = 0;
    for (int i = first; i < f->naccesses; i++) {
        if (seen[i] || !same_act(&f->accesses[first], &f->accesses[i]))
            continue;
        /* A race of one line with itself has two accesses that look alike but are two: keep the first pair apart. */
        if (f->class_ == FP_CLASS_RACE && first == 0 && i == 1)
            continue;
        seen[i] = true;
        pes[n++] = f->accesses[i].pe;
    }
    fputs(n > 1 ? "PEs " : "PE ", out);
    for (int i = 0; i < n; i++)
        fprintf(out, i ? ", %d" : "%d", pes[i]);
}

static void
put_act(FILE *out, const struct fp_access *access)
{
    bool says = access->kind == FP_READ || access->kind == FP_WRITE || access->kind == FP_ATOMIC;
    fprintf(out, ": %s", access->op);
    if (says && strcmp(access->op, fp_access_name(access->kind)) != 0)
        fprintf(out, " (%s)", fp_access_name(access->kind));
    if (access->note && *access->note)
        fprintf(out, ", %s", access->note);
}

static bool
same_line(const struct fp_line *a, const struct fp_line *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0 && strcmp(a->function, b->function) == 0;
}

/* Who called, outward from the line that is shown. */
static void
put_callers(struct fp_report *report, FILE *out, const struct fp_access *access, const struct fp_line *shown)
{
    struct fp_line frames[FP_DEBUG_FRAMES];
    int told = 0;
    bool outside = false;
    for (int i = 0; i < access->nstack || (i == 0 && access->site); i++) {
        int n = fp_site_frames(report, access->nstack ? access->stack[i] : access->site, frames, FP_DEBUG_FRAMES);
        for (int j = 0; j < n; j++) {
            if (!outside) {
                outside = same_line(&frames[j], shown);
            } else if (frames[j].line && told < 5) {
                fprintf(out, told++ ? ", " : "; called from ");
                put_place(out, &frames[j]);
            }
        }
    }
}

static const char *
source_path(struct fp_report *report, const struct fp_access *access, const struct fp_line *shown)
{
    for (int i = -1; i < access->nstack; i++) {
        fp_site_t site = i < 0 ? access->site : access->stack[i];
        if (site == 0 || site & FP_SITE_FOREIGN)
            continue;
        const struct fp_debug_line *frames;
        int n = fp_debug_frames(&report->debug, site, &frames);
        for (int j = 0; j < n; j++)
            if (frames[j].file && frames[j].line == shown->line && strcmp(frames[j].file, shown->file) == 0)
                return frames[j].path;
    }
    return NULL;
}

char *
fp_access_source(struct fp_report *report, const struct fp_access *access)
{
    bool was = fp_runtime_enter();
    struct fp_line line = fp_access_line(report, access);
    char *source = fp_source_line(source_path(report, access, &line), line.line);
    if (source)
        memmove(source, source + strspn(source, " "), strlen(source + strspn(source, " ")) + 1);
    fp_runtime_leave(was);
    return source;
}

/* The line of access `first` once, below it everything that happened there. */
static void
put_access(struct fp_report *report, FILE *out, const struct fp_finding *f, int first, bool *seen, int width)
{
    const char *blue = on(report, BLUE), *end = off(report);
    struct fp_line line = fp_access_line(report, &f->accesses[first]);
    char *source = fp_source_line(source_path(report, &f->accesses[first], &line), line.line);
    int margin = source ? (int)strspn(source, " ") : 0;
    fprintf(out, "%s%*s-->%s ", blue, width, "", end);
    put_place(out, &line);
    fprintf(out, "\n%s%*s |%s\n", blue, width, "", end);
    if (source)
        fprintf(out, "%s%*d |%s %s\n", blue, width, line.line, end, source);
    for (int i = first; i < f->naccesses; i++) {
        struct fp_line here = fp_access_line(report, &f->accesses[i]);
        if (seen[i] || (i > first && !same_line(&here, &line)))
            continue;
        fprintf(out, "%s%*s |%s %*s%s", blue, width, "", end, margin < 40 ? margin : 40, "", on(report, BOLD));
        put_actors(out, f, i, seen);
        put_act(out, &f->accesses[i]);
        fputs(end, out);
        put_callers(report, out, &f->accesses[i], &line);
        fputc('\n', out);
    }
    fprintf(out, "%s%*s |%s\n", blue, width, "", end);
    free(source);
}

static void
put_object(struct fp_report *report, FILE *out, const struct fp_finding *f, int width)
{
    const struct fp_object *object = &f->object;
    for (int i = 0; i < f->naccesses; i++)
        if (f->accesses[i].kind == FP_ALLOC)
            return; /* an allocation that failed: told already */
    if (!object->name[0])
        return;
    fprintf(out, "%s%*s =%s object: %s on PE %d", on(report, BLUE), width, "", off(report), object->name, object->pe);
    if (object->offset == object->bytes && object->bytes)
        fputs(", right behind its end", out);
    else if (object->offset > object->bytes && object->bytes)
        fprintf(out, ", %llu bytes past its end", (unsigned long long)(object->offset - object->bytes));
    else if (object->bytes)
        fprintf(out, ", byte %llu of %llu", (unsigned long long)object->offset, (unsigned long long)object->bytes);
    if (object->allocated) {
        struct fp_line line = fp_site_line(report, object->allocated);
        fputs(", allocated at ", out);
        put_place(out, &line);
    }
    fputc('\n', out);
}

static void
put_fact(struct fp_report *report, FILE *out, int width, const char *what, enum style style, const char *text)
{
    if (text && *text)
        fprintf(out, "%s%*s =%s %s%s:%s %s\n", on(report, BLUE), width, "", off(report), on(report, style), what,
                off(report), text);
}

static void
put_details(FILE *out, const char *details)
{
    while (*details) {
        size_t n = strcspn(details, "\n");
        fprintf(out, "    %.*s\n", (int)n, details);
        details += n + (details[n] == '\n');
    }
}

/* How to see the order of which a predicted finding speaks. */
static void
put_witness(struct fp_report *report, FILE *out, int width, const char *witness)
{
    const struct fp_config *config = &report->job->config;
    if (!*witness)
        return;
    fprintf(out, "%s%*s =%s witness: ", on(report, BLUE), width, "", off(report));
    if (config->in_process) {
        fprintf(out, "fencepost_config_t{.replay = \"%s\"}\n", witness);
        return;
    }
    fprintf(out, "fencepost replay %s --", witness);
    for (int i = 0; i < config->argc && config->argv; i++)
        fp_report_put_argument(out, config->argv[i]);
    fputc('\n', out);
}

void
fp_report_tell(struct fp_report *report, const struct fp_entry *entry)
{
    const struct fp_finding *f = &entry->finding;
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    bool seen[FP_ACCESS_MAX] = {false};
    int width = 2; /* of the widest line number */
    if (!out)
        return;
    for (int i = 0; i < f->naccesses; i++)
        for (int n = fp_access_line(report, &f->accesses[i]).line, digits = 0; n > 0; n /= 10)
            if (++digits > width)
                width = digits;
    fprintf(out, "%s%s%s:%s %s%s%s\n", report->findings.count + report->notes.count > 1 ? "\n" : "",
            on(report, f->class_ == FP_CLASS_NOTE ? BLUE : RED), fp_class_name(f->class_), off(report),
            on(report, BOLD), f->message, off(report));
    put_details(out, f->details);
    for (int i = 0; i < f->naccesses; i++)
        if (!seen[i])
            put_access(report, out, f, i, seen, width);
    put_object(report, out, f, width);
    put_fact(report, out, width, "rule", PLAIN, f->rule);
    put_fact(report, out, width, "repair", GREEN, f->repair);
    put_fact(report, out, width, "predicted", BOLD, f->luck);
    put_witness(report, out, width, f->witness);
    fclose(out);
    fp_report_say(text, bytes);
    free(text);
}

/* The same fault on another PE's copy: one line. */
void
fp_report_tell_copy(struct fp_report *report, const struct fp_entry *entry)
{
    const struct fp_finding *f = &entry->finding;
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return;
    fprintf(out, "\n%s%s:%s the same on PE %d's copy", on(report, RED), fp_class_name(f->class_), off(report),
            f->object.pe);
    for (int i = 0; i < f->naccesses; i++) {
        struct fp_line line = fp_access_line(report, &f->accesses[i]);
        fprintf(out, "%s %s by PE %d at %s:%d", i ? "," : ":", f->accesses[i].op, f->accesses[i].pe, line.file,
                line.line);
    }
    fputc('\n', out);
    fclose(out);
    fp_report_say(text, bytes);
    free(text);
}
