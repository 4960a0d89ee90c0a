/* json.c -- the report file, "fencepost-report/1".
 *
 * Keys and their order are fixed: other programs read this file. It is written to a temporary file beside the wanted
 * one, synced and renamed, so that a reader sees the old file or the whole new one. Equal runs give equal bytes: 64-bit
 * numbers are written by us, since the library's are doubles.
 */
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reference/report/state.h"

static void
add_number(cJSON *to, const char *key, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    cJSON_AddRawToObject(to, key, text);
}

/* Length of the UTF-8 sequence at `s`; 0 where it is none. */
static int
utf8_length(const unsigned char *s)
{
    int n = s[0] < 0x80                   ? 1
            : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
            : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
            : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                          : 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

/* A file name may hold any bytes, JSON may not. */
static cJSON *
new_string(const char *text)
{
    char *clean = strdup(text ? text : "");
    for (unsigned char *c = (unsigned char *)clean; *c;) {
        int n = utf8_length(c);
        if (n == 0)
            *c = '?';
        c += n ? n : 1;
    }
    cJSON *string = cJSON_CreateString(clean);
    free(clean);
    return string;
}

static void
add_string(cJSON *to, const char *key, const char *text)
{
    cJSON_AddItemToObject(to, key, new_string(text));
}

static void
add_string_or_null(cJSON *to, const char *key, const char *text)
{
    if (text && *text)
        add_string(to, key, text);
    else
        cJSON_AddNullToObject(to, key);
}

static void
add_line(cJSON *to, const struct fp_line *line)
{
    add_string(to, "file", line->file);
    add_number(to, "line", (uint64_t)line->line);
}

static cJSON *
new_object(struct fp_report *report, const struct fp_object *object)
{
    cJSON *json = cJSON_CreateObject();
    bool known = object->name[0] != '\0';
    add_string(json, "name", object->name);
    if (known) {
        cJSON_AddNumberToObject(json, "pe", object->pe);
        add_number(json, "offset", object->offset);
        add_number(json, "bytes", object->bytes);
    } else {
        cJSON_AddNullToObject(json, "pe");
        cJSON_AddNullToObject(json, "offset");
        cJSON_AddNullToObject(json, "bytes");
    }
    if (object->allocated) {
        struct fp_line line = fp_site_line(report, object->allocated);
        add_line(cJSON_AddObjectToObject(json, "allocated"), &line);
    } else {
        cJSON_AddNullToObject(json, "allocated");
    }
    return json;
}

/* A site is as many frames as were inlined into one another there. */
static void
add_frames(struct fp_report *report, cJSON *stack, fp_site_t site)
{
    struct fp_line frames[FP_DEBUG_FRAMES];
    int n = fp_site_frames(report, site, frames, FP_DEBUG_FRAMES);
    for (int i = 0; i < n; i++) {
        cJSON *frame = cJSON_CreateObject();
        add_string(frame, "function", frames[i].function);
        add_line(frame, &frames[i]);
        cJSON_AddItemToArray(stack, frame);
    }
}

static cJSON *
new_access(struct fp_report *report, const struct fp_access *access)
{
    cJSON *json = cJSON_CreateObject();
    struct fp_line line = fp_access_line(report, access);
    cJSON_AddNumberToObject(json, "pe", access->pe);
    add_string(json, "op", access->op);
    add_string(json, "kind", fp_access_name(access->kind));
    add_line(json, &line);
    cJSON *stack = cJSON_AddArrayToObject(json, "stack");
    for (int i = 0; i < access->nstack; i++)
        add_frames(report, stack, access->stack[i]);
    if (access->nstack == 0 && access->site)
        add_frames(report, stack, access->site);
    return json;
}

/* In the words of --insert. */
static cJSON *
new_fix(struct fp_report *report, const struct fp_fix *fix)
{
    struct fp_line line = fp_site_line(report, fix->before);
    char context[16] = "", *text = NULL;
    if (fix->ctx)
        snprintf(context, sizeof context, "#%u", fix->ctx);
    if (asprintf(&text, "%s%s@%s:%d", fix->call, context, line.file, line.line) < 0)
        return NULL;
    cJSON *json = new_string(text);
    free(text);
    return json;
}

static cJSON *
new_finding(struct fp_report *report, const struct fp_entry *entry)
{
    const struct fp_finding *f = &entry->finding;
    cJSON *json = cJSON_CreateObject();
    add_string(json, "class", fp_class_name(f->class_));
    add_string(json, "rule", f->rule);
    char *whole = NULL; /* details have no key of their own */
    if (f->details[0] && asprintf(&whole, "%s\n%s", f->message, f->details) < 0)
        whole = NULL;
    add_string(json, "message", whole ? whole : f->message);
    free(whole);
    cJSON_AddItemToObject(json, "object", new_object(report, &f->object));
    cJSON *accesses = cJSON_AddArrayToObject(json, "accesses");
    for (int i = 0; i < f->naccesses; i++)
        cJSON_AddItemToArray(accesses, new_access(report, &f->accesses[i]));
    add_string(json, "repair", f->repair);
    if (f->fix.call && fp_site_line(report, f->fix.before).line > 0)
        cJSON_AddItemToObject(json, "insert", new_fix(report, &f->fix));
    if (f->predicted) {
        cJSON_AddBoolToObject(json, "predicted", true);
        add_string_or_null(json, "witness", f->witness);
        add_string(json, "luck", f->luck);
    }
    add_number(json, "count", entry->count);
    char id[17];
    snprintf(id, sizeof id, "%016" PRIx64, fp_finding_id(report, f));
    add_string(json, "id", id);
    return json;
}

static void
add_footer(struct fp_report *report, cJSON *to)
{
    const struct fp_job *job = report->job;
    const char *unseen[16];
    cJSON *footer = cJSON_AddObjectToObject(to, "footer");
    add_number(footer, "seed", job->config.seed);
    cJSON_AddNumberToObject(footer, "pes", job->npes);
    add_number(footer, "operations", job->ops);
    add_number(footer, "waits_blocked", job->waits_blocked);
    add_string(footer, "chooser", job->config.chooser);
    add_string(footer, "net", job->config.net);
    add_string(footer, "rules", job->config.rules_name);
    if (report->suppressions)
        cJSON_AddNumberToObject(footer, "suppressed", report->suppressed);
    cJSON *list = cJSON_AddArrayToObject(footer, "unseen");
    int n = fp_report_unseen(report, unseen, 16);
    for (int i = 0; i < n; i++)
        cJSON_AddItemToArray(list, new_string(unseen[i]));
}

static cJSON *
new_report(struct fp_report *report)
{
    const struct fp_job *job = report->job;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "schema", "fencepost-report/1");
    const char *clean = job->cut_short ? "incomplete" : "clean";
    cJSON_AddStringToObject(json, "verdict", report->findings.count ? "findings" : clean);
    add_number(json, "seed", job->config.seed);
    cJSON_AddNumberToObject(json, "npes", job->npes);
    add_string_or_null(json, "trace", job->config.trace);
    cJSON *findings = cJSON_AddArrayToObject(json, "findings");
    for (int i = 0; i < report->findings.count; i++)
        cJSON_AddItemToArray(findings, new_finding(report, report->findings.at[i]));
    if (job->config.notes || job->config.unneeded) {
        cJSON *notes = cJSON_AddArrayToObject(json, "notes");
        for (int i = 0; i < report->notes.count; i++)
            cJSON_AddItemToArray(notes, new_finding(report, report->notes.at[i]));
    }
    add_footer(report, json);
    return json;
}

