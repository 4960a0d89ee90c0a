/* shmem_generic.h -- the C11 generic names (shmem_put, shmem_atomic_add, shmem_wait_until ...). Included by shmem.h.
 *
 * A generic name looks at its first argument: a pointer to an element type chooses the typed routine; a shmem_ctx_t
 * chooses the routine with a context, by the type of the second argument. Collectives look at dest, which comes after
 * the team. The lists are those of distinct C types: int32_t is int and size_t is unsigned long, so they need no rows
 * of their own, and could have none.
 *
 * A pointer of a type the routine does not exist for ends in a call of shmem_generic_no_such_type, which takes no
 * arguments: "too many arguments" is the compiler's way to say that the type is not supported.
 */
#ifndef SHMEM_GENERIC_H
#define SHMEM_GENERIC_H

void shmem_generic_no_such_type(void);

#define SHMEM_GENERIC_1ST_(first, ...) first
#define SHMEM_GENERIC_2ND_(first, second, ...) second
#define SHMEM_GENERIC_1ST(...) SHMEM_GENERIC_1ST_(__VA_ARGS__, 0)
#define SHMEM_GENERIC_2ND(...) SHMEM_GENERIC_2ND_(__VA_ARGS__, 0, 0)

/* Lists of distinct C types. */
#define SHMEM_GENERIC_RMA(X) SHMEM_C_TYPES(X)
#define SHMEM_GENERIC_STANDARD(X) SHMEM_INT_TYPES(X) SHMEM_UINT_TYPES(X)
#define SHMEM_GENERIC_P2P(X) SHMEM_GENERIC_STANDARD(X) SHMEM_P2P_DEPRECATED_TYPES(X)
#define SHMEM_GENERIC_EXTENDED(X) SHMEM_FLOAT_TYPES(X) SHMEM_GENERIC_STANDARD(X)
#define SHMEM_GENERIC_BITWISE(X) SHMEM_UINT_TYPES(X) SHMEM_INT_WIDTH_TYPES(X)
#define SHMEM_GENERIC_REDUCE_BITWISE(X)                                                                               \
    SHMEM_USMALL_TYPES(X) SHMEM_UINT_TYPES(X) SHMEM_SMALL_WIDTH_TYPES(X) SHMEM_INT_WIDTH_TYPES(X)
#define SHMEM_GENERIC_ARITH(X) SHMEM_C_TYPES(X) SHMEM_COMPLEX_TYPES(X)

/* by_type: the rows of one association list. by_ctx: the same behind a context. */
#define SHMEM_GENERIC_WITH_CTX(list, by_type, by_ctx, ...)                                                            \
    _Generic((SHMEM_GENERIC_1ST(__VA_ARGS__)),                                                                        \
        shmem_ctx_t: _Generic((SHMEM_GENERIC_2ND(__VA_ARGS__)), default: shmem_generic_no_such_type list(by_ctx)),    \
        default: shmem_generic_no_such_type list(by_type))(__VA_ARGS__)
#define SHMEM_GENERIC_FIRST(list, by_type, ...)                                                                       \
    _Generic((SHMEM_GENERIC_1ST(__VA_ARGS__)), default: shmem_generic_no_such_type list(by_type))(__VA_ARGS__)
#define SHMEM_GENERIC_SECOND(list, by_type, ...)                                                                      \
    _Generic((SHMEM_GENERIC_2ND(__VA_ARGS__)), default: shmem_generic_no_such_type list(by_type))(__VA_ARGS__)

/* Remote memory access. */
#define SHMEM_GENERIC_T_put(name, ctype) , ctype *: shmem_##name##_put
#define SHMEM_GENERIC_C_put(name, ctype) , ctype *: shmem_ctx_##name##_put
#define shmem_put(...)                                                                                                \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_put, SHMEM_GENERIC_C_put, __VA_ARGS__)

#define SHMEM_GENERIC_T_p(name, ctype) , ctype *: shmem_##name##_p
#define SHMEM_GENERIC_C_p(name, ctype) , ctype *: shmem_ctx_##name##_p
#define shmem_p(...) SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_p, SHMEM_GENERIC_C_p, __VA_ARGS__)

