/* story.h -- a trace as a story: one row a call or plain access, with where and when it ended.
 *
 * The records of a trace are small steps in the order in which they happened: an operation's issue, the arrival of each
 * piece, the quiet that completed it. Here they are put together again, for those who draw: `fencepost trace export`.
 *
 * Two axes. `order` counts records: what stands first happened first. `time` is the recorded clock, by which a delivery
 * is when the network's clock has it. A chooser that does not go by the clock may carry it out later; so two accesses
 * that nothing orders can stand one way on the one axis and the other way on the other. That is what a race is.
 */
#ifndef TOOLS_STORY_H
#define TOOLS_STORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorts of rows; those up to INNER are operations. */
#define STORY_KINDS(X)                                                                                                 \
    X(PUT, "put")                                                                                                      \
    X(GET, "get")                                                                                                      \
    X(ATOMIC, "atomic")                                                                                                \
    X(SIGNAL, "signal")                                                                                                \
    X(INNER, "inner")                                                                                                  \
    X(FENCE, "fence") X(QUIET, "quiet") X(WAIT, "wait") X(SYNC, "sync") X(COLL, "coll") X(LOCK, "lock")                \
        X(HEAP, "heap") X(LOAD, "load") X(STORE, "store")
enum story_kind {
#define STORY_KIND(id, text) STORY_##id,
    STORY_KINDS(STORY_KIND)
#undef STORY_KIND
        STORY_KIND_COUNT
};
const char *story_kind_name(enum story_kind kind);
struct fp_trace_shape;
/* Of the rows that records of this shape make. */
enum story_kind story_kind_of(const struct fp_trace_shape *shape);

enum { STORY_DELIVERED = 1, STORY_COMPLETE = 2, STORY_OPEN = 4, STORY_FETCH = 8 };
/* OPEN: the call had not returned at the end. FETCH: bytes come from the target: a get, also one inside a collective */

/* The places of a row on one axis. What did not happen stands at the end of the call. */
struct story_span {
    int64_t begin, end;  /* of the call */
    int64_t first, last; /* of an operation: first and last piece delivered */
    int64_t done;        /* complete at its origin */
};

struct story_row {
    uint8_t kind, flags;
    uint32_t pe, name, site, object; /* the last three into the lists of the story */
    int32_t target;                  /* of an operation, else -1 */
    uint32_t region, local_region;   /* of the trace */
    uint64_t bytes, reach;           /* bytes moved; from the first byte to behind the last */
    int64_t offset;                  /* in the object */
    int64_t at, local_at;            /* in the region */
    struct story_span time, order;
};

struct story_site {
    uint64_t site;
    const char *function, *file;
    int line;
};

#define STORY_ACCESSES 8
struct story_access {
    int pe;
    uint64_t site;
    const char *kind, *op, *source; /* source: "" where not recorded */
    int64_t row;                    /* -1: it is not among the rows */
    bool local;                     /* of an operation: at its own side */
};
struct story_finding {
    const char *class_, *message, *rule, *repair;
    const char *object; /* "" : none */
    int object_pe;
    uint64_t object_offset, object_bytes;
    struct story_access accesses[STORY_ACCESSES];
    int naccesses;
    uint64_t record; /* it was found right after this one; 0: unknown */
};

struct story {
    const char *path;
    struct fp_trace_reader *trace; /* header and result live in it */
    bool ended;                    /* the trace has its end */
    int npes;
    struct story_row *rows;
    uint64_t nrows, rows_cap;
    const char **names, **objects; /* [0] is "" in both */
    uint32_t nnames, nobjects;
    struct story_site *sites; /* sorted by site */
    uint32_t nsites;
    struct story_finding *findings;
    int nfindings, findings_left; /* kept; further ones */
    uint64_t records, operations, plain, plain_left, rows_left;
    int64_t end; /* greatest time */
    struct story_words *words;
};

/* Reads the trace. 0; or -1 with one line in `error`, with what is good in the story if it has begun (npes > 0). */
int story_read(struct story *story, const char *path, char *error, size_t error_size);
void story_free(struct story *story);
/* The place of a site, or NULL. */
const struct story_site *story_site(const struct story *story, uint64_t site);

#endif
