/* trace.h -- writing and reading traces. The format is specified in FORMAT.md.
 *
 * A trace names the run (header), holds every choice in order, and ends with what came out (findings, event digest).
 * The writer streams: blocks are checksummed, and a file that was cut short is readable up to its last whole block.
 * The reader trusts nothing.
 */
#ifndef FP_TRACE_H
#define FP_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
/* Fields of the result, after the last choice. */
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
/* The index-th value of a result key, or NULL. After fp_trace_next has returned 0. */
const char *fp_trace_result_field(const struct fp_trace_reader *reader, const char *key, int index);
bool fp_trace_result_at(const struct fp_trace_reader *reader, int index, const char **key, const char **value);
void fp_trace_free(struct fp_trace_reader *reader);
/* Reads the whole file: 1 if every block is good and the end is there, 0 if it was cut short behind a whole block,
 * -1 with one line in `error` if it is damaged. */
int fp_trace_verify(const char *path, char *error, size_t error_size);

/* xxHash64 of a file's bytes as 16 hex digits (identity of a program); 0, or -1. */
int fp_trace_file_hash(const char *path, char hash[17]);

#endif
