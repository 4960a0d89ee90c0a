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

int
fp_trace_next(struct fp_trace_reader *reader, struct fp_trace_choice_entry *entry, char *error, size_t error_size)
{
    while (!reader->zeros && reader->at == reader->bytes) {
        if (reader->type == TRACE_RESULT || reader->type == TRACE_END)
            return 0;
        int got = read_block(reader, error, error_size);
        if (got <= 0)
            return got;
        if (reader->type != TRACE_CHOICES)
            return 0;
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
        if ((token & 3) != 0 && get_number(reader, &bound) && bound <= UINT32_MAX && answer < bound) {
            *entry = (struct fp_trace_choice_entry){
                .kind = (unsigned)(token & 3) - 1, .bound = (uint32_t)bound, .answer = (uint32_t)answer};
            return 1;
        }
    }
    snprintf(error, error_size, "trace %s: block %llu is damaged (choices)", reader->path,
             (unsigned long long)reader->block);
    return -1;
}

int
fp_trace_verify(const char *path, char *error, size_t error_size)
{
    *error = '\0';
    struct fp_trace_reader *reader = fp_trace_open(path, error, error_size);
    if (!reader)
        return -1;
    int got;
    struct fp_trace_choice_entry entry;
    while ((got = fp_trace_next(reader, &entry, error, error_size)) == 1)
        ;
    while (got == 0 && reader->type != TRACE_END) {
        if (read_block(reader, error, error_size) < 1) {
            got = *error ? -1 : 2;
            break;
        }
    }
    fp_trace_free(reader);
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