/* Whole text to `path` or an errno value. */
static int
write_file(const char *path, const char *text)
{
    size_t left = strlen(text);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    int error = 0;
    while (left > 0 && !error) {
        ssize_t n = write(fd, text, left);
        if (n < 0 && errno != EINTR)
            error = errno;
        text += n > 0 ? n : 0;
        left -= n > 0 ? (size_t)n : 0;
    }
    if (!error && fsync(fd) && errno != EINVAL && errno != EROFS)
        error = errno;
    if (close(fd) && !error)
        error = errno;
    return error;
}

/* Only a regular file may be replaced by another. */
static bool
is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

int
fp_report_write_json(struct fp_report *report)
{
    cJSON *json = new_report(report);
    char *text = cJSON_Print(json), *beside = NULL, *whole = NULL;
    int error = ENOMEM;
    cJSON_Delete(json);
    if (text && asprintf(&whole, "%s\n", text) >= 0 &&
        asprintf(&beside, "%s.%d.tmp", report->path, (int)getpid()) >= 0) {
        bool special = is_special(report->path);
        error = write_file(special ? report->path : beside, whole);
        if (!special && !error && rename(beside, report->path))
            error = errno;
        if (error && !special)
            unlink(beside);
    }
    if (error)
        fprintf(stderr, "fencepost: cannot write the report %s: %s\n", report->path, strerror(error));
    free(beside);
    free(whole);
    free(text);
    return error ? -1 : 0;
}