#define SHMEM_GENERIC_T_iput(name, ctype) , ctype *: shmem_##name##_iput
#define SHMEM_GENERIC_C_iput(name, ctype) , ctype *: shmem_ctx_##name##_iput
#define shmem_iput(...)                                                                                               \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_iput, SHMEM_GENERIC_C_iput, __VA_ARGS__)

#define SHMEM_GENERIC_T_ibput(name, ctype) , ctype *: shmem_##name##_ibput
#define SHMEM_GENERIC_C_ibput(name, ctype) , ctype *: shmem_ctx_##name##_ibput
#define shmem_ibput(...)                                                                                              \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_ibput, SHMEM_GENERIC_C_ibput, __VA_ARGS__)

#define SHMEM_GENERIC_T_get(name, ctype) , ctype *: shmem_##name##_get
#define SHMEM_GENERIC_C_get(name, ctype) , ctype *: shmem_ctx_##name##_get
#define shmem_get(...)                                                                                                \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_get, SHMEM_GENERIC_C_get, __VA_ARGS__)

#define SHMEM_GENERIC_T_g(name, ctype) , ctype *: shmem_##name##_g, const ctype *: shmem_##name##_g
#define SHMEM_GENERIC_C_g(name, ctype) , ctype *: shmem_ctx_##name##_g, const ctype *: shmem_ctx_##name##_g
#define shmem_g(...) SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_g, SHMEM_GENERIC_C_g, __VA_ARGS__)

#define SHMEM_GENERIC_T_iget(name, ctype) , ctype *: shmem_##name##_iget
#define SHMEM_GENERIC_C_iget(name, ctype) , ctype *: shmem_ctx_##name##_iget
#define shmem_iget(...)                                                                                               \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_iget, SHMEM_GENERIC_C_iget, __VA_ARGS__)

#define SHMEM_GENERIC_T_ibget(name, ctype) , ctype *: shmem_##name##_ibget
#define SHMEM_GENERIC_C_ibget(name, ctype) , ctype *: shmem_ctx_##name##_ibget
#define shmem_ibget(...)                                                                                              \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_ibget, SHMEM_GENERIC_C_ibget, __VA_ARGS__)

#define SHMEM_GENERIC_T_put_nbi(name, ctype) , ctype *: shmem_##name##_put_nbi
#define SHMEM_GENERIC_C_put_nbi(name, ctype) , ctype *: shmem_ctx_##name##_put_nbi
#define shmem_put_nbi(...)                                                                                            \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_put_nbi, SHMEM_GENERIC_C_put_nbi, __VA_ARGS__)

#define SHMEM_GENERIC_T_get_nbi(name, ctype) , ctype *: shmem_##name##_get_nbi
#define SHMEM_GENERIC_C_get_nbi(name, ctype) , ctype *: shmem_ctx_##name##_get_nbi
#define shmem_get_nbi(...)                                                                                            \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_get_nbi, SHMEM_GENERIC_C_get_nbi, __VA_ARGS__)

/* Atomic memory operations. */
#define SHMEM_GENERIC_T_atomic_fetch(name, ctype)                                                                     \
    , ctype *: shmem_##name##_atomic_fetch, const ctype *: shmem_##name##_atomic_fetch
#define SHMEM_GENERIC_C_atomic_fetch(name, ctype)                                                                     \
    , ctype *: shmem_ctx_##name##_atomic_fetch, const ctype *: shmem_ctx_##name##_atomic_fetch
#define shmem_atomic_fetch(...)                                                                                       \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_EXTENDED, SHMEM_GENERIC_T_atomic_fetch,                                      \
                           SHMEM_GENERIC_C_atomic_fetch, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_set(name, ctype) , ctype *: shmem_##name##_atomic_set
#define SHMEM_GENERIC_C_atomic_set(name, ctype) , ctype *: shmem_ctx_##name##_atomic_set
#define shmem_atomic_set(...)                                                                                         \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_EXTENDED, SHMEM_GENERIC_T_atomic_set,                                        \
                           SHMEM_GENERIC_C_atomic_set, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_swap(name, ctype) , ctype *: shmem_##name##_atomic_swap
#define SHMEM_GENERIC_C_atomic_swap(name, ctype) , ctype *: shmem_ctx_##name##_atomic_swap
#define shmem_atomic_swap(...)                                                                                        \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_EXTENDED, SHMEM_GENERIC_T_atomic_swap,                                       \
                           SHMEM_GENERIC_C_atomic_swap, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_fetch_nbi(name, ctype) , ctype *: shmem_##name##_atomic_fetch_nbi
