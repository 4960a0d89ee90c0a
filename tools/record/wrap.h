/* wrap.h -- what the wrappers have in common, see record.h.
 *
 * WRAP(type, name, (parameters), (arguments), before, after) defines shmem_name: `before` and `after` are statements
 * that record the call, and may use `call` (its name and site), `began`, and in `after` the `result`. Contexts are
 * pointers of the implementation's own.
 */
#ifndef TOOLS_RECORD_WRAP_H
#define TOOLS_RECORD_WRAP_H

#include "include/shmem_types.h"
#include "tools/record/record.h"

typedef const void *ctx_pointer;

#define EXPORT __attribute__((visibility("default")))

#define WRAP_START(type, routine_, params)                                                                             \
    static type(*real) params;                                                                                         \
    if (!real)                                                                                                         \
        real = (type(*) params)record_real("shmem_" #routine_);                                                        \
    const struct record_call call = {.name = "shmem_" #routine_, .site = __builtin_return_address(0)};                 \
    bool told = record_enter(call.site);                                                                               \
    uint64_t began = record_now();                                                                                     \
    (void)began;                                                                                                       \
    (void)call

#define WRAP_VOID(routine_, params, args, before, after)                                                               \
    EXPORT void shmem_##routine_ params;                                                                               \
    void shmem_##routine_ params                                                                                       \
    {                                                                                                                  \
        WRAP_START(void, routine_, params);                                                                            \
        if (told) {                                                                                                    \
            before;                                                                                                    \
        }                                                                                                              \
        real args;                                                                                                     \
        if (told) {                                                                                                    \
            after;                                                                                                     \
        }                                                                                                              \
        record_leave();                                                                                                \
    }

#define WRAP(type, routine_, params, args, before, after)                                                              \
    EXPORT type shmem_##routine_ params;                                                                               \
    type shmem_##routine_ params                                                                                       \
    {                                                                                                                  \
        WRAP_START(type, routine_, params);                                                                            \
        if (told) {                                                                                                    \
            before;                                                                                                    \
        }                                                                                                              \
        type result = real args;                                                                                       \
        if (told) {                                                                                                    \
            after;                                                                                                     \
        }                                                                                                              \
        record_leave();                                                                                                \
        return result;                                                                                                 \
    }

/* One operation. Addresses are the caller's; steps in bytes, of single elements where they are not elem. */
struct wrap_op {
    const char *op, *type, *amo, *flags, *signal;
    size_t elem, n;
    ctx_pointer ctx;
    const void *remote, *local;
    ptrdiff_t remote_step, local_step;
    int pe;
    int64_t value;
    const void *signal_at;
    uint64_t signal_value;
};
void wrap_issue(const struct record_call *call, const struct wrap_op *op, uint64_t began);
/* The last operation has returned. */
void wrap_return(const struct record_call *call, uint64_t began);
/* A collective, where it begins and where it ends (TRACE_EV_COLL_ENTER, _LEAVE); `kind` as FORMAT.md has it. */
struct wrap_coll {
    const char *kind, *type, *reduce;
    size_t elem, n;
    const void *dest, *source;
    ptrdiff_t dst, sst;
    int root, team;
    uint64_t seq;
};
void wrap_collective(const struct record_call *call, uint64_t began, const struct wrap_coll *c,
                     enum fp_trace_event event);
/* A meeting of a team: told where it begins, and where it has ended. */
void wrap_enter(const struct record_call *call, uint64_t began, const char *kind, int team, uint64_t seq);
void wrap_leave(const struct record_call *call, uint64_t began, const char *kind, int team, uint64_t seq);
/* The value of `bytes` bytes of an integer, or 0. */
int64_t wrap_value(const void *at, size_t bytes);

#endif
