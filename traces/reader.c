/* reader.c -- the trace reader, see trace.h and FORMAT.md. Everything in the file is hostile. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "traces/format.h"
#include "traces/trace.h"

/* A shape as the reader keeps it: `last` are the fields of its last record. */
struct reader_shape {
    struct fp_trace_shape shape;
    int64_t last[TRACE_F_COUNT];
};

struct fp_trace_reader {
    FILE *file;
    char *path;
    char *header;
    size_t header_bytes;
    unsigned char *payload; /* of the current block */
    size_t bytes, at;
    int type;
    uint64_t block; /* number of the current block, for messages */
    uint64_t zeros; /* steps answered by 0 still to be handed out */
    bool first_version;
    uint64_t bounds[4];           /* the last ones in this block, by kind of token */
    struct reader_shape **shapes; /* by number; their keys lie in shape_payloads */
    uint32_t nshapes, shapes_cap;
    unsigned char **shape_payloads;
    size_t nshape_payloads;
    uint64_t records, issues; /* handed out */
};

uint64_t
trace_block_sum(const unsigned char head[TRACE_HEAD_BYTES], const void *stored, size_t bytes)
{
    XXH64_state_t *state = XXH64_createState();
    if (!state)
        return 0;
    XXH64_reset(state, 0);
    XXH64_update(state, head, 9);
    XXH64_update(state, stored, bytes);
    uint64_t sum = XXH64_digest(state);
    XXH64_freeState(state);
    return sum;
}