#define SHMEM_GENERIC_C_atomic_fetch_nbi(name, ctype) , ctype *: shmem_ctx_##name##_atomic_fetch_nbi
#define shmem_atomic_fetch_nbi(...)                                                                                   \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_EXTENDED, SHMEM_GENERIC_T_atomic_fetch_nbi,                                  \
                           SHMEM_GENERIC_C_atomic_fetch_nbi, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_swap_nbi(name, ctype) , ctype *: shmem_##name##_atomic_swap_nbi
#define SHMEM_GENERIC_C_atomic_swap_nbi(name, ctype) , ctype *: shmem_ctx_##name##_atomic_swap_nbi
#define shmem_atomic_swap_nbi(...)                                                                                    \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_EXTENDED, SHMEM_GENERIC_T_atomic_swap_nbi,                                   \
                           SHMEM_GENERIC_C_atomic_swap_nbi, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_compare_swap(name, ctype) , ctype *: shmem_##name##_atomic_compare_swap
#define SHMEM_GENERIC_C_atomic_compare_swap(name, ctype) , ctype *: shmem_ctx_##name##_atomic_compare_swap
#define shmem_atomic_compare_swap(...)                                                                                \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_atomic_compare_swap,                               \
                           SHMEM_GENERIC_C_atomic_compare_swap, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_fetch_inc(name, ctype) , ctype *: shmem_##name##_atomic_fetch_inc
#define SHMEM_GENERIC_C_atomic_fetch_inc(name, ctype) , ctype *: shmem_ctx_##name##_atomic_fetch_inc
#define shmem_atomic_fetch_inc(...)                                                                                   \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_atomic_fetch_inc,                                  \
                           SHMEM_GENERIC_C_atomic_fetch_inc, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_inc(name, ctype) , ctype *: shmem_##name##_atomic_inc
#define SHMEM_GENERIC_C_atomic_inc(name, ctype) , ctype *: shmem_ctx_##name##_atomic_inc
#define shmem_atomic_inc(...)                                                                                         \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_atomic_inc,                                        \
                           SHMEM_GENERIC_C_atomic_inc, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_fetch_add(name, ctype) , ctype *: shmem_##name##_atomic_fetch_add
#define SHMEM_GENERIC_C_atomic_fetch_add(name, ctype) , ctype *: shmem_ctx_##name##_atomic_fetch_add
#define shmem_atomic_fetch_add(...)                                                                                   \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_atomic_fetch_add,                                  \
                           SHMEM_GENERIC_C_atomic_fetch_add, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_add(name, ctype) , ctype *: shmem_##name##_atomic_add
#define SHMEM_GENERIC_C_atomic_add(name, ctype) , ctype *: shmem_ctx_##name##_atomic_add
#define shmem_atomic_add(...)                                                                                         \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_atomic_add,                                        \
                           SHMEM_GENERIC_C_atomic_add, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_compare_swap_nbi(name, ctype) , ctype *: shmem_##name##_atomic_compare_swap_nbi
#define SHMEM_GENERIC_C_atomic_compare_swap_nbi(name, ctype) , ctype *: shmem_ctx_##name##_atomic_compare_swap_nbi
#define shmem_atomic_compare_swap_nbi(...)                                                                            \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_atomic_compare_swap_nbi,                           \
                           SHMEM_GENERIC_C_atomic_compare_swap_nbi, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_fetch_inc_nbi(name, ctype) , ctype *: shmem_##name##_atomic_fetch_inc_nbi
#define SHMEM_GENERIC_C_atomic_fetch_inc_nbi(name, ctype) , ctype *: shmem_ctx_##name##_atomic_fetch_inc_nbi
#define shmem_atomic_fetch_inc_nbi(...)                                                                               \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_atomic_fetch_inc_nbi,                              \
                           SHMEM_GENERIC_C_atomic_fetch_inc_nbi, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_fetch_add_nbi(name, ctype) , ctype *: shmem_##name##_atomic_fetch_add_nbi
