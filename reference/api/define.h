/* define.h -- how a routine of the API is defined, and what each one does first.
 *
 * A routine is written once: FP_ROUTINE defines pshmem_X and the weak alias shmem_X (clause 10), FP_ROUTINE_CTX also
 * the form with a leading context. Bodies are one call of an untyped function, which gets the name and the return
 * address of the call; no logic is ever generated per type.
 *
 * fp_enter is the one gate: it knows the PE, judges the state of the library (E001, E002), and marks the PE as being
 * inside Fencepost, so that compiler hooks and libc wrappers stand aside. Whoever got a PE from it calls fp_leave.
 */
#ifndef FP_DEFINE_H
#define FP_DEFINE_H

#include "reference/job.h"
#include "shmem.h"

#define FP_EXPORT __attribute__((visibility("default")))

#define FP_ROUTINE(result, name, params)                                                                               \
    FP_EXPORT result pshmem_##name params;                                                                             \
    extern FP_EXPORT result(shmem_##name) params __attribute__((weak, alias("pshmem_" #name)));                        \
    FP_EXPORT result pshmem_##name params

#define FP_CALL(name) ((shmem_call_t){"shmem_" #name, __builtin_return_address(0)})

/* An older name without the prefix (Annex E): pX, and the weak alias X. */
#define FP_OLD_ROUTINE(result, name, params)                                                                           \
    FP_EXPORT result p##name params;                                                                                   \
    extern FP_EXPORT result name params __attribute__((weak, alias("p" #name)));                                       \
    FP_EXPORT result p##name params
#define FP_OLD_CALL(name) ((shmem_call_t){#name, __builtin_return_address(0)})

/* A routine whose body is one statement, which may use `call`. */
#define FP_ROUTINE_IS(result, name, params, statement)                                                                 \
    FP_ROUTINE(result, name, params)                                                                                   \
    {                                                                                                                  \
        const shmem_call_t call = FP_CALL(name);                                                                       \
        statement;                                                                                                     \
    }

#define FP_OLD_ROUTINE_IS(result, name, params, statement)                                                             \
    FP_OLD_ROUTINE(result, name, params)                                                                               \
    {                                                                                                                  \
        const shmem_call_t call = FP_OLD_CALL(name);                                                                   \
        statement;                                                                                                     \
    }

/* The same for calls that contain a quiet: buffers of nonblocking operations below the caller's stack pointer are gone
 * (E092). */
#define FP_ROUTINE_QUIETS(result, name, params, statement)                                                             \
    FP_ROUTINE(result, name, params)                                                                                   \
    {                                                                                                                  \
        const shmem_call_t call = FP_CALL(name);                                                                       \
        fp_note_stack((uintptr_t)__builtin_frame_address(0) + 2 * sizeof(void *));                                     \
        statement;                                                                                                     \
        fp_note_stack(0);                                                                                              \
    }

/* A routine whose statement may use `call` and `ctx`: on the default context, or on both. */
#define FP_ROUTINE_DEFAULT(result, name, statement, ...)                                                               \
    FP_ROUTINE(result, name, (__VA_ARGS__))                                                                            \
    {                                                                                                                  \
        const shmem_call_t call = FP_CALL(name);                                                                       \
        const shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;                                                                     \
        statement;                                                                                                     \
    }
#define FP_ROUTINE_CTX(result, name, statement, ...)                                                                   \
    FP_ROUTINE_DEFAULT(result, name, statement, __VA_ARGS__)                                                           \
    FP_ROUTINE(result, ctx_##name, (shmem_ctx_t ctx, __VA_ARGS__))                                                     \
    {                                                                                                                  \
        const shmem_call_t call = FP_CALL(ctx_##name);                                                                 \
        statement;                                                                                                     \
    }

static inline void
fp_note_stack(uintptr_t pointer)
{
    if (fp_self != NULL)
        fp_self->user_stack = pointer;
}

/* A call that leaves its result in `result`, then the result (0 where the call was refused). */
#define FP_RESULT(ctype, statement)                                                                                    \
    ctype result = (ctype)0;                                                                                           \
    statement;                                                                                                         \
    return result

/* The slow half of fp_enter: wrong state, no PE, or calls are counted. NULL: the call is to do nothing. A thread that
 * is no PE does not come back. */
struct fp_pe *fp_enter_slow(const shmem_call_t *call);
/* --notes: says so if the routine is deprecated. */
void fp_note_old(const shmem_call_t *call);

static inline struct fp_pe *
fp_enter(const shmem_call_t *call)
{
    struct fp_pe *pe = fp_self;

    if (__builtin_expect(pe == NULL || pe->init_count == 0 || pe->counted, 0))
        return fp_enter_slow(call);
    pe->in_runtime = true;
    return pe;
}

static inline void
fp_leave(struct fp_pe *pe)
{
    pe->in_runtime = false;
}

/* For the few calls that are legal in every state: the PE, or NULL for a thread that is none. */
static inline struct fp_pe *
fp_enter_any_state(void)
{
    if (fp_self != NULL)
        fp_self->in_runtime = true;
    return fp_self;
}

#endif
