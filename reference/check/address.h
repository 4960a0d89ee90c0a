/* address.h -- one buffer of one call, judged. For reference/check alone. */
#ifndef FP_ADDRESS_H
#define FP_ADDRESS_H

#include "reference/check/check.h"

/* What the call uses the buffer for. Rows: id, its name in a message, must be symmetric, how it is accessed. */
#define FP_ROLE_ROWS(X)                                                                                                \
    X(DEST, "dest", true, FP_WRITE)                                                                                    \
    X(SOURCE, "source", true, FP_READ)                                                                                 \
    X(TARGET, "the target", true, FP_ATOMIC)                                                                           \
    X(SIGNAL, "the signal", true, FP_ATOMIC)                                                                           \
    X(IVAR, "the variable", true, FP_READ)                                                                             \
    X(LOCK, "the lock", true, FP_ATOMIC)                                                                               \
    X(COLL_DEST, "dest", true, FP_WRITE)                                                                               \
    X(COLLECTED, "dest", true, FP_WRITE) /* of a collect, whose size is known when all have come */                    \
    X(COLL_SOURCE, "source", true, FP_READ)                                                                            \
    X(PSYNC, "pSync", true, FP_WRITE)                                                                                  \
    X(PWRK, "pWrk", true, FP_WRITE)                                                                                    \
    X(LOCAL_SOURCE, "source", false, FP_READ)                                                                          \
    X(LOCAL_DEST, "dest", false, FP_WRITE)                                                                             \
    X(FETCH, "fetch", false, FP_WRITE)                                                                                 \
    X(STATUS, "status", false, FP_READ)                                                                                \
    X(INDICES, "indices", false, FP_WRITE)                                                                             \
    X(VALUES, "cmp_values", false, FP_READ)
enum fp_role {
#define FP_ROLE_ROW(id, text, symmetric, kind) FP_ROLE_##id,
    FP_ROLE_ROWS(FP_ROLE_ROW)
#undef FP_ROLE_ROW
};

/* `bytes` is the extent, from the first byte to the last, gaps of a stride included. */
struct fp_buffer {
    const void *address;
    size_t bytes;
    enum fp_role role;
    int pe; /* whose copy the call touches */
    shmem_type_t type;
};

const char *fp_role_text(enum fp_role role);

/* The slow half: judges a buffer that is not known, and reports what is wrong. True: it may be touched. */
bool fp_address_judge(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call);
/* E030, E031. */
void fp_address_misaligned(struct fp_pe *pe, const struct fp_buffer *buffer, size_t align, const shmem_call_t *call);
/* What private memory it is, in words; *rule is the rule against its use as `role`. private.c */
const char *fp_private_kind(struct fp_pe *pe, const void *address, enum fp_role role, const char **rule);

/* A finding about `buffer` with its first access, to be completed. */
void fp_address_finding(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call,
                        enum fp_class class_, const char *rule, struct fp_finding *f);

/* Static object at, or last before, `offset` of the static segment. describe.c */
void fp_describe_static(struct fp_job *job, struct fp_object *object, uint64_t offset);

/* E033: two buffers of a call share memory after translation. */
void fp_overlap_report(struct fp_pe *pe, const struct fp_buffer *a, const struct fp_buffer *b, const shmem_call_t *call,
                       bool partial);

/* Inside a live object that was used before? Each entry is one live block of the PE's heap or one static object. */
static inline bool
fp_known(const struct fp_pe *pe, const void *address, size_t bytes)
{
    for (int i = 0; i < 4; i++) {
        uintptr_t offset = (uintptr_t)address - pe->known[i].lo;
        if (offset < pe->known[i].bytes && bytes <= pe->known[i].bytes - offset)
            return true;
    }
    return false;
}

/* Not in any heap and not a static object of the PE: nothing can be said against it as a local buffer. */
static inline bool
fp_surely_private(const struct fp_pe *pe, const void *address)
{
    const struct fp_job *job = pe->job;
    uintptr_t at = (uintptr_t)address;
    return at - (uintptr_t)job->arena >= (uint64_t)job->npes << job->stride_shift &&
           at - (uintptr_t)pe->static_lo >= (uintptr_t)(pe->static_hi - pe->static_lo) && at >= 65536;
}

/* True: the buffer may be touched. */
static inline bool
fp_address_fine(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call)
{
    if (__builtin_expect(fp_known(pe, buffer->address, buffer->bytes), 1))
        return true;
    if (buffer->role >= FP_ROLE_LOCAL_SOURCE && fp_surely_private(pe, buffer->address))
        return true;
    return fp_address_judge(pe, buffer, call);
}

#endif
