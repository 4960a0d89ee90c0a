/* trace.h -- writing and reading traces. The format is specified in FORMAT.md.
 *
 * A trace names the run (header), holds every choice in order and every record of what happened, and ends with what
 * came out (findings, event digest). The writer streams: blocks are checksummed, and a file that was cut short is
 * readable up to its last whole block. The reader trusts nothing.
 */
#ifndef FP_TRACE_H
#define FP_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What happened: id, name in the file. */
#define TRACE_EVENT_ROWS(X)                                                                                            \
    X(ISSUE, "issue")                                                                                                  \
    X(READ, "read")                                                                                                    \
    X(WRITE, "write")                                                                                                  \
    X(RMW, "rmw")                                                                                                      \
    X(RETURN, "return")                                                                                                \
    X(FENCE, "fence")                                                                                                  \
    X(QUIET, "quiet")                                                                                                  \
    X(PE_QUIET, "pe-quiet")                                                                                            \
    X(SYNC_ENTER, "sync-enter")                                                                                        \
    X(SYNC_LEAVE, "sync-leave")                                                                                        \
    X(COLL_ENTER, "coll-enter")                                                                                        \
    X(COLL_LEAVE, "coll-leave")                                                                                        \
    X(WAIT, "wait")                                                                                                    \
    X(LOCK_SET, "lock-set")                                                                                            \
    X(LOCK_CLEAR, "lock-clear")                                                                                        \
    X(BORN, "born")                                                                                                    \
    X(DIED, "died")                                                                                                    \
    X(LOAD, "load")                                                                                                    \
    X(STORE, "store") X(ATOMIC, "atomic") X(TEAM, "team") X(CONTEXT, "context") X(FINDING, "finding") X(END, "end")
enum fp_trace_event {
#define TRACE_EVENT_ROW(id, text) TRACE_EV_##id,
    TRACE_EVENT_ROWS(TRACE_EVENT_ROW)
#undef TRACE_EVENT_ROW
        TRACE_EV_COUNT,
    TRACE_EV_UNKNOWN = TRACE_EV_COUNT /* of a later version */
};

/* Fields of a record; row i is bit i of its mask. */
#define TRACE_FIELD_ROWS(X)                                                                                            \
    X(time)                                                                                                            \
    X(pe)                                                                                                              \
    X(target) X(offset) X(age) X(took) X(bytes) X(region) X(ctx) X(value) X(local_region) X(local_offset) X(blocks)    \
        X(step) X(local_step) X(from) X(cmp) X(by) X(team) X(seq) X(root) X(signal_region) X(signal_offset)            \
            X(signal_value) X(grain) X(elems) X(size) X(start) X(stride) X(mark) X(flags) X(finding)
enum fp_trace_field_id {
#define TRACE_FIELD_ROW(id) TRACE_F_##id,
    TRACE_FIELD_ROWS(TRACE_FIELD_ROW)
#undef TRACE_FIELD_ROW
        TRACE_F_COUNT
};
#define TRACE_BIT(id) (UINT64_C(1) << TRACE_F_##id)

/* Values of `mark`. */
enum { TRACE_MARK_LAST = 1, TRACE_MARK_FAILED = 2, TRACE_MARK_ZEROED = 4, TRACE_MARK_SEEN = 8 };

/* ---- Writer
 * ----------------------------------------------------------------------------------------------------------- */

struct fp_trace_writer;

/* NULL after saying why on stderr. The file is written beside `path` and renamed by close. */
struct fp_trace_writer *fp_trace_create(const char *path);
/* Header fields, before the first choice. Keys may repeat (arg). */
void fp_trace_field(struct fp_trace_writer *writer, const char *key, const char *value);
void fp_trace_choice(struct fp_trace_writer *writer, unsigned kind, uint32_t bound, uint32_t answer);
/* From here on steps answered by 0 are written with their bounds too (longer, for comparing runs). */
void fp_trace_every_bound(struct fp_trace_writer *writer);
/* A new shape: its number. More keys of it follow by fp_trace_shape_key, before its first record. */
uint32_t fp_trace_shape(struct fp_trace_writer *writer, enum fp_trace_event event);
void fp_trace_shape_key(struct fp_trace_writer *writer, const char *key, const char *value);
/* A record: the fields of the set `given` have the values in fields[], by field; the others are as in the last record
 * of the shape. */
