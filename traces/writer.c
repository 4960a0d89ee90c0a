/* writer.c -- the trace writer, see trace.h and FORMAT.md.
 *
 * Choices, shapes and records are gathered side by side and become blocks of their own when they are full; the shapes
 * go out before the records that name them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "traces/format.h"
#include "traces/trace.h"

#define BLOCK_BYTES (256 * 1024)
#define RECORD_BYTES_MAX ((2 + TRACE_F_COUNT) * 10)
#define LEVEL 1

/* A block that is being filled. */
struct block {
    unsigned char *payload;
    size_t used, capacity;
};

struct shape_state {
    int64_t last[TRACE_F_COUNT];
};

struct fp_trace_writer {
    FILE *file;
    char *path, *target, *temporary; /* as given, for messages; absolute; target.part */
    struct block fields, choices, shapes, records;
    int fields_type;    /* of the fields: header or result */
    uint64_t zeros;     /* steps answered by 0 that are not in the payload yet */
    uint32_t bounds[3]; /* the last ones in this block, by kind */
    struct shape_state *states;
    uint32_t nshapes, states_cap;
    bool failed, every_bound;
    bool special; /* a device or a pipe: written in place, never replaced */
    ZSTD_CCtx *zstd;
    char *packed;
    size_t packed_capacity;
};

static const char *const event_names[] = {
#define TRACE_EVENT_ROW(id, text) text,
    TRACE_EVENT_ROWS(TRACE_EVENT_ROW)
#undef TRACE_EVENT_ROW
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
pack(struct fp_trace_writer *writer, const struct block *block)
{
    size_t bound = ZSTD_compressBound(block->used);
    if (bound > writer->packed_capacity) {
        char *packed = realloc(writer->packed, bound);
        if (!packed) {
            fail(writer, "cannot compress");
            return 0;
        }
        writer->packed = packed;
        writer->packed_capacity = bound;
    }
    size_t stored = ZSTD_compressCCtx(writer->zstd, writer->packed, bound, block->payload, block->used, LEVEL);
    if (!ZSTD_isError(stored))
        return stored;
    errno = ENOMEM;
    fail(writer, "cannot compress");
    return 0;
}

static void
flush_block(struct fp_trace_writer *writer, struct block *block, int type)
{
    if (writer->failed)
        return;
    size_t stored = pack(writer, block);
    if (!stored)
        return;
    unsigned char head[TRACE_HEAD_BYTES];
    head[0] = (unsigned char)type;
    put_le(head + 1, block->used, 4);
    put_le(head + 5, stored, 4);
    put_le(head + 9, trace_block_sum(head, writer->packed, stored), 8);
    /* Out at once: what a crash leaves are whole blocks. */
    if (fwrite(head, sizeof head, 1, writer->file) != 1 || fwrite(writer->packed, 1, stored, writer->file) != stored ||
        fflush(writer->file))
        fail(writer, "cannot write");
    block->used = 0;
}

/* Room for `count` more bytes. */
static bool
reserve(struct fp_trace_writer *writer, struct block *block, size_t count)
{
    if (block->used + count <= block->capacity)
        return true;
    size_t capacity = (block->used + count) * 2;
    unsigned char *payload = realloc(block->payload, capacity);
    if (!payload) {
        fail(writer, "out of memory");
        return false;
    }
    block->payload = payload;
    block->capacity = capacity;
    return true;
}

static void
append(struct fp_trace_writer *writer, struct block *block, const void *bytes, size_t count)
{
    if (!reserve(writer, block, count))
        return;
    memcpy(block->payload + block->used, bytes, count);
    block->used += count;
}

static unsigned char *
number_to(unsigned char *at, uint64_t value)
{
    while (value > 0x7f) {
        *at++ = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    *at++ = (unsigned char)value;
    return at;
}

static void
append_number(struct fp_trace_writer *writer, struct block *block, uint64_t value)
{
    unsigned char bytes[10];
    append(writer, block, bytes, (size_t)(number_to(bytes, value) - bytes));
}

static void
append_zeros(struct fp_trace_writer *writer)
{
    if (writer->zeros)
        append_number(writer, &writer->choices, writer->zeros << 2);
    writer->zeros = 0;
}

/* The header goes out before anything else. */
static void
end_fields(struct fp_trace_writer *writer)
{
    if (writer->fields_type)
        flush_block(writer, &writer->fields, writer->fields_type);
    writer->fields_type = 0;
}

static void
flush_choices(struct fp_trace_writer *writer)
{
    append_zeros(writer);
    if (writer->choices.used)
        flush_block(writer, &writer->choices, TRACE_CHOICES);
    memset(writer->bounds, 0, sizeof writer->bounds);
}

static void
flush_shapes(struct fp_trace_writer *writer)
{
    if (writer->shapes.used)
        flush_block(writer, &writer->shapes, TRACE_SHAPES);
}

static void
flush_records(struct fp_trace_writer *writer)
{
    flush_shapes(writer);
    if (writer->records.used)
        flush_block(writer, &writer->records, TRACE_RECORDS);
}

static void
writer_free(struct fp_trace_writer *writer)
{
    if (!writer)
        return;
    struct block *blocks[] = {&writer->fields, &writer->choices, &writer->shapes, &writer->records};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]->payload);
    ZSTD_freeCCtx(writer->zstd);
    free(writer->states);
    free(writer->packed);
    free(writer->path);
    free(writer->target);
    free(writer->temporary);
    free(writer);
}

