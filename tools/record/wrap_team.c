/* wrap_team.c -- teams: their collectives, and contexts that count PEs in a team.
 *
 * A team is known by its members, which only Fencepost's own backends can be asked for: before other implementations
 * these calls go through without a record.
 */
#include "tools/record/wrap.h"

typedef const void *team_handle;

#define TEAM_COLLECTIVE(routine_, params, args, ...)                                                                   \
    EXPORT int shmem_##routine_ params;                                                                                \
    int shmem_##routine_ params                                                                                        \
    {                                                                                                                  \
        WRAP_START(int, routine_, params);                                                                             \
        struct wrap_coll c = {__VA_ARGS__};                                                                            \
        if (told) {                                                                                                    \
            c.team = record_team_of(team);                                                                             \
            told = c.team >= 0;                                                                                        \
        }                                                                                                              \
        if (told) {                                                                                                    \
            c.seq = record_team_seq(c.team);                                                                           \
            wrap_collective(&call, began, &c, TRACE_EV_COLL_ENTER);                                                    \
        }                                                                                                              \
        int status = real args;                                                                                        \
        if (told)                                                                                                      \
            wrap_collective(&call, began, &c, TRACE_EV_COLL_LEAVE);                                                    \
        record_leave();                                                                                                \
        return status;                                                                                                 \
    }

#define FLAT(name, T, text, size, what)                                                                                \
    TEAM_COLLECTIVE(name, (team_handle team, T * dest, const T *source, size_t n), (team, dest, source, n),            \
                    .kind = what, .type = text, .elem = size, .n = n, .dest = dest, .source = source)
#define MOVES(prefix, suffix, T, text, size)                                                                           \
    TEAM_COLLECTIVE(prefix##broadcast##suffix, (team_handle team, T * dest, const T *source, size_t n, int root),      \
                    (team, dest, source, n, root), .kind = "broadcast", .type = text, .elem = size, .n = n,            \
                    .dest = dest, .source = source, .root = told ? record_team_pe(team, root) : root)                  \
    FLAT(prefix##collect##suffix, T, text, size, "collect")                                                            \
    FLAT(prefix##fcollect##suffix, T, text, size, "fcollect")                                                          \
    FLAT(prefix##alltoall##suffix, T, text, size, "alltoall")                                                          \
    TEAM_COLLECTIVE(prefix##alltoalls##suffix,                                                                         \
                    (team_handle team, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n),             \
                    (team, dest, source, dst, sst, n), .kind = "alltoalls", .type = text, .elem = size, .n = n,        \
                    .dest = dest, .source = source, .dst = dst, .sst = sst)
#define TYPED(NAME, T) MOVES(NAME##_, , T, #NAME, sizeof(T))
SHMEM_RMA_TYPES(TYPED)
MOVES(, mem, void, "mem", 1)

#define REDUCES(NAME, T, function)                                                                                     \
    TEAM_COLLECTIVE(NAME##_##function##_reduce, (team_handle team, T * dest, const T *source, size_t n),               \
                    (team, dest, source, n), .kind = "reduce", .type = #NAME, .reduce = #function, .elem = sizeof(T),  \
                    .n = n, .dest = dest, .source = source)
#define BITWISE(NAME, T) REDUCES(NAME, T, and) REDUCES(NAME, T, or) REDUCES(NAME, T, xor)
#define MINMAX(NAME, T) REDUCES(NAME, T, min) REDUCES(NAME, T, max)
#define ARITHMETIC(NAME, T) REDUCES(NAME, T, sum) REDUCES(NAME, T, prod)
SHMEM_REDUCE_BITWISE_TYPES(BITWISE)
SHMEM_REDUCE_MINMAX_TYPES(MINMAX)
SHMEM_REDUCE_ARITH_TYPES(ARITHMETIC)

EXPORT int shmem_team_sync(team_handle team);
int
shmem_team_sync(team_handle team)
{
    WRAP_START(int, team_sync, (team_handle));
    int number = told ? record_team_of(team) : -1;
    uint64_t seq = number >= 0 ? record_team_seq(number) : 0;
    if (number >= 0)
        wrap_enter(&call, began, "sync", number, seq);
    int status = real(team);
    if (number >= 0)
        wrap_leave(&call, began, "sync", number, seq);
    record_leave();
    return status;
}

WRAP(int, team_create_ctx, (team_handle team, long options, ctx_pointer *ctx), (team, options, ctx), (void)0,
     if (!result) record_ctx_made(&call, *ctx, team, options))