#define SHMEM_GENERIC_C_atomic_fetch_add_nbi(name, ctype) , ctype *: shmem_ctx_##name##_atomic_fetch_add_nbi
#define shmem_atomic_fetch_add_nbi(...)                                                                               \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_atomic_fetch_add_nbi,                              \
                           SHMEM_GENERIC_C_atomic_fetch_add_nbi, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_fetch_and(name, ctype) , ctype *: shmem_##name##_atomic_fetch_and
#define SHMEM_GENERIC_C_atomic_fetch_and(name, ctype) , ctype *: shmem_ctx_##name##_atomic_fetch_and
#define shmem_atomic_fetch_and(...)                                                                                   \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_BITWISE, SHMEM_GENERIC_T_atomic_fetch_and,                                   \
                           SHMEM_GENERIC_C_atomic_fetch_and, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_fetch_or(name, ctype) , ctype *: shmem_##name##_atomic_fetch_or
#define SHMEM_GENERIC_C_atomic_fetch_or(name, ctype) , ctype *: shmem_ctx_##name##_atomic_fetch_or
#define shmem_atomic_fetch_or(...)                                                                                    \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_BITWISE, SHMEM_GENERIC_T_atomic_fetch_or,                                    \
                           SHMEM_GENERIC_C_atomic_fetch_or, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_fetch_xor(name, ctype) , ctype *: shmem_##name##_atomic_fetch_xor
#define SHMEM_GENERIC_C_atomic_fetch_xor(name, ctype) , ctype *: shmem_ctx_##name##_atomic_fetch_xor
#define shmem_atomic_fetch_xor(...)                                                                                   \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_BITWISE, SHMEM_GENERIC_T_atomic_fetch_xor,                                   \
                           SHMEM_GENERIC_C_atomic_fetch_xor, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_and(name, ctype) , ctype *: shmem_##name##_atomic_and
#define SHMEM_GENERIC_C_atomic_and(name, ctype) , ctype *: shmem_ctx_##name##_atomic_and
#define shmem_atomic_and(...)                                                                                         \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_BITWISE, SHMEM_GENERIC_T_atomic_and, SHMEM_GENERIC_C_atomic_and, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_or(name, ctype) , ctype *: shmem_##name##_atomic_or
#define SHMEM_GENERIC_C_atomic_or(name, ctype) , ctype *: shmem_ctx_##name##_atomic_or
#define shmem_atomic_or(...)                                                                                          \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_BITWISE, SHMEM_GENERIC_T_atomic_or, SHMEM_GENERIC_C_atomic_or, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_xor(name, ctype) , ctype *: shmem_##name##_atomic_xor
#define SHMEM_GENERIC_C_atomic_xor(name, ctype) , ctype *: shmem_ctx_##name##_atomic_xor
#define shmem_atomic_xor(...)                                                                                         \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_BITWISE, SHMEM_GENERIC_T_atomic_xor, SHMEM_GENERIC_C_atomic_xor, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_fetch_and_nbi(name, ctype) , ctype *: shmem_##name##_atomic_fetch_and_nbi
#define SHMEM_GENERIC_C_atomic_fetch_and_nbi(name, ctype) , ctype *: shmem_ctx_##name##_atomic_fetch_and_nbi
#define shmem_atomic_fetch_and_nbi(...)                                                                               \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_BITWISE, SHMEM_GENERIC_T_atomic_fetch_and_nbi,                               \
                           SHMEM_GENERIC_C_atomic_fetch_and_nbi, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_fetch_or_nbi(name, ctype) , ctype *: shmem_##name##_atomic_fetch_or_nbi
#define SHMEM_GENERIC_C_atomic_fetch_or_nbi(name, ctype) , ctype *: shmem_ctx_##name##_atomic_fetch_or_nbi
#define shmem_atomic_fetch_or_nbi(...)                                                                                \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_BITWISE, SHMEM_GENERIC_T_atomic_fetch_or_nbi,                                \
                           SHMEM_GENERIC_C_atomic_fetch_or_nbi, __VA_ARGS__)

#define SHMEM_GENERIC_T_atomic_fetch_xor_nbi(name, ctype) , ctype *: shmem_##name##_atomic_fetch_xor_nbi
#define SHMEM_GENERIC_C_atomic_fetch_xor_nbi(name, ctype) , ctype *: shmem_ctx_##name##_atomic_fetch_xor_nbi
#define shmem_atomic_fetch_xor_nbi(...)                                                                               \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_BITWISE, SHMEM_GENERIC_T_atomic_fetch_xor_nbi,                               \
                           SHMEM_GENERIC_C_atomic_fetch_xor_nbi, __VA_ARGS__)