static void
field(struct fp_trace_writer *writer, int type, const char *key, const char *value)
{
    writer->fields_type = type;
    append(writer, &writer->fields, key, strlen(key) + 1);
    append(writer, &writer->fields, value, strlen(value) + 1);
}

/* The file beside the target. Where another run that is asked for the same trace is writing it just now, or has just
 * made it the trace, a file of this run's own: each trace is whole, and the last one stays. */
static FILE *
open_own(struct fp_trace_writer *writer, size_t size)
{
    struct stat opened, named;
    int fd = open(writer->temporary, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return NULL;
    bool ours = flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; /* some file systems have no locks */
    ours = ours && fstat(fd, &opened) == 0 && stat(writer->temporary, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
    if (ours && ftruncate(fd, 0) == 0)
        return fdopen(fd, "w");
    close(fd);
    snprintf(writer->temporary, size, "%s.%d.part", writer->target, (int)getpid());
    return fopen(writer->temporary, "we");
}

struct fp_trace_writer *
fp_trace_create(const char *path)
{
    struct fp_trace_writer *writer = calloc(1, sizeof *writer);
    char *folder = *path == '/' ? NULL : getcwd(NULL, 0); /* the program may go elsewhere */
    size_t size = (folder ? strlen(folder) + 1 : 0) + strlen(path) + sizeof ".-2147483648.part";
    if (writer) {
        writer->path = strdup(path);
        writer->target = malloc(size);
        writer->temporary = malloc(size);
        writer->zstd = ZSTD_createCCtx();
    }
    if (writer && writer->target)
        snprintf(writer->target, size, "%s%s%s", folder ? folder : "", folder ? "/" : "", path);
    free(folder);
    if (!writer || !writer->path || !writer->target || !writer->temporary || !writer->zstd) {
        fprintf(stderr, "fencepost: trace %s: out of memory\n", path);
        writer_free(writer);
        return NULL;
    }
    struct stat status;
    writer->special = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    snprintf(writer->temporary, size, writer->special ? "%s" : "%s.part", writer->target);
    writer->file = writer->special ? fopen(writer->temporary, "we") : open_own(writer, size);
    if (!writer->file || fwrite(TRACE_MAGIC, TRACE_MAGIC_BYTES, 1, writer->file) != 1) {
        fprintf(stderr, "fencepost: trace %s: cannot write: %s\n", path, strerror(errno));
        if (writer->file)
            fclose(writer->file);
        writer_free(writer);
        return NULL;
    }
    setvbuf(writer->file, NULL, _IONBF, 0); /* a child that the program forks has nothing of it to write when it ends */
    field(writer, TRACE_HEADER, "version", "2");
    return writer;
}

void
fp_trace_field(struct fp_trace_writer *writer, const char *key, const char *value)
{
    field(writer, TRACE_HEADER, key, value);
}

void
fp_trace_result(struct fp_trace_writer *writer, const char *key, const char *value)
{
    if (writer->fields_type != TRACE_RESULT) {
        end_fields(writer);
        flush_choices(writer);
        flush_records(writer);
    }
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
    if (kind == 0 && answer == 0 && !writer->every_bound) {
        writer->zeros++;
        return;
    }
    if (writer->choices.used >= BLOCK_BYTES) {
        end_fields(writer);
        flush_choices(writer);
    }
    append_zeros(writer);
    append_number(writer, &writer->choices, (uint64_t)answer << 2 | (kind + 1));
    int64_t difference = (int64_t)bound - writer->bounds[kind];
    append_number(writer, &writer->choices, (uint64_t)difference << 1 ^ (uint64_t)(difference >> 63));
    writer->bounds[kind] = bound;
}

uint32_t
fp_trace_shape(struct fp_trace_writer *writer, enum fp_trace_event event)
{
    if (writer->nshapes == writer->states_cap) {
        uint32_t cap = writer->states_cap ? 2 * writer->states_cap : 64;
        struct shape_state *states = realloc(writer->states, cap * sizeof *states);
        if (!states) {
            fail(writer, "out of memory");
            return 0;
        }
        writer->states = states;
        writer->states_cap = cap;
    }
    memset(&writer->states[writer->nshapes], 0, sizeof *writer->states);
    if (writer->shapes.used >= BLOCK_BYTES) {
        end_fields(writer);
        flush_shapes(writer);
    }
    fp_trace_shape_key(writer, "event", event_names[event]);
    return writer->nshapes++;
}

void
fp_trace_shape_key(struct fp_trace_writer *writer, const char *key, const char *value)
{
    append(writer, &writer->shapes, key, strlen(key) + 1);
    append(writer, &writer->shapes, value, strlen(value) + 1);
}

void
fp_trace_record(struct fp_trace_writer *writer, uint32_t shape, uint64_t given, const int64_t *fields)
{
    if (shape >= writer->nshapes)
        return; /* out of memory before */
    if (writer->records.used >= BLOCK_BYTES) {
        end_fields(writer);
        flush_records(writer);
    }
    if (!reserve(writer, &writer->records, RECORD_BYTES_MAX))
        return;
    int64_t *last = writer->states[shape].last;
    uint64_t mask = 0, differences[TRACE_F_COUNT];
    int count = 0;
    for (uint64_t left = given; left; left &= left - 1) {
        int field = __builtin_ctzll(left);
        uint64_t difference = (uint64_t)fields[field] - (uint64_t)last[field];
        if (!difference)
            continue;
        mask |= left & -left;
        last[field] = fields[field];
        differences[count++] = difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
    }
    unsigned char *at = writer->records.payload + writer->records.used;
    at = number_to(at, shape);
    at = number_to(at, mask);
    for (int i = 0; i < count; i++)
        at = number_to(at, differences[i]);
    writer->records.used = (size_t)(at - writer->records.payload);
}

int
fp_trace_close(struct fp_trace_writer *writer)
{
    if (writer->fields_type == TRACE_HEADER)
        end_fields(writer);
    flush_choices(writer);
    flush_records(writer);
    end_fields(writer);
    flush_block(writer, &writer->fields, TRACE_END);
    if (fflush(writer->file) || (!writer->special && fsync(fileno(writer->file))))
        fail(writer, "cannot write");
    if (fclose(writer->file))
        fail(writer, "cannot write");
    if (!writer->failed && !writer->special && rename(writer->temporary, writer->target))
        fail(writer, "cannot rename");
    if (writer->failed && !writer->special)
        unlink(writer->temporary);
    int result = writer->failed ? -1 : 0;
    writer_free(writer);
    return result;
}
