/* campaign.c -- distinct findings, see campaign.h. */
#include "tools/campaign.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>

#include "tools/output.h"

static void *
must(void *got)
{
    if (!got) {
        fprintf(stderr, "fencepost: out of memory\n");
        exit(EX_OSERR);
    }
    return got;
}

const char *
json_text(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static uint64_t
json_number(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (cJSON_IsString(item))
        return strtoull(item->valuestring, NULL, 10);
    return cJSON_IsNumber(item) && item->valuedouble > 0 ? (uint64_t)item->valuedouble : 0;
}

static void
add_number(cJSON *to, const char *key, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    cJSON_AddRawToObject(to, key, text);
}

/* ---- Which findings are the same */

static int
by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A block goes by the place that allocated it: its name has its size, which may depend on the number of PEs. */
static char *
object_of(const cJSON *finding)
{
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(finding, "object"),
                *allocated = cJSON_GetObjectItemCaseSensitive(object, "allocated");
    char *name;
    if (!cJSON_IsObject(allocated) || !*json_text(allocated, "file"))
        return must(strdup(json_text(object, "name")));
    if (asprintf(&name, "%s:%" PRIu64, json_text(allocated, "file"), json_number(allocated, "line")) < 0)
        must(NULL);
    return name;
}

/* Class, rule, object, and the places of the accesses whatever their order. Not the PEs: a fault has many. */
static char *
key_of(const cJSON *finding)
{
    char *places[8], *key = NULL, *name = object_of(finding);
    int count = 0;
    const cJSON *access;
    cJSON_ArrayForEach(access, cJSON_GetObjectItemCaseSensitive(finding, "accesses"))
    {
        if (count == 2)
            break; /* further ones name further PEs */
        if (asprintf(&places[count], "%s %s:%" PRIu64, json_text(access, "op"), json_text(access, "file"),
                     json_number(access, "line")) < 0)
            places[count] = must(NULL);
        count++;
    }
    qsort(places, (size_t)count, sizeof *places, by_text);
    if (asprintf(&key, "%s|%s|%s|%s|%s", json_text(finding, "class"), json_text(finding, "rule"), name,
                 count > 0 ? places[0] : json_text(finding, "message"), count > 1 ? places[1] : "") < 0)
        must(NULL);
    for (int i = 0; i < count; i++)
        free(places[i]);
    free(name);
    return key;
}

static struct found *
find(struct campaign *campaign, const char *key)
{
    for (int i = 0; i < campaign->count; i++)
        if (!strcmp(campaign->found[i].key, key))
            return &campaign->found[i];
    return NULL;
}

static struct found *
add(struct campaign *campaign, char *key, cJSON *finding)
{
    if (campaign->count == campaign->capacity) {
        campaign->capacity = campaign->capacity ? 2 * campaign->capacity : 16;
        campaign->found = must(realloc(campaign->found, (size_t)campaign->capacity * sizeof *campaign->found));
    }
    struct found *found = &campaign->found[campaign->count++];
    *found = (struct found){.key = key, .finding = finding, .trace = must(strdup("")), .text = must(strdup(""))};
    return found;
}

/* ---- What a run has shown */

static char *
file_text(const char *path)
{
    FILE *file = path ? fopen(path, "re") : NULL;
    if (!file)
        return NULL;
    char *text = NULL;
    size_t used = 0, got;
    do {
        text = must(realloc(text, used + 65536 + 1));
        got = fread(text + used, 1, 65536, file);
        used += got;
    } while (got > 0);
    text[used] = '\0';
    fclose(file);
    return text;
}

/* The last line that says something: what an assertion or the program itself gave as the reason. */
static void
last_line(const char *output, char *line, size_t size)
{
    const char *end = output + strlen(output);
    while (end > output && (end[-1] == '\n' || end[-1] == ' '))
        end--;
    const char *start = end;
    while (start > output && start[-1] != '\n')
        start--;
    snprintf(line, size, "%.*s", (int)(end - start < 300 ? end - start : 300), start);
}

/* A run that ended badly without a finding is one. */
static cJSON *
finding_of_status(const struct ending *ending)
{
    char message[600], line[320];
    const char *class_ = "exit-status";
    last_line(ending->output, line, sizeof line);
    if (ending->timed_out) {
        class_ = "timeout";
        snprintf(message, sizeof message, "the run took too long and was stopped");
    } else if (WIFSIGNALED(ending->status)) {
        class_ = "crash";
        snprintf(message, sizeof message, "the program was ended by signal %d (%s)", WTERMSIG(ending->status),
                 strsignal(WTERMSIG(ending->status)));
    } else {
        snprintf(message, sizeof message, "the program ended with status %d", WEXITSTATUS(ending->status));
    }
    cJSON *finding = must(cJSON_CreateObject());
    cJSON_AddStringToObject(finding, "class", class_);
    cJSON_AddStringToObject(finding, "rule", "");
    if (*line && !ending->timed_out)
        snprintf(message + strlen(message), sizeof message - strlen(message), ": %s", line);
    cJSON_AddStringToObject(finding, "message", message);
    cJSON *object = cJSON_AddObjectToObject(finding, "object");
    cJSON_AddStringToObject(object, "name", "");
    cJSON_AddNullToObject(object, "pe");
    cJSON_AddNullToObject(object, "offset");
    cJSON_AddNullToObject(object, "bytes");
    cJSON_AddNullToObject(object, "allocated");
    cJSON_AddArrayToObject(finding, "accesses");
    cJSON_AddStringToObject(finding, "repair", "");
    add_number(finding, "count", 1);
    return finding;
}

static int
take(struct campaign *campaign, cJSON *finding, const struct ending *ending, bool *better)
{
    char *key = key_of(finding);
    struct found *found = find(campaign, key);
    bool is_new = !found;
    if (is_new) {
        found = add(campaign, key, finding);
    } else {
        free(key);
        cJSON_Delete(finding);
    }
    found->runs++;
    if (!is_new &&
        (ending->choices > found->choices || (ending->choices == found->choices && ending->number >= found->number)))
        return 0;
    found->number = ending->number;
    found->seed = ending->seed;
    found->choices = ending->choices;
    snprintf(found->chooser, sizeof found->chooser, "%s", ending->chooser);
    free(found->text);
    found->text = must(strdup(ending->output));
    if (better)
        *better = true;
    return is_new;
}

int
campaign_add(struct campaign *campaign, const struct ending *ending, bool *better)
{
    char *text = file_text(ending->report);
    cJSON *report = text ? cJSON_Parse(text) : NULL, *findings = cJSON_GetObjectItemCaseSensitive(report, "findings");
    int fresh = 0;
    free(text);
    campaign->wrong++;
    if (cJSON_GetArraySize(findings) == 0)
        fresh += take(campaign, finding_of_status(ending), ending, better);
    while (cJSON_GetArraySize(findings) > 0)
        fresh += take(campaign, cJSON_DetachItemFromArray(findings, 0), ending, better);
    cJSON_Delete(report);
    return fresh;
}

void
campaign_forget(struct campaign *campaign)
{
    for (int i = 0; i < campaign->count; i++) {
        struct found *found = &campaign->found[i];
        free(found->key);
        free(found->trace);
        free(found->text);
        cJSON_Delete(found->finding);
    }
    campaign->count = 0;
}

void
campaign_free(struct campaign *campaign)
{
    campaign_forget(campaign);
    free(campaign->found);
    free(campaign->program);
    free(campaign->hash);
    free(campaign->settings);
    free(campaign->unseen);
    *campaign = (struct campaign){0};
}

/* ---- What the runs did not look at */

static bool
has_line(const char *lines, const char *line, size_t length)
{
    for (const char *at = lines; at && *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (strcspn(at, "\n") == length && !strncmp(at, line, length))
            return true;
    return false;
}

void
campaign_unseen(struct campaign *campaign, const char *phrases)
{
    for (size_t length; *phrases; phrases += length + (phrases[length] == '\n')) {
        char *before = campaign->unseen;
        length = strcspn(phrases, "\n");
        if (length == 0 || has_line(before, phrases, length))
            continue;
        if (asprintf(&campaign->unseen, "%s%s%.*s", before ? before : "", before ? "\n" : "", (int)length, phrases) < 0)
            must(NULL);
        free(before);
    }
}

static void
add_unseen(cJSON *footer, const char *phrases)
{
    cJSON *list = cJSON_AddArrayToObject(footer, "unseen");
    for (size_t length; phrases && *phrases; phrases += length + (phrases[length] == '\n')) {
        length = strcspn(phrases, "\n");
        char *phrase = must(strndup(phrases, length));
        cJSON_AddItemToArray(list, cJSON_CreateString(phrase));
        free(phrase);
    }
}

/* ---- As a file */

static int
by_number(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return strcmp(x->key, y->key);
}

static cJSON *
found_json(const struct found *found)
{
    cJSON *json = must(cJSON_Duplicate(found->finding, true));
    static const char *const own[] = {"seed", "chooser", "number", "choices", "runs", "trace", "output"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        cJSON_DeleteItemFromObjectCaseSensitive(json, own[i]);
    add_number(json, "seed", found->seed);
    cJSON_AddStringToObject(json, "chooser", found->chooser);
    add_number(json, "number", found->number);
    add_number(json, "choices", found->choices);
    add_number(json, "runs", found->runs);
    cJSON_AddStringToObject(json, "trace", found->trace);
    return json;
}

cJSON *
campaign_json(const struct campaign *c)
{
    qsort(c->found, (size_t)c->count, sizeof *c->found, by_number);
    cJSON *json = must(cJSON_CreateObject());
    cJSON_AddStringToObject(json, "schema", "fencepost-report/1");
    bool all = c->runs > 0 && !c->partial && (!c->exhaustive || c->complete);
    cJSON_AddStringToObject(json, "verdict", c->count ? "findings" : all ? "clean" : "incomplete");
    add_number(json, "seed", c->count ? c->found[0].seed : c->first_seed);
    add_number(json, "npes", c->npes);
    if (c->count && *c->found[0].trace)
        cJSON_AddStringToObject(json, "trace", c->found[0].trace);
    else
        cJSON_AddNullToObject(json, "trace");
    cJSON *findings = cJSON_AddArrayToObject(json, "findings");
    for (int i = 0; i < c->count; i++)
        cJSON_AddItemToArray(findings, found_json(&c->found[i]));
    cJSON *footer = cJSON_AddObjectToObject(json, "footer");
    add_number(footer, "seed", c->first_seed);
    add_number(footer, "pes", c->npes);
    add_unseen(footer, c->unseen);
    cJSON *campaign = cJSON_AddObjectToObject(json, "campaign");
    cJSON_AddStringToObject(campaign, "program", c->program);
    cJSON_AddStringToObject(campaign, "hash", c->hash);
    cJSON_AddStringToObject(campaign, "settings", c->settings);
    add_number(campaign, "shard", c->shard);
    add_number(campaign, "shards", c->shards);
    add_number(campaign, "done", c->done);
    add_number(campaign, "runs", c->runs);
    add_number(campaign, "wrong", c->wrong);
    add_number(campaign, "executions", c->executions);
    add_number(campaign, "repeats", c->repeats);
    cJSON_AddBoolToObject(campaign, "exhaustive", c->exhaustive);
    cJSON_AddBoolToObject(campaign, "complete", c->complete);
    return json;
}

int
campaign_write(const struct campaign *campaign, const char *command, const char *path)
{
    cJSON *json = campaign_json(campaign);
    char *text = must(cJSON_Print(json)), *whole;
    if (asprintf(&whole, "%s\n", text) < 0)
        whole = must(NULL);
    int status = file_write(command, path, whole);
    free(whole);
    free(text);
    cJSON_Delete(json);
    return status;
}

static void
read_findings(struct campaign *c, cJSON *findings)
{
    while (cJSON_GetArraySize(findings) > 0) {
        cJSON *finding = cJSON_DetachItemFromArray(findings, 0);
        struct found *found = add(c, key_of(finding), finding);
        found->number = json_number(finding, "number");
        found->seed = json_number(finding, "seed");
        found->choices = json_number(finding, "choices");
        found->runs = json_number(finding, "runs");
        snprintf(found->chooser, sizeof found->chooser, "%s", json_text(finding, "chooser"));
        free(found->trace);
        found->trace = must(strdup(json_text(finding, "trace")));
    }
}

int
campaign_read(struct campaign *c, const char *command, const char *path)
{
    char *text = file_text(path);
    cJSON *json = text ? cJSON_Parse(text) : NULL, *own = cJSON_GetObjectItemCaseSensitive(json, "campaign");
    *c = (struct campaign){0};
    free(text);
    if (!cJSON_IsObject(own)) {
        fprintf(stderr, "%s: %s: %s\n", command, path,
                text ? "it is not the report of a fencepost explore" : strerror(errno));
        cJSON_Delete(json);
        return EX_DATAERR;
    }
    c->program = must(strdup(json_text(own, "program")));
    c->hash = must(strdup(json_text(own, "hash")));
    c->settings = must(strdup(json_text(own, "settings")));
    const cJSON *footer = cJSON_GetObjectItemCaseSensitive(json, "footer"), *phrase;
    c->first_seed = json_number(footer, "seed");
    cJSON_ArrayForEach(phrase, cJSON_GetObjectItemCaseSensitive(footer, "unseen"))
    {
        if (cJSON_IsString(phrase))
            campaign_unseen(c, phrase->valuestring);
    }
    c->npes = json_number(json, "npes");
    c->shard = json_number(own, "shard");
    c->shards = json_number(own, "shards");
    c->done = json_number(own, "done");
    c->runs = json_number(own, "runs");
    c->wrong = json_number(own, "wrong");
    c->executions = json_number(own, "executions");
    c->repeats = json_number(own, "repeats");
    c->exhaustive = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(own, "exhaustive"));
    c->complete = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(own, "complete"));
    read_findings(c, cJSON_GetObjectItemCaseSensitive(json, "findings"));
    cJSON_Delete(json);
    return 0;
}

void
campaign_join(struct campaign *campaign, struct campaign *other)
{
    campaign->runs += other->runs;
    campaign->wrong += other->wrong;
    campaign->executions += other->executions;
    campaign->repeats += other->repeats;
    campaign->complete = campaign->complete && other->complete;
    campaign->done = campaign->done < other->done ? campaign->done : other->done;
    if (other->unseen)
        campaign_unseen(campaign, other->unseen);
    for (int i = 0; i < other->count; i++) {
        struct found *theirs = &other->found[i], *ours = find(campaign, theirs->key);
        if (!ours) {
            ours = add(campaign, must(strdup(theirs->key)), must(cJSON_Duplicate(theirs->finding, true)));
            ours->choices = UINT64_MAX;
        }
        ours->runs += theirs->runs;
        if (theirs->choices > ours->choices || (theirs->choices == ours->choices && theirs->number >= ours->number))
            continue;
        ours->number = theirs->number;
        ours->seed = theirs->seed;
        ours->choices = theirs->choices;
        memcpy(ours->chooser, theirs->chooser, sizeof ours->chooser);
        free(ours->trace);
        ours->trace = must(strdup(theirs->trace));
    }
}
