/* export_json.c -- everything in a trace as one JSON object, read and written as a stream.
 *
 * {"header":[[KEY,VALUE],...],"records":[...],"choices":[[KIND,ANSWER,BOUND],...],
 *  "result":[[KEY,VALUE],...],"whole":true}
 * Of the choices, ["zeros",N] stands for N further steps that were answered by 0.
 *
 * In the list of records a shape stands before its first one, as {"shape":N,"keys":[[KEY,VALUE],...]}; a record is
 * {"record":N,"shape":N,"op":N,FIELD:VALUE,...} with the fields that are not 0.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "tools/export.h"
#include "tools/text.h"
#include "traces/trace.h"

static void
put_pair(FILE *out, const char *key, const char *value)
{
    putc('[', out);
    text_json(out, key);
    putc(',', out);
    text_json(out, value);
    putc(']', out);
}

static void
put_shape(FILE *out, const struct fp_trace_shape *shape)
{
    const char *comma = "";
    fprintf(out, "{\"shape\":%" PRIu32 ",\"keys\":[", shape->number);
    for (const char *at = shape->keys, *end = at + shape->keys_bytes; at < end;) {
        const char *value = at + strlen(at) + 1;
        fputs(comma, out);
        put_pair(out, at, value);
        comma = ",";
        at = value + strlen(value) + 1;
    }
    fputs("]}", out);
}

static void
put_record(FILE *out, const struct fp_trace_entry *entry)
{
    static const char *const names[] = {
#define FIELD_NAME(id) #id,
        TRACE_FIELD_ROWS(FIELD_NAME)
#undef FIELD_NAME
    };
    fprintf(out, "{\"record\":%" PRIu64 ",\"shape\":%" PRIu32, entry->number, entry->shape->number);
    if (entry->shape->event <= TRACE_EV_RETURN)
        fprintf(out, ",\"op\":%" PRIu64, fp_trace_op(entry));
    for (int field = 0; field < TRACE_F_COUNT; field++)
        if (entry->fields[field])
            fprintf(out, ",\"%s\":%" PRId64, names[field], entry->fields[field]);
    putc('}', out);
}

static int
put_records(FILE *out, struct fp_trace_reader *trace, char *error, size_t error_size)
{
    struct fp_trace_entry entry;
    const char *comma = "\n";
    uint32_t nshown = 0;
    bool *shown = NULL;
    int got;
    fputs(",\n\"records\":[", out);
    while ((got = fp_trace_next_record(trace, &entry, error, error_size)) == 1) {
        uint32_t shape = entry.shape->number;
        if (shape >= nshown) {
            uint32_t room = 2 * shape + 64;
            bool *more = realloc(shown, room * sizeof *more);
            if (!more)
                exit(EX_OSERR);
            memset(more + nshown, 0, (room - nshown) * sizeof *more);
            shown = more;
            nshown = room;
        }
        if (!shown[shape]) {
            fputs(comma, out);
            comma = ",\n";
            put_shape(out, entry.shape);
        }
        shown[shape] = true;
        fputs(comma, out);
        comma = ",\n";
        put_record(out, &entry);
    }
    free(shown);
    fputs("\n]", out);
    return got;
}

static int
put_choices(FILE *out, const char *path, char *error, size_t error_size)
{
    static const char *const kinds[] = {"step", "split", "jitter"};
    struct fp_trace_reader *trace = fp_trace_open(path, error, error_size);
    if (!trace)
        return -1;
    struct fp_trace_choice_entry choice;
    const char *comma = "\n";
    int got;
    fputs(",\n\"choices\":[", out);
    while ((got = fp_trace_next(trace, &choice, error, error_size)) == 1) {
        fprintf(out, "%s[\"%s\",%" PRIu32 ",%" PRIu32 "]", comma, kinds[choice.kind], choice.answer, choice.bound);
        comma = ",\n";
        uint64_t zeros = fp_trace_skip(trace, UINT64_MAX);
        if (zeros)
            fprintf(out, ",\n[\"zeros\",%" PRIu64 "]", zeros);
    }
    fputs("\n]", out);
    fp_trace_free(trace);
    return got;
}

int
export_json(const char *path, FILE *out, char *error, size_t error_size)
{
    struct fp_trace_reader *trace = fp_trace_open(path, error, error_size);
    if (!trace)
        return -1;
    const char *key, *value, *comma = "\n";
    fputs("{\"schema\":\"fencepost-trace/1\",\n\"header\":[", out);
    for (int i = 0; fp_trace_header_at(trace, i, &key, &value); i++) {
        fputs(i ? ",\n" : "\n", out);
        put_pair(out, key, value);
    }
    fputs("\n]", out);
    char again[512];
    int got = put_records(out, trace, error, error_size);
    int choices = put_choices(out, path, got < 0 ? again : error, got < 0 ? sizeof again : error_size);
    fputs(",\n\"result\":[", out);
    for (int i = 0; got == 0 && fp_trace_result_at(trace, i, &key, &value); i++) {
        fputs(comma, out);
        comma = ",\n";
        put_pair(out, key, value);
    }
    fp_trace_free(trace);
    got = got < 0 || choices < 0 ? -1 : fp_trace_verify(path, error, error_size);
    fprintf(out, "\n],\n\"whole\":%s}\n", got == 1 ? "true" : "false");
    return got < 0 ? -1 : 0;
}