/* Signals. signal_add and signal_set have one type; a context may come first. */
#define SHMEM_GENERIC_T_put_signal(name, ctype) , ctype *: shmem_##name##_put_signal
#define SHMEM_GENERIC_C_put_signal(name, ctype) , ctype *: shmem_ctx_##name##_put_signal
#define shmem_put_signal(...)                                                                                         \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_put_signal, SHMEM_GENERIC_C_put_signal, __VA_ARGS__)

#define SHMEM_GENERIC_T_put_signal_nbi(name, ctype) , ctype *: shmem_##name##_put_signal_nbi
#define SHMEM_GENERIC_C_put_signal_nbi(name, ctype) , ctype *: shmem_ctx_##name##_put_signal_nbi
#define shmem_put_signal_nbi(...)                                                                                     \
    SHMEM_GENERIC_WITH_CTX(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_put_signal_nbi,                                         \
                           SHMEM_GENERIC_C_put_signal_nbi, __VA_ARGS__)

#define shmem_signal_add(...)                                                                                         \
    _Generic((SHMEM_GENERIC_1ST(__VA_ARGS__)), shmem_ctx_t: shmem_ctx_signal_add, default: shmem_signal_add)          \
    (__VA_ARGS__)
#define shmem_signal_set(...)                                                                                         \
    _Generic((SHMEM_GENERIC_1ST(__VA_ARGS__)), shmem_ctx_t: shmem_ctx_signal_set, default: shmem_signal_set)          \
    (__VA_ARGS__)

/* Collectives. */
/* One argument: the team. Four: the deprecated active set, whose routine has this name. */
#define SHMEM_GENERIC_5TH_(a, b, c, d, fifth, ...) fifth
#define shmem_sync(...)                                                                                               \
    SHMEM_GENERIC_5TH_(__VA_ARGS__, shmem_sync, shmem_generic_no_such_type, shmem_generic_no_such_type,               \
                       shmem_team_sync, 0)                                                                            \
    (__VA_ARGS__)

#define SHMEM_GENERIC_T_broadcast(name, ctype) , ctype *: shmem_##name##_broadcast
#define shmem_broadcast(...) SHMEM_GENERIC_SECOND(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_broadcast, __VA_ARGS__)

#define SHMEM_GENERIC_T_collect(name, ctype) , ctype *: shmem_##name##_collect
#define shmem_collect(...) SHMEM_GENERIC_SECOND(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_collect, __VA_ARGS__)

#define SHMEM_GENERIC_T_fcollect(name, ctype) , ctype *: shmem_##name##_fcollect
#define shmem_fcollect(...) SHMEM_GENERIC_SECOND(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_fcollect, __VA_ARGS__)

#define SHMEM_GENERIC_T_alltoall(name, ctype) , ctype *: shmem_##name##_alltoall
#define shmem_alltoall(...) SHMEM_GENERIC_SECOND(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_alltoall, __VA_ARGS__)

#define SHMEM_GENERIC_T_alltoalls(name, ctype) , ctype *: shmem_##name##_alltoalls
#define shmem_alltoalls(...) SHMEM_GENERIC_SECOND(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_alltoalls, __VA_ARGS__)

#define SHMEM_GENERIC_T_and_reduce(name, ctype) , ctype *: shmem_##name##_and_reduce
#define shmem_and_reduce(...)                                                                                         \
    SHMEM_GENERIC_SECOND(SHMEM_GENERIC_REDUCE_BITWISE, SHMEM_GENERIC_T_and_reduce, __VA_ARGS__)

#define SHMEM_GENERIC_T_or_reduce(name, ctype) , ctype *: shmem_##name##_or_reduce
#define shmem_or_reduce(...) SHMEM_GENERIC_SECOND(SHMEM_GENERIC_REDUCE_BITWISE, SHMEM_GENERIC_T_or_reduce, __VA_ARGS__)

