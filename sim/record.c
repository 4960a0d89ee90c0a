/* record.c -- writes the trace; says whether a trace fits a run. See traces/FORMAT.md.
 *
 * The digest covers every event: what happened, to which bytes (by PE and offset, never by address), with which
 * value. Two runs with the same digest did the same things in the same order.
 */
#include "sim/record.h"

#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "sim/records.h"
#include "sim/sim.h"
#include "traces/trace.h"

struct sim_record {
    struct fp_trace_writer *writer;
    XXH64_state_t *digest;
    size_t undigested; /* bytes in `words` that the digest has not got yet */
    unsigned char words[4096];
    struct sim_records *records;
};

static void
number_field(struct fp_trace_writer *writer, const char *key, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    fp_trace_field(writer, key, text);
}

/* A function inside a unit test is not the whole of its file: the test may be built anew around it. */
static bool
has_identity(const struct fp_job *job)
{
    return job->program && !job->config.in_process;
}

/* The program's own libraries: not the system's, nor Fencepost's. */
struct library {
    char text[300]; /* name, tab, hash */
};
struct libraries {
    struct library *list;
    int count;
};

static int
add_library(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct libraries *libraries = arg;
    const char *path = info->dlpi_name, *slash = path ? strrchr(path, '/') : NULL;
    char hash[17];
    static const char *const others[] = {"/lib", "/usr/lib", "/proc/", "/memfd"};
    if (!slash || strstr(slash, "/libfencepost_") || strstr(slash, "/lib/x86_64"))
        return 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strncmp(path, others[i], strlen(others[i])))
            return 0;
    struct library *list = realloc(libraries->list, (size_t)(libraries->count + 1) * sizeof *list);
    if (!list)
        fp_env_fail("out of memory for the trace");
    libraries->list = list;
    if (!fp_trace_file_hash(path, hash))
        snprintf(list[libraries->count++].text, sizeof list->text, "%.250s\t%s", slash + 1, hash);
    return 0;
}

static struct libraries
find_libraries(const struct fp_job *job)
{
    struct libraries libraries = {0};
    if (has_identity(job))
        dl_iterate_phdr(add_library, &libraries);
    return libraries;
}

/* What was asked to go wrong, and what was inserted: a replay needs it as well. */
static void
fault_fields(struct fp_trace_writer *writer, const struct fp_config *config)
{
    char text[64], from[16] = "*", to[16] = "*";
    if (config->fail_alloc)
        number_field(writer, "fail-alloc", config->fail_alloc);
    if (config->stop_call) {
        snprintf(text, sizeof text, "%d:%" PRIu64, config->stop_pe, config->stop_call);
        fp_trace_field(writer, "stop-pe", text);
    }
    if (config->stall) {
        if (config->stall_from >= 0)
            snprintf(from, sizeof from, "%d", config->stall_from);
        if (config->stall_to >= 0)
            snprintf(to, sizeof to, "%d", config->stall_to);
        snprintf(text, sizeof text, "%s:%s", from, to);
        fp_trace_field(writer, "stall", text);
    }
    if (config->insert[0])
        fp_trace_field(writer, "insert", config->insert);
}

struct sim_record *
sim_record_open(struct sim *sim, const char *path)
{
    const struct fp_config *config = &sim->job->config;
    struct sim_record *record = calloc(1, sizeof *record);
    if (record)
        record->digest = XXH64_createState();
    if (!record || !record->digest)
        fp_env_fail("out of memory for the trace");
    record->writer = fp_trace_create(path);
    if (!record->writer) {
        XXH64_freeState(record->digest);
        free(record);
        return NULL;
    }
    XXH64_reset(record->digest, 0);
    if (getenv("FENCEPOST_EVERY_BOUND")) /* --verify-determinism compares what was offered, not only what was taken */
        fp_trace_every_bound(record->writer);
    char hash[17] = "";
    if (has_identity(sim->job))
        fp_trace_file_hash(sim->job->program, hash);
    fp_trace_field(record->writer, "recorder", "sim");
    fp_trace_field(record->writer, "clock", "virtual");
    fp_trace_field(record->writer, "program", config->argc > 0 ? config->argv[0] : "");
    fp_trace_field(record->writer, "program-hash", hash);
    for (int i = 1; i < config->argc; i++)
        fp_trace_field(record->writer, "arg", config->argv[i]);
    struct libraries libraries = find_libraries(sim->job);
    for (int i = 0; i < libraries.count; i++)
        fp_trace_field(record->writer, "library", libraries.list[i].text);
    free(libraries.list);
    number_field(record->writer, "npes", (uint64_t)sim->npes);
    number_field(record->writer, "seed", config->seed);
    fp_trace_field(record->writer, "net", config->net);
    fp_trace_field(record->writer, "chooser", config->chooser);
    fp_trace_field(record->writer, "rules", config->rules_name);
    fp_trace_field(record->writer, "heap", config->heap);
    number_field(record->writer, "heap-bytes", config->heap_bytes);
    number_field(record->writer, "check", config->check);
    fault_fields(record->writer, config);
    number_field(record->writer, "hooks", sim->job->hooked);
    record->records = sim_records_open(sim, record->writer);
    return record;
}

void
sim_record_choice(struct sim_record *record, unsigned kind, uint32_t bound, uint32_t answer)
{
    fp_trace_choice(record->writer, kind, bound, answer);
}