void fp_trace_record(struct fp_trace_writer *writer, uint32_t shape, uint64_t given, const int64_t *fields);
/* Fields of the result, after the last choice and record. */
void fp_trace_result(struct fp_trace_writer *writer, const char *key, const char *value);
/* Ends the file: 0, or -1 after saying why. */
int fp_trace_close(struct fp_trace_writer *writer);

/* ---- Reader
 * ----------------------------------------------------------------------------------------------------------- */

struct fp_trace_reader;
struct fp_trace_choice_entry {
    unsigned kind;
    uint32_t bound; /* 0: not recorded (a step answered by 0) */
    uint32_t answer;
};

/* NULL with one line in `error`. Reads and checks the header block. */
struct fp_trace_reader *fp_trace_open(const char *path, char *error, size_t error_size);
/* The index-th value of a header key, or NULL. */
const char *fp_trace_header(const struct fp_trace_reader *reader, const char *key, int index);
/* The index-th field of the header, whatever its key; false where there are no more. */
bool fp_trace_header_at(const struct fp_trace_reader *reader, int index, const char **key, const char **value);
/* Next choice: 1, 0 at the end of the choices, -1 with one line in `error` when the file is damaged here. */
int fp_trace_next(struct fp_trace_reader *reader, struct fp_trace_choice_entry *entry, char *error, size_t error_size);
/* Steps answered by 0 that come next, at most `most` of them, are passed over: how many. A file of a few bytes may
 * claim more of them than anybody can count one by one. */
uint64_t fp_trace_skip(struct fp_trace_reader *reader, uint64_t most);

/* What records have in common. `number` counts from 0. */
struct fp_trace_shape {
    uint32_t number;
    enum fp_trace_event event;
    const char *call; /* "" where there is none */
    uint64_t site;    /* 0: none */
    const char *keys; /* all keys and values */
    size_t keys_bytes;
};
struct fp_trace_entry {
    uint64_t number;                    /* of the record, from 1 */
    uint64_t issues;                    /* issue records up to and with this one */
    const struct fp_trace_shape *shape; /* as long as the reader */
    const int64_t *fields;              /* by field; until the next record */
};
/* Next record, as above. One reader hands out choices or records, not both. */
int fp_trace_next_record(struct fp_trace_reader *reader, struct fp_trace_entry *entry, char *error, size_t error_size);
/* A key of the shape, or NULL. */
const char *fp_trace_shape_text(const struct fp_trace_shape *shape, const char *key);
/* Number of the operation that a read, write, rmw or return is about, or that an issue begins; 0: damaged. */
uint64_t fp_trace_op(const struct fp_trace_entry *entry);

/* The index-th value of a result key, or NULL. After fp_trace_next or fp_trace_next_record has returned 0. */
const char *fp_trace_result_field(const struct fp_trace_reader *reader, const char *key, int index);
bool fp_trace_result_at(const struct fp_trace_reader *reader, int index, const char **key, const char **value);
void fp_trace_free(struct fp_trace_reader *reader);
/* Reads the whole file: 1 if every block is good and the end is there, 0 if it was cut short behind a whole block,
 * -1 with one line in `error` if it is damaged. */
int fp_trace_verify(const char *path, char *error, size_t error_size);

/* xxHash64 of a file's bytes as 16 hex digits (identity of a program); 0, or -1. */
int fp_trace_file_hash(const char *path, char hash[17]);

#endif