#define SHMEM_GENERIC_T_xor_reduce(name, ctype) , ctype *: shmem_##name##_xor_reduce
#define shmem_xor_reduce(...)                                                                                         \
    SHMEM_GENERIC_SECOND(SHMEM_GENERIC_REDUCE_BITWISE, SHMEM_GENERIC_T_xor_reduce, __VA_ARGS__)

#define SHMEM_GENERIC_T_max_reduce(name, ctype) , ctype *: shmem_##name##_max_reduce
#define shmem_max_reduce(...) SHMEM_GENERIC_SECOND(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_max_reduce, __VA_ARGS__)

#define SHMEM_GENERIC_T_min_reduce(name, ctype) , ctype *: shmem_##name##_min_reduce
#define shmem_min_reduce(...) SHMEM_GENERIC_SECOND(SHMEM_GENERIC_RMA, SHMEM_GENERIC_T_min_reduce, __VA_ARGS__)

#define SHMEM_GENERIC_T_sum_reduce(name, ctype) , ctype *: shmem_##name##_sum_reduce
#define shmem_sum_reduce(...) SHMEM_GENERIC_SECOND(SHMEM_GENERIC_ARITH, SHMEM_GENERIC_T_sum_reduce, __VA_ARGS__)

#define SHMEM_GENERIC_T_prod_reduce(name, ctype) , ctype *: shmem_##name##_prod_reduce
#define shmem_prod_reduce(...) SHMEM_GENERIC_SECOND(SHMEM_GENERIC_ARITH, SHMEM_GENERIC_T_prod_reduce, __VA_ARGS__)

#define SHMEM_GENERIC_T_sum_inscan(name, ctype) , ctype *: shmem_##name##_sum_inscan
#define shmem_sum_inscan(...) SHMEM_GENERIC_SECOND(SHMEM_GENERIC_ARITH, SHMEM_GENERIC_T_sum_inscan, __VA_ARGS__)

#define SHMEM_GENERIC_T_sum_exscan(name, ctype) , ctype *: shmem_##name##_sum_exscan
#define shmem_sum_exscan(...) SHMEM_GENERIC_SECOND(SHMEM_GENERIC_ARITH, SHMEM_GENERIC_T_sum_exscan, __VA_ARGS__)

/* Point-to-point synchronisation. */
#define SHMEM_GENERIC_T_wait_until(name, ctype) , ctype *: shmem_##name##_wait_until
#define shmem_wait_until(...) SHMEM_GENERIC_FIRST(SHMEM_GENERIC_P2P, SHMEM_GENERIC_T_wait_until, __VA_ARGS__)

#define SHMEM_GENERIC_T_wait_until_all(name, ctype) , ctype *: shmem_##name##_wait_until_all
#define shmem_wait_until_all(...)                                                                                     \
    SHMEM_GENERIC_FIRST(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_wait_until_all, __VA_ARGS__)

#define SHMEM_GENERIC_T_wait_until_any(name, ctype) , ctype *: shmem_##name##_wait_until_any
#define shmem_wait_until_any(...)                                                                                     \
    SHMEM_GENERIC_FIRST(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_wait_until_any, __VA_ARGS__)

#define SHMEM_GENERIC_T_wait_until_some(name, ctype) , ctype *: shmem_##name##_wait_until_some
#define shmem_wait_until_some(...)                                                                                    \
    SHMEM_GENERIC_FIRST(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_wait_until_some, __VA_ARGS__)

#define SHMEM_GENERIC_T_wait_until_all_vector(name, ctype) , ctype *: shmem_##name##_wait_until_all_vector
#define shmem_wait_until_all_vector(...)                                                                              \
    SHMEM_GENERIC_FIRST(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_wait_until_all_vector, __VA_ARGS__)

#define SHMEM_GENERIC_T_wait_until_any_vector(name, ctype) , ctype *: shmem_##name##_wait_until_any_vector
#define shmem_wait_until_any_vector(...)                                                                              \
    SHMEM_GENERIC_FIRST(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_wait_until_any_vector, __VA_ARGS__)

#define SHMEM_GENERIC_T_wait_until_some_vector(name, ctype) , ctype *: shmem_##name##_wait_until_some_vector
#define shmem_wait_until_some_vector(...)                                                                             \
    SHMEM_GENERIC_FIRST(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_wait_until_some_vector, __VA_ARGS__)

