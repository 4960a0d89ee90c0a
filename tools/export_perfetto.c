/* export_perfetto.c -- the run in the trace-event format, which ui.perfetto.dev and chrome://tracing open.
 *
 * A PE is a process with two threads: `calls`, where a call is a slice, and `memory`, where a piece of memory that an
 * operation has reached is one (of a nanosecond, since a flow has to end in a slice). A flow leads from the one to the
 * other.
 * A finding is a flow between its two accesses and an instant that all tracks show. Times are microseconds.
 */
#include <inttypes.h>

#include "tools/export.h"
#include "tools/text.h"
#include "traces/trace.h"

enum { CALLS = 1, MEMORY };

struct writer {
    const struct story *story;
    FILE *out;
    const char *comma;
};

/* Opens an event of the track; the caller adds what it has beside and closes the brace. */
static void
event(struct writer *writer, const char *phase, const char *name, const char *category, int64_t pe, int thread,
      int64_t ns)
{
    fprintf(writer->out, "%s{\"ph\":\"%s\",\"name\":", writer->comma, phase);
    text_json(writer->out, name);
    fprintf(writer->out, ",\"cat\":\"%s\",\"pid\":%" PRId64 ",\"tid\":%d,\"ts\":%" PRId64 ".%03d", category, pe, thread,
            ns / 1000, (int)(ns % 1000));
    writer->comma = ",\n";
}

static void
name_track(struct writer *writer, const char *what, int64_t pe, int thread, const char *name)
{
    fprintf(writer->out, "%s{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%" PRId64 ",\"tid\":%d,\"args\":{\"name\":\"%s\"}}",
            writer->comma, what, pe, thread, name);
    writer->comma = ",\n";
}

static void
name_tracks(struct writer *writer)
{
    for (int pe = 0; pe < writer->story->npes; pe++) {
        char name[32];
        snprintf(name, sizeof name, "PE %d", pe);
        name_track(writer, "process_name", pe, CALLS, name);
        fprintf(writer->out,
                ",\n{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%d,\"tid\":1,\"args\":{\"sort_index\":%d}}",
                pe, pe);
        name_track(writer, "thread_name", pe, CALLS, "calls");
        name_track(writer, "thread_name", pe, MEMORY, "memory");
    }
}

static void
duration(struct writer *writer, int64_t ns)
{
    fprintf(writer->out, ",\"dur\":%" PRId64 ".%03d", ns / 1000, (int)(ns % 1000));
}

static void
arguments(struct writer *writer, const struct story_row *row)
{
    const struct story *story = writer->story;
    FILE *out = writer->out;
    fprintf(out, ",\"args\":{\"record\":%" PRId64, row->order.begin);
    if (row->target >= 0)
        fprintf(out, ",\"target\":%d", row->target);
    if (row->bytes)
        fprintf(out, ",\"bytes\":%" PRIu64, row->bytes);
    if (row->object) {
        fputs(",\"object\":", out);
        text_json(out, story->objects[row->object]);
        fprintf(out, ",\"offset\":%" PRId64, row->offset);
    }
    if (row->site && story->sites[row->site - 1].line) {
        fprintf(out, ",\"line\":%d,\"file\":", story->sites[row->site - 1].line);
        text_json(out, story->sites[row->site - 1].file);
    }
    if (row->kind <= STORY_INNER && row->flags & STORY_COMPLETE)
        fprintf(out, ",\"complete_us\":%" PRId64 ".%03d", row->time.done / 1000, (int)(row->time.done % 1000));
    putc('}', out);
}

static void
call(struct writer *writer, const struct story_row *row, uint64_t number)
{
    const char *name = *writer->story->names[row->name] ? writer->story->names[row->name] : story_kind_name(row->kind);
    const char *category = story_kind_name(row->kind);
    event(writer, "X", name, category, row->pe, CALLS, row->time.begin);
    duration(writer, row->time.end - row->time.begin);
    arguments(writer, row);
    putc('}', writer->out);
    if (row->kind > STORY_INNER || !(row->flags & STORY_DELIVERED))
        return;
    event(writer, "s", name, category, row->pe, CALLS, row->time.begin);
    fprintf(writer->out, ",\"id\":%" PRIu64 "}", number);
    event(writer, "X", name, category, row->target, MEMORY, row->time.last);
    duration(writer, 1);
    fprintf(writer->out, ",\"args\":{\"origin\":%" PRIu32 "}}", row->pe);
    event(writer, "f", name, category, row->target, MEMORY, row->time.last);
    fprintf(writer->out, ",\"bp\":\"e\",\"id\":%" PRIu64 "}", number);
}

/* Where an access touches memory. */
static void
access_end(struct writer *writer, const char *phase, const struct story_access *access, uint64_t number)
{
    const struct story_row *row = &writer->story->rows[access->row];
    bool lands = row->kind <= STORY_INNER && row->flags & STORY_DELIVERED && !access->local;
    event(writer, phase, "race", "finding", lands ? row->target : (int64_t)row->pe, lands ? MEMORY : CALLS,
          lands ? row->time.last : row->time.begin);
    fprintf(writer->out, "%s,\"id\":%" PRIu64 "}", *phase == 'f' ? ",\"bp\":\"e\"" : "", number);
}

static void
finding(struct writer *writer, const struct story_finding *finding, uint64_t number)
{
    const struct story_access *a = &finding->accesses[0], *b = &finding->accesses[1];
    if (finding->naccesses < 1 || a->row < 0)
        return;
    const struct story_row *row = &writer->story->rows[a->row];
    event(writer, "i", finding->message, "finding", row->pe, CALLS, row->time.begin);
    fputs(",\"s\":\"g\",\"args\":{\"class\":", writer->out);
    text_json(writer->out, finding->class_);
    fputs(",\"rule\":", writer->out);
    text_json(writer->out, finding->rule);
    fputs(",\"repair\":", writer->out);
    text_json(writer->out, finding->repair);
    fputs("}}", writer->out);
    if (finding->naccesses < 2 || b->row < 0)
        return;
    bool forward = row->time.last <= writer->story->rows[b->row].time.last;
    access_end(writer, "s", forward ? a : b, number);
    access_end(writer, "f", forward ? b : a, number);
}

void
export_perfetto(const struct story *story, FILE *out)
{
    struct writer writer = {.story = story, .out = out, .comma = "\n"};
    const char *key, *value;
    fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"writer\":\"fencepost trace export\"", out);
    for (int i = 0; fp_trace_header_at(story->trace, i, &key, &value); i++) {
        fputs(",\n", out);
        text_json(out, key);
        putc(':', out);
        text_json(out, value);
    }
    fputs("},\n\"traceEvents\":[", out);
    name_tracks(&writer);
    for (uint64_t i = 0; i < story->nrows; i++)
        call(&writer, &story->rows[i], i + 1);
    for (int i = 0; i < story->nfindings; i++)
        finding(&writer, &story->findings[i], story->nrows + 1 + (uint64_t)i);
    fputs("\n]}\n", out);
}
