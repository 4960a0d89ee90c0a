/* format.h -- constants of the trace format, for its writer and reader. FORMAT.md is the specification. */
#ifndef FP_TRACE_FORMAT_H
#define FP_TRACE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define TRACE_MAGIC "FPTRACE1"
#define TRACE_MAGIC_BYTES 8
#define TRACE_HEAD_BYTES 17
#define TRACE_PAYLOAD_MAX (16u << 20)
#define TRACE_STORED_MAX (TRACE_PAYLOAD_MAX + (64u << 10))

enum trace_block { TRACE_HEADER = 1, TRACE_CHOICES, TRACE_RESULT, TRACE_END, TRACE_SHAPES, TRACE_RECORDS };
#define TRACE_SHAPES_MAX (1u << 20)

/* Checksum of a block: the 9 bytes of its head before the sum, and the stored bytes. */
uint64_t trace_block_sum(const unsigned char head[TRACE_HEAD_BYTES], const void *stored, size_t bytes);

#endif