/* Whether every byte of the type belongs to its value. Padding is whatever lay on the stack; a mem routine moves
 * structures. */
static bool
all_value(shmem_type_t type)
{
    return type != SHMEM_TYPE_MEM && type != SHMEM_TYPE_longdouble && type < SHMEM_TYPE_complexd;
}

/* A call of the hash costs more than its bytes: small pieces are gathered. */
static void
digest(struct sim_record *record, const void *bytes, size_t count)
{
    if (record->undigested + count > sizeof record->words) {
        XXH64_update(record->digest, record->words, record->undigested);
        record->undigested = 0;
    }
    if (count > sizeof record->words / 2) {
        XXH64_update(record->digest, bytes, count);
        return;
    }
    memcpy(record->words + record->undigested, bytes, count);
    record->undigested += count;
}

void
sim_record_event(struct sim_record *record, const struct sim_event *event)
{
    sim_records_event(record->records, event);
    uint64_t words[8] = {(uint64_t)event->kind << 32 | (uint32_t)event->pe,
                         event->op ? event->op->id : 0,
                         event->op ? event->op->epoch : 0,
                         event->bytes,
                         event->site,
                         0,
                         0,
                         0};
    if (event->address && event->place.region != FP_PRIVATE) {
        words[5] = (uint64_t)event->place.region << 32 | (uint32_t)event->place.pe;
        words[6] = event->place.offset;
    }
    memcpy(&words[7], event->value, sizeof words[7]);
    digest(record, words, sizeof words);
    if (event->bits)
        XXH64_update(record->digest, event->bits, event->bytes / 8);
    if (event->kind == SIM_EV_WRITE && event->place.region != FP_PRIVATE && all_value(event->op->type))
        digest(record, event->address, event->bytes);
}

int
sim_record_close(struct sim *sim, struct sim_record *record)
{
    struct fp_job *job = sim->job;
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, job->ops);
    fp_trace_result(record->writer, "operations", text);
    XXH64_update(record->digest, record->words, record->undigested);
    snprintf(text, sizeof text, "%016llx", (unsigned long long)XXH64_digest(record->digest));
    fp_trace_result(record->writer, "events", text);
    sim_records_close(record->records);
    int result = fp_trace_close(record->writer);
    XXH64_freeState(record->digest);
    free(record);
    return result;
}

static bool
field_differs(const struct fp_trace_reader *trace, const char *key, int index, const char *here, char *error,
              int error_size)
{
    const char *there = fp_trace_header(trace, key, index);
    if (there && !strcmp(there, here))
        return false;
    snprintf(error, (size_t)error_size, "it was recorded with %s %s, and this run has %s", key,
             there ? there : "(none)", *here ? here : "(none)");
    return true;
}

/* Those that the trace names; version 1 named none. */
static bool
library_differs(const struct fp_job *job, const struct fp_trace_reader *trace, char *error, int error_size)
{
    struct libraries libraries = find_libraries(job);
    const char *recorded;
    bool differs = false;
    for (int i = 0; !differs && (recorded = fp_trace_header(trace, "library", i)); i++) {
        differs = true;
        for (int k = 0; k < libraries.count; k++)
            differs = differs && strcmp(libraries.list[k].text, recorded);
        if (differs)
            snprintf(error, (size_t)error_size, "the program's library %.*s is not the one that it was recorded with",
                     (int)strcspn(recorded, "\t"), recorded);
    }
    free(libraries.list);
    return differs;
}

int
sim_record_fits(struct sim *sim, const struct fp_trace_reader *trace, char *error, int error_size)
{
    const struct fp_config *config = &sim->job->config;
    char npes[32], heap_bytes[32], check[32], hash[17] = "";
    snprintf(npes, sizeof npes, "%d", sim->npes);
    snprintf(heap_bytes, sizeof heap_bytes, "%zu", config->heap_bytes);
    snprintf(check, sizeof check, "%d", config->check);
    if (has_identity(sim->job))
        fp_trace_file_hash(sim->job->program, hash);
    if (field_differs(trace, "npes", 0, npes, error, error_size) ||
        field_differs(trace, "net", 0, config->net, error, error_size) ||
        field_differs(trace, "chooser", 0, config->chooser, error, error_size) ||
        field_differs(trace, "rules", 0, config->rules_name, error, error_size) ||
        field_differs(trace, "heap-bytes", 0, heap_bytes, error, error_size) ||
        field_differs(trace, "check", 0, check, error, error_size))
        return -1;
    for (int i = 1; i < config->argc; i++)
        if (field_differs(trace, "arg", i - 1, config->argv[i], error, error_size))
            return -1;
    if (fp_trace_header(trace, "arg", config->argc > 0 ? config->argc - 1 : 0)) {
        snprintf(error, (size_t)error_size, "it was recorded with more arguments, the next is %s",
                 fp_trace_header(trace, "arg", config->argc - 1));
        return -1;
    }
    if (has_identity(sim->job) && library_differs(sim->job, trace, error, error_size))
        return -1;
    if (has_identity(sim->job) && field_differs(trace, "program-hash", 0, hash, error, error_size)) {
        snprintf(error, (size_t)error_size,
                 "the program is not the one that was recorded (its file has changed since)");
        return -1;
    }
    return 0;
}