#define SHMEM_GENERIC_T_test(name, ctype) , ctype *: shmem_##name##_test
#define shmem_test(...) SHMEM_GENERIC_FIRST(SHMEM_GENERIC_P2P, SHMEM_GENERIC_T_test, __VA_ARGS__)

#define SHMEM_GENERIC_T_test_all(name, ctype) , ctype *: shmem_##name##_test_all
#define shmem_test_all(...) SHMEM_GENERIC_FIRST(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_test_all, __VA_ARGS__)

#define SHMEM_GENERIC_T_test_any(name, ctype) , ctype *: shmem_##name##_test_any
#define shmem_test_any(...) SHMEM_GENERIC_FIRST(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_test_any, __VA_ARGS__)

#define SHMEM_GENERIC_T_test_some(name, ctype) , ctype *: shmem_##name##_test_some
#define shmem_test_some(...) SHMEM_GENERIC_FIRST(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_test_some, __VA_ARGS__)

#define SHMEM_GENERIC_T_test_all_vector(name, ctype) , ctype *: shmem_##name##_test_all_vector
#define shmem_test_all_vector(...)                                                                                    \
    SHMEM_GENERIC_FIRST(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_test_all_vector, __VA_ARGS__)

#define SHMEM_GENERIC_T_test_any_vector(name, ctype) , ctype *: shmem_##name##_test_any_vector
#define shmem_test_any_vector(...)                                                                                    \
    SHMEM_GENERIC_FIRST(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_test_any_vector, __VA_ARGS__)

#define SHMEM_GENERIC_T_test_some_vector(name, ctype) , ctype *: shmem_##name##_test_some_vector
#define shmem_test_some_vector(...)                                                                                   \
    SHMEM_GENERIC_FIRST(SHMEM_GENERIC_STANDARD, SHMEM_GENERIC_T_test_some_vector, __VA_ARGS__)

/* Older names of atomics (Annex E). */
#define SHMEM_GENERIC_T_fetch(name, ctype) , ctype *: shmem_##name##_fetch, const ctype *: shmem_##name##_fetch
#define shmem_fetch(...) SHMEM_GENERIC_FIRST(SHMEM_AMO_OLD_EXTENDED_TYPES, SHMEM_GENERIC_T_fetch, __VA_ARGS__)

#define SHMEM_GENERIC_T_set(name, ctype) , ctype *: shmem_##name##_set
#define shmem_set(...) SHMEM_GENERIC_FIRST(SHMEM_AMO_OLD_EXTENDED_TYPES, SHMEM_GENERIC_T_set, __VA_ARGS__)

#define SHMEM_GENERIC_T_swap(name, ctype) , ctype *: shmem_##name##_swap
#define shmem_swap(...) SHMEM_GENERIC_FIRST(SHMEM_AMO_OLD_EXTENDED_TYPES, SHMEM_GENERIC_T_swap, __VA_ARGS__)

#define SHMEM_GENERIC_T_cswap(name, ctype) , ctype *: shmem_##name##_cswap
#define shmem_cswap(...) SHMEM_GENERIC_FIRST(SHMEM_AMO_OLD_TYPES, SHMEM_GENERIC_T_cswap, __VA_ARGS__)

#define SHMEM_GENERIC_T_finc(name, ctype) , ctype *: shmem_##name##_finc
#define shmem_finc(...) SHMEM_GENERIC_FIRST(SHMEM_AMO_OLD_TYPES, SHMEM_GENERIC_T_finc, __VA_ARGS__)

#define SHMEM_GENERIC_T_inc(name, ctype) , ctype *: shmem_##name##_inc
#define shmem_inc(...) SHMEM_GENERIC_FIRST(SHMEM_AMO_OLD_TYPES, SHMEM_GENERIC_T_inc, __VA_ARGS__)

#define SHMEM_GENERIC_T_fadd(name, ctype) , ctype *: shmem_##name##_fadd
#define shmem_fadd(...) SHMEM_GENERIC_FIRST(SHMEM_AMO_OLD_TYPES, SHMEM_GENERIC_T_fadd, __VA_ARGS__)

#define SHMEM_GENERIC_T_add(name, ctype) , ctype *: shmem_##name##_add
#define shmem_add(...) SHMEM_GENERIC_FIRST(SHMEM_AMO_OLD_TYPES, SHMEM_GENERIC_T_add, __VA_ARGS__)

#endif
