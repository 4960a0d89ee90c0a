/* record.h -- the recorder for other implementations of OpenSHMEM: between the wrappers (wrap_*.c) and the file.
 *
 * libfencepost_record.so defines shmem_... and calls the implementation's pshmem_... (or, where it has no profiling
 * names, the next shmem_...). Each PE writes a trace of its own, FENCEPOST_RECORD.PE.fptrace; `fencepost trace merge`
 * makes one of them. Only calls are seen: what a plain load or store does, and when a put arrives, is not.
 */
#ifndef TOOLS_RECORD_H
#define TOOLS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/trace.h"

/* Of a call: what the file says once (a shape), then the fields. Texts are literals; "" and NULL: not there. */
struct record_call {
    enum fp_trace_event event;
    const char *name, *op, *type, *amo, *flags, *coll, *reduce, *signal;
    size_t elem;
    const void *site;
};

/* The fields of the next record, and the set of those that count. */
struct record_fields {
    uint64_t given;
    int64_t at[TRACE_F_COUNT];
};
#define RECORD_SET(fields, id, value) ((fields)->given |= TRACE_BIT(id), (fields)->at[TRACE_F_##id] = (int64_t)(value))

/* True in a call that is to be recorded: not one that the implementation makes itself inside of another. Then leave.
 * `site`: where the call returns to. */
bool record_enter(const void *site);
/* The same where nothing can be recorded yet: before the library is initialised. True: the outermost call. */
bool record_begin(const void *site);
void record_leave(void);
/* Monotonic nanoseconds. */
uint64_t record_now(void);

/* Appends a record; `began` and now are its times (began 0: none). */
void record_write(const struct record_call *call, struct record_fields *fields, uint64_t began);
/* Region and offset of an address of this PE. */
void record_place(const void *address, int64_t *region, int64_t *offset);
/* A block of the heap is there, or has gone: its number stays the same on all PEs since allocation is collective. */
void record_born(const struct record_call *call, void *block, size_t bytes, bool zeroed);
void record_died(const struct record_call *call, void *block);
uint32_t record_ctx(const void *ctx);
/* `team`: that of the context, NULL where the implementation knows none. */
void record_ctx_made(const struct record_call *call, const void *ctx, const void *team, long options);
/* The PE of the world that a context calls `pe`. */
int record_ctx_pe(const void *ctx, int pe);
/* The index of the team of these PEs; tells it before its first use. */
int record_team(int start, int stride, int size);
/* The same by its handle; -1 where that is not known. record_team_pe: a member's number in the world. */
int record_team_of(const void *team);
int record_team_pe(const void *team, int pe);
uint64_t record_team_seq(int team);

void record_open(int pe, int npes);
void record_close(void);

/* The implementation's routine of this name; the process ends where there is none. */
void *record_real(const char *name);

#endif
