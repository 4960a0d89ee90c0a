/* writer.c -- the trace writer, see trace.h and FORMAT.md. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "traces/format.h"
#include "traces/trace.h"

#define BLOCK_BYTES (256 * 1024)

struct fp_trace_writer {
    FILE *file;
    char *path, *temporary;
    unsigned char *payload;
    size_t used, capacity;
    int type;       /* of the block being filled, 0: none */
    uint64_t zeros; /* steps answered by 0 that are not in the payload yet */
    bool failed, every_bound;
    bool special; /* a device or a pipe: written in place, never replaced */
    char *packed;
    size_t packed_capacity;
};

static void
fail(struct fp_trace_writer *writer, const char *what)
{
    if (!writer->failed)
        fprintf(stderr, "fencepost: trace %s: %s: %s\n", writer->path, what, strerror(errno));
    writer->failed = true;
}

static void
put_le(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

/* Compresses the payload into writer->packed. Bytes stored, or 0 after failing. */
static size_t
pack(struct fp_trace_writer *writer)
{
    size_t bound = ZSTD_compressBound(writer->used);
    if (bound > writer->packed_capacity) {
        char *packed = realloc(writer->packed, bound);
        if (!packed) {
            fail(writer, "cannot compress");
            return 0;
        }
        writer->packed = packed;
        writer->packed_capacity = bound;
    }
    size_t stored = ZSTD_compress(writer->packed, bound, writer->payload, writer->used, 3);
    if (!ZSTD_isError(stored))
        return stored;
    errno = ENOMEM;
    fail(writer, "cannot compress");
    return 0;
}

static void
flush_block(struct fp_trace_writer *writer)
{
    if (!writer->type || writer->failed)
        return;
    size_t stored = pack(writer);
    if (!stored)
        return;
    unsigned char head[TRACE_HEAD_BYTES];
    head[0] = (unsigned char)writer->type;
    put_le(head + 1, writer->used, 4);
    put_le(head + 5, stored, 4);
    put_le(head + 9, trace_block_sum(head, writer->packed, stored), 8);
    if (fwrite(head, sizeof head, 1, writer->file) != 1 || fwrite(writer->packed, 1, stored, writer->file) != stored)
        fail(writer, "cannot write");
    writer->used = 0;
    writer->type = 0;
}

static void
append(struct fp_trace_writer *writer, const void *bytes, size_t count)
{
    if (writer->used + count > writer->capacity) {
        size_t capacity = (writer->used + count) * 2;
        unsigned char *payload = realloc(writer->payload, capacity);
        if (!payload) {
            fail(writer, "out of memory");
            return;
        }
        writer->payload = payload;
        writer->capacity = capacity;
    }
    memcpy(writer->payload + writer->used, bytes, count);
    writer->used += count;
}

static void
append_number(struct fp_trace_writer *writer, uint64_t value)
{
    unsigned char bytes[10];
    size_t count = 0;
    do {
        bytes[count] = value & 0x7f;
        value >>= 7;
        bytes[count++] |= value ? 0x80 : 0;
    } while (value);
    append(writer, bytes, count);
}

static void
append_zeros(struct fp_trace_writer *writer)
{
    if (writer->zeros)
        append_number(writer, writer->zeros << 2);
    writer->zeros = 0;
}

/* Makes sure that the block being filled is of this type. */
static void
want_block(struct fp_trace_writer *writer, int type)
{
    if (writer->type == type && (type != TRACE_CHOICES || writer->used < BLOCK_BYTES))
        return;
    if (writer->type == TRACE_CHOICES)
        append_zeros(writer);
    flush_block(writer);
    writer->type = type;
}

static void
writer_free(struct fp_trace_writer *writer)
{
    if (!writer)
        return;
    free(writer->packed);
    free(writer->payload);
    free(writer->path);
    free(writer->temporary);
    free(writer);
}

struct fp_trace_writer *
fp_trace_create(const char *path)
{
    struct fp_trace_writer *writer = calloc(1, sizeof *writer);
    size_t size = strlen(path) + sizeof ".part";
    if (writer) {
        writer->path = strdup(path);
        writer->temporary = malloc(size);
    }
    if (!writer || !writer->path || !writer->temporary) {
        fprintf(stderr, "fencepost: trace %s: out of memory\n", path);
        writer_free(writer);
        return NULL;
    }
    struct stat status;
    writer->special = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    snprintf(writer->temporary, size, writer->special ? "%s" : "%s.part", path);
    writer->file = fopen(writer->temporary, "we");
    if (!writer->file || fwrite(TRACE_MAGIC, TRACE_MAGIC_BYTES, 1, writer->file) != 1) {
        fprintf(stderr, "fencepost: trace %s: cannot write: %s\n", path, strerror(errno));
        if (writer->file)
            fclose(writer->file);
        writer_free(writer);
        return NULL;
    }
    return writer;
}

static void
field(struct fp_trace_writer *writer, int type, const char *key, const char *value)
{
    want_block(writer, type);
    append(writer, key, strlen(key) + 1);
    append(writer, value, strlen(value) + 1);
}

void
fp_trace_field(struct fp_trace_writer *writer, const char *key, const char *value)
{
    field(writer, TRACE_HEADER, key, value);
}

void
fp_trace_result(struct fp_trace_writer *writer, const char *key, const char *value)
{
    field(writer, TRACE_RESULT, key, value);
}

void
fp_trace_every_bound(struct fp_trace_writer *writer)
{
    writer->every_bound = true;
}

void
fp_trace_choice(struct fp_trace_writer *writer, unsigned kind, uint32_t bound, uint32_t answer)
{
    want_block(writer, TRACE_CHOICES);
    if (kind == 0 && answer == 0 && !writer->every_bound) {
        writer->zeros++;
        return;
    }
    append_zeros(writer);
    append_number(writer, (uint64_t)answer << 2 | (kind + 1));
    append_number(writer, bound);
}

int
fp_trace_close(struct fp_trace_writer *writer)
{
    if (writer->type == TRACE_CHOICES)
        append_zeros(writer);
    flush_block(writer);
    writer->type = TRACE_END;
    flush_block(writer);
    if (fflush(writer->file) || (!writer->special && fsync(fileno(writer->file))))
        fail(writer, "cannot write");
    if (fclose(writer->file))
        fail(writer, "cannot write");
    if (!writer->failed && !writer->special && rename(writer->temporary, writer->path))
        fail(writer, "cannot rename");
    if (writer->failed && !writer->special)
        unlink(writer->temporary);
    int result = writer->failed ? -1 : 0;
    writer_free(writer);
    return result;
}