static uint64_t
get_le(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

/* Unpacks the stored bytes into a new payload. NULL, or what is wrong. */
static const char *
unpack(struct fp_trace_reader *reader, const unsigned char *stored, size_t stored_bytes, size_t payload_bytes)
{
    unsigned char *payload = malloc(payload_bytes + 1);
    if (!payload)
        return "does not fit in memory";
    if (ZSTD_decompress(payload, payload_bytes + 1, stored, stored_bytes) != payload_bytes) {
        free(payload);
        return "is damaged (compression)";
    }
    free(reader->payload);
    reader->payload = payload;
    reader->bytes = payload_bytes;
    reader->at = 0;
    return NULL;
}

/* Reads the next block into reader->payload. 1, 0 at the end of the file (cut short), -1 with `error`. */
static int
read_block(struct fp_trace_reader *reader, char *error, size_t error_size)
{
    unsigned char head[TRACE_HEAD_BYTES] = {0};
    size_t got = fread(head, 1, sizeof head, reader->file);
    reader->block++;
    if (got == 0 && feof(reader->file))
        return 0;
    const char *wrong = NULL;
    unsigned char *stored = NULL;
    size_t payload_bytes = get_le(head + 1, 4), stored_bytes = get_le(head + 5, 4);
    if (got != sizeof head)
        wrong = "is cut short";
    else if (payload_bytes > TRACE_PAYLOAD_MAX || stored_bytes > TRACE_STORED_MAX)
        wrong = "has an impossible length";
    else if (!(stored = malloc(stored_bytes + 1)))
        wrong = "does not fit in memory";
    else if (fread(stored, 1, stored_bytes, reader->file) != stored_bytes)
        wrong = "is cut short";
    else if (trace_block_sum(head, stored, stored_bytes) != get_le(head + 9, 8))
        wrong = "is damaged (checksum)";
    else
        wrong = unpack(reader, stored, stored_bytes, payload_bytes);
    free(stored);
    reader->type = head[0];
    if (!wrong)
        return 1;
    snprintf(error, error_size, "trace %s: block %llu %s", reader->path, (unsigned long long)reader->block, wrong);
    return -1;
}

/* Whether the payload is a sequence of key, value strings. */
static bool
fields_are_whole(const char *bytes, size_t count)
{
    size_t strings = 0;
    for (size_t i = 0; i < count; i++)
        strings += bytes[i] == '\0';
    return strings % 2 == 0 && (count == 0 || bytes[count - 1] == '\0');
}

struct fp_trace_reader *
fp_trace_open(const char *path, char *error, size_t error_size)
{
    struct fp_trace_reader *reader = calloc(1, sizeof *reader);
    if (!reader || !(reader->path = strdup(path))) {
        free(reader);
        snprintf(error, error_size, "trace %s: out of memory", path);
        return NULL;
    }
    char magic[TRACE_MAGIC_BYTES];
    reader->file = fopen(path, "re");
    if (!reader->file) {
        snprintf(error, error_size, "trace %s: %s", path, strerror(errno));
    } else if (fread(magic, sizeof magic, 1, reader->file) != 1 || memcmp(magic, TRACE_MAGIC, sizeof magic)) {
        snprintf(error, error_size, "trace %s: not a Fencepost trace of version 1", path);
    } else {
        int got = read_block(reader, error, error_size);
        if (got == 1 && reader->type == TRACE_HEADER && fields_are_whole((char *)reader->payload, reader->bytes)) {
            reader->header = (char *)reader->payload;
            reader->header_bytes = reader->bytes;
            reader->payload = NULL;
            reader->bytes = reader->at = 0;
            const char *version = fp_trace_header(reader, "version", 0);
            reader->first_version = !version || !strcmp(version, "1");
            return reader;
        }
        if (got >= 0)
            snprintf(error, error_size, "trace %s: it has no header", path);
    }
    fp_trace_free(reader);
    return NULL;
}

/* The index-th value of a key among the fields, which are whole. */
static const char *
field(const char *at, const char *end, const char *key, int index)
{
    while (at < end) {
        const char *value = at + strlen(at) + 1;
        if (!strcmp(at, key) && index-- == 0)
            return value;
        at = value + strlen(value) + 1;
    }
    return NULL;
}

const char *
fp_trace_header(const struct fp_trace_reader *reader, const char *key, int index)
{
    return field(reader->header, reader->header + reader->header_bytes, key, index);
}

const char *
fp_trace_result_field(const struct fp_trace_reader *reader, const char *key, int index)
{
    const char *fields = (const char *)reader->payload;
    if (reader->type != TRACE_RESULT || !fields_are_whole(fields, reader->bytes))
        return NULL;
    return field(fields, fields + reader->bytes, key, index);
}

static bool
field_at(const char *at, const char *end, int index, const char **key, const char **value)
{
    for (; at < end; at = *value + strlen(*value) + 1) {
        *key = at;
        *value = at + strlen(at) + 1;
        if (index-- == 0)
            return true;
    }
    return false;
}

bool
fp_trace_header_at(const struct fp_trace_reader *reader, int index, const char **key, const char **value)
{
    return field_at(reader->header, reader->header + reader->header_bytes, index, key, value);
}

bool
fp_trace_result_at(const struct fp_trace_reader *reader, int index, const char **key, const char **value)
{
    const char *fields = (const char *)reader->payload;
    if (reader->type != TRACE_RESULT || !fields_are_whole(fields, reader->bytes))
        return false;
    return field_at(fields, fields + reader->bytes, index, key, value);
}

static bool
get_number(struct fp_trace_reader *reader, uint64_t *value)
{
    *value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (reader->at == reader->bytes)
            return false;
        unsigned char byte = reader->payload[reader->at++];
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

/* ---- Records
 * ---------------------------------------------------------------------------------------------------------- */

static const char *const event_names[] = {
#define TRACE_EVENT_ROW(id, text) text,
    TRACE_EVENT_ROWS(TRACE_EVENT_ROW)
#undef TRACE_EVENT_ROW
};

static struct reader_shape *
shape_new(struct fp_trace_reader *reader, const char *keys, const char *name)
{
    if (reader->nshapes == reader->shapes_cap) {
        uint32_t cap = reader->shapes_cap ? 2 * reader->shapes_cap : 64;
        struct reader_shape **shapes = realloc(reader->shapes, cap * sizeof *shapes);
        if (cap > TRACE_SHAPES_MAX || !shapes) {
            reader->shapes = shapes ? shapes : reader->shapes;
            return NULL;
        }
        reader->shapes = shapes;
        reader->shapes_cap = cap;
    }
    struct reader_shape *shape = calloc(1, sizeof *shape);
    if (!shape)
        return NULL;
    shape->shape.number = reader->nshapes;
    shape->shape.call = "";
    shape->shape.keys = keys;
    while (shape->shape.event < TRACE_EV_COUNT && strcmp(event_names[shape->shape.event], name))
        shape->shape.event++;
    return reader->shapes[reader->nshapes++] = shape;
}

/* Takes the shapes of the current block; the payload is kept for their texts. */
static bool
take_shapes(struct fp_trace_reader *reader)
{
    unsigned char **kept = realloc(reader->shape_payloads, (reader->nshape_payloads + 1) * sizeof *kept);
    if (!kept)
        return false;
    reader->shape_payloads = kept;
    kept[reader->nshape_payloads++] = reader->payload;
    const char *at = (const char *)reader->payload, *end = at + reader->bytes;
    bool whole = fields_are_whole(at, reader->bytes);
    reader->payload = NULL;
    reader->bytes = reader->at = 0;
    struct reader_shape *shape = NULL;
    while (whole && at < end) {
        const char *value = at + strlen(at) + 1;
        if (!strcmp(at, "event"))
            shape = shape_new(reader, at, value);
        if (!shape)
            return false;
        if (!strcmp(at, "call"))
            shape->shape.call = value;
        if (!strcmp(at, "site"))
            shape->shape.site = strtoull(value, NULL, 16);
        at = value + strlen(value) + 1;
        shape->shape.keys_bytes = (size_t)(at - shape->shape.keys);
    }
    return whole;
}

static int
damaged(const struct fp_trace_reader *reader, const char *what, char *error, size_t error_size)
{
    snprintf(error, error_size, "trace %s: block %llu is damaged (%s)", reader->path, (unsigned long long)reader->block,
             what);
    return -1;
}

/* Goes on to the next block that is of this type, past those of others but the last two. 1, 0 at the end of what is
 * looked for, -1. */
static int
next_block(struct fp_trace_reader *reader, int type, char *error, size_t error_size)
{
    for (;;) {
        if (reader->type == TRACE_RESULT || reader->type == TRACE_END)
            return 0;
        int got = read_block(reader, error, error_size);
        if (got <= 0 || reader->type == type)
            return got;
        if (reader->type == TRACE_SHAPES && type == TRACE_RECORDS && !take_shapes(reader))
            return damaged(reader, "shapes", error, error_size);
        reader->at = reader->bytes;
    }
}

/* The bound of a choice of this kind. */
static bool
get_bound(struct fp_trace_reader *reader, uint64_t kind, uint64_t *bound)
{
    if (!get_number(reader, bound))
        return false;
    if (!reader->first_version)
        *bound = reader->bounds[kind] + (*bound >> 1 ^ (UINT64_C(0) - (*bound & 1)));
    reader->bounds[kind] = *bound;
    return true;
}

int
fp_trace_next(struct fp_trace_reader *reader, struct fp_trace_choice_entry *entry, char *error, size_t error_size)
{
    while (!reader->zeros && reader->at == reader->bytes) {
        int got = next_block(reader, TRACE_CHOICES, error, error_size);
        memset(reader->bounds, 0, sizeof reader->bounds);
        if (got <= 0)
            return got;
    }
    uint64_t token, bound = 0;
    if (reader->zeros) {
        reader->zeros--;
        *entry = (struct fp_trace_choice_entry){0};
        return 1;
    }
    if (get_number(reader, &token)) {
        uint64_t answer = token >> 2;
        if ((token & 3) == 0 && answer > 0) {
            reader->zeros = answer - 1;
            *entry = (struct fp_trace_choice_entry){0};
            return 1;
        }
        if ((token & 3) != 0 && get_bound(reader, token & 3, &bound) && bound <= UINT32_MAX && answer < bound) {
            *entry = (struct fp_trace_choice_entry){
                .kind = (unsigned)(token & 3) - 1, .bound = (uint32_t)bound, .answer = (uint32_t)answer};
            return 1;
        }
    }
    return damaged(reader, "choices", error, error_size);
}

uint64_t
fp_trace_skip(struct fp_trace_reader *reader, uint64_t most)
{
    uint64_t count = reader->zeros < most ? reader->zeros : most;
    reader->zeros -= count;
    return count;
}

/* The fields of one record behind its shape and mask. Those that this version does not know are stepped over. */
static bool
get_fields(struct fp_trace_reader *reader, struct reader_shape *shape, uint64_t mask)
{
    for (; mask; mask &= mask - 1) {
        int field = __builtin_ctzll(mask);
        uint64_t zigzag;
        if (!get_number(reader, &zigzag))
            return false;
        if (field < TRACE_F_COUNT)
            shape->last[field] = (int64_t)((uint64_t)shape->last[field] + (zigzag >> 1 ^ (UINT64_C(0) - (zigzag & 1))));
    }
    return true;
}

int
fp_trace_next_record(struct fp_trace_reader *reader, struct fp_trace_entry *entry, char *error, size_t error_size)
{
    while (reader->at == reader->bytes) {
        int got = next_block(reader, TRACE_RECORDS, error, error_size);
        if (got <= 0)
            return got;
    }
    uint64_t number, mask;
    if (!get_number(reader, &number) || !get_number(reader, &mask) || number >= reader->nshapes)
        return damaged(reader, "records", error, error_size);
    struct reader_shape *shape = reader->shapes[number];
    if (!get_fields(reader, shape, mask))
        return damaged(reader, "records", error, error_size);
    reader->issues += shape->shape.event == TRACE_EV_ISSUE;
    *entry = (struct fp_trace_entry){
        .number = ++reader->records, .issues = reader->issues, .shape = &shape->shape, .fields = shape->last};
    return 1;
}

const char *
fp_trace_shape_text(const struct fp_trace_shape *shape, const char *key)
{
    return field(shape->keys, shape->keys + shape->keys_bytes, key, 0);
}

uint64_t
fp_trace_op(const struct fp_trace_entry *entry)
{
    if (entry->shape->event == TRACE_EV_ISSUE)
        return entry->issues;
    uint64_t age = (uint64_t)entry->fields[TRACE_F_age];
    return age < entry->issues ? entry->issues - age : 0;
}

/* Choices and records each by a reader of their own, so that every block is looked into. */
int
fp_trace_verify(const char *path, char *error, size_t error_size)
{
    int got = -1;
    for (int records = 0; records < 2; records++) {
        *error = '\0';
        struct fp_trace_reader *reader = fp_trace_open(path, error, error_size);
        if (!reader)
            return -1;
        struct fp_trace_choice_entry choice;
        struct fp_trace_entry entry;
        do {
            got = records ? fp_trace_next_record(reader, &entry, error, error_size)
                          : fp_trace_next(reader, &choice, error, error_size);
            fp_trace_skip(reader, UINT64_MAX);
        } while (got == 1);
        while (got == 0 && reader->type != TRACE_END) {
            got = read_block(reader, error, error_size);
            got = got < 0 ? -1 : got == 0 ? 2 : 0;
        }
        fp_trace_free(reader);
        if (got != 0)
            break;
    }
    return got == 0 ? 1 : got == 2 ? 0 : -1;
}

void
fp_trace_free(struct fp_trace_reader *reader)
{
    if (!reader)
        return;
    if (reader->file)
        fclose(reader->file);
    free(reader->header);
    free(reader->payload);
    for (uint32_t i = 0; i < reader->nshapes; i++)
        free(reader->shapes[i]);
    free(reader->shapes);
    for (size_t i = 0; i < reader->nshape_payloads; i++)
        free(reader->shape_payloads[i]);
    free(reader->shape_payloads);
    free(reader->path);
    free(reader);
}

int
fp_trace_file_hash(const char *path, char hash[17])
{
    FILE *file = fopen(path, "re");
    XXH64_state_t *state = XXH64_createState();
    int failed = !file || !state;
    if (!failed) {
        XXH64_reset(state, 0);
        char buffer[65536];
        size_t got;
        while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
            XXH64_update(state, buffer, got);
        failed = ferror(file);
        snprintf(hash, 17, "%016llx", (unsigned long long)XXH64_digest(state));
    }
    if (file)
        fclose(file);
    XXH64_freeState(state);
    return failed ? -1 : 0;
}
