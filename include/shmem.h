/* shmem.h -- OpenSHMEM 1.6 for C11 and C++17, as Fencepost provides it.
 *
 * Everything is generated from the type table in shmem_types.h. N below stands for the name of an element type (int,
 * ulonglong, int32, ...), S for a width in bits (8 16 32 64 128). "Symmetric" means: an object from the symmetric heap,
 * or a global or static variable of the program; always named by the caller's own address. What is declared with
 * SHMEM_ROUTINE_CTX exists twice: shmem_X on the default context, shmem_ctx_X with the context as its first argument.
 * In C11 the generic names of shmem_generic.h choose by the type of the pointer and by whether a context comes first.
 *
 *     shmem_init();
 *     long *sum = shmem_calloc(1, sizeof *sum);
 *     shmem_long_atomic_add(sum, shmem_my_pe() + 1, 0);       // an AMO on PE 0's copy
 *     shmem_barrier_all();                                    // completes it, everywhere
 *     if (shmem_my_pe() == 0)
 *         printf("%ld\n", *sum);
 *     shmem_free(sum);
 *     shmem_finalize();
 *
 * When the call may be made: after shmem_init and before the last shmem_finalize, unless the comment says otherwise;
 * by the thread that is the PE. What a routine refuses is reported as a finding (class and rule in brackets), and the
 * call then does nothing. Clauses are those of the OpenSHMEM specification 1.6.
 *
 * pshmem.h declares each routine a second time as pshmem_... (10); that is why the declarations below can be read
 * twice.
 */
#if !defined(SHMEM_H) || defined(SHMEM_ROUTINE)

#ifndef SHMEM_H
#define SHMEM_H

#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
#include <complex>
typedef std::complex<double> shmem_complexd_t;
typedef std::complex<float> shmem_complexf_t;
#define SHMEM_NORETURN [[noreturn]]
#else
#define SHMEM_NORETURN __attribute__((noreturn))
#endif

#include "shmem_types.h"

/* Constants (6). */
#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 6
#define SHMEM_MAX_NAME_LEN 256
#define SHMEM_VENDOR_STRING "Fencepost 0.1.0"

#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

#define SHMEM_CMP_EQ 1
#define SHMEM_CMP_NE 2
#define SHMEM_CMP_GT 3
#define SHMEM_CMP_GE 4
#define SHMEM_CMP_LT 5
#define SHMEM_CMP_LE 6

#define SHMEM_SIGNAL_SET 0
#define SHMEM_SIGNAL_ADD 1

#define SHMEM_CTX_PRIVATE 1L
#define SHMEM_CTX_SERIALIZED 2L
#define SHMEM_CTX_NOSTORE 4L
#define SHMEM_CTX_SESSION_BATCH 1L
#define SHMEM_CTX_SESSION_TOTAL_OPS 1L

#define SHMEM_TEAM_NUM_CONTEXTS 1L

#define SHMEM_MALLOC_ATOMICS_REMOTE 1L
#define SHMEM_MALLOC_SIGNAL_REMOTE 2L

/* Deprecated (Annex E): active sets, and older spellings. Each size is its own, so that an array for another routine is
 * noticed. */
#define SHMEM_SYNC_VALUE 0L
#define SHMEM_BARRIER_SYNC_SIZE 4
#define SHMEM_BCAST_SYNC_SIZE 8
#define SHMEM_ALLTOALL_SYNC_SIZE 12
#define SHMEM_ALLTOALLS_SYNC_SIZE 16
#define SHMEM_COLLECT_SYNC_SIZE 24
#define SHMEM_REDUCE_SYNC_SIZE 32
#define SHMEM_SYNC_SIZE 32 /* the largest */
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 16
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_LE SHMEM_CMP_LE

/* Handles (7): may be assigned and compared, nothing else. They mean something to the PE that made them only. */
typedef struct shmem_ctx_handle *shmem_ctx_t;
typedef struct shmem_team_handle *shmem_team_t;
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)1)
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_TEAM_WORLD ((shmem_team_t)1)
#define SHMEM_TEAM_SHARED ((shmem_team_t)2)
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)

typedef struct shmem_team_config {
    int num_contexts;
} shmem_team_config_t;

typedef struct shmem_ctx_session_config {
    size_t total_ops;
} shmem_ctx_session_config_t;

#endif /* types and constants */

#ifndef SHMEM_ROUTINE
#define SHMEM_ROUTINE(name) shmem_##name
#define SHMEM_OLD_ROUTINE(name) name
#define SHMEM_ROUTINE_IS_OURS
#endif

/* Declares a routine without and with a context. */
#define SHMEM_ROUTINE_CTX(result, name, ...)                                                                          \
    result SHMEM_ROUTINE(name)(__VA_ARGS__);                                                                          \
    result SHMEM_ROUTINE(ctx_##name)(shmem_ctx_t ctx, __VA_ARGS__);

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- Set-up and queries (9.1, 9.2) ------------------------------------------------------------------------------- */

/* init, init_thread: collective over all PEs; may be called before anything else, and again: each needs a matching
 * finalize. init_thread asks for a level SHMEM_THREAD_* and is told in *provided what it got: at most FUNNELED (only
 * the thread that is the PE may call). Returns 0. Refuses: a level that does not exist, provided NULL [usage E007]. */
void SHMEM_ROUTINE(init)(void);
int SHMEM_ROUTINE(init_thread)(int requested, int *provided);
void SHMEM_ROUTINE(query_thread)(int *provided);

/* Collective. Completes the operations on the default context and waits for all PEs; the last one (as many as inits)
 * also ends the library: contexts, teams and heap blocks that are left are reported [leak E133, E160]. Refuses: more
 * finalizes than inits [usage E004]. */
void SHMEM_ROUTINE(finalize)(void);

/* *initialized is 1 between the first init and the last finalize, else 0. At any time. */
void SHMEM_ROUTINE(query_initialized)(int *initialized);

/* Ends the whole job at once with `status`, from any PE; no synchronisation, what is pending may be lost. Never
 * returns. */
SHMEM_NORETURN void SHMEM_ROUTINE(global_exit)(int status);

/* The caller's number in the world team, 0 to n_pes() - 1, and how many there are. */
int SHMEM_ROUTINE(my_pe)(void);
int SHMEM_ROUTINE(n_pes)(void);

/* 1 if `pe` is a PE of this job, or if `addr` is symmetric and reachable on it, else 0. Never refused. */
int SHMEM_ROUTINE(pe_accessible)(int pe);
int SHMEM_ROUTINE(addr_accessible)(const void *addr, int pe);

/* A local address of PE `pe`'s copy of `dest`, for loads and stores only (not a symmetric address), or NULL where
 * there is none: pe out of range, dest not symmetric. team_ptr counts PEs in the team; SHMEM_TEAM_INVALID gives
 * NULL. */
void *SHMEM_ROUTINE(ptr)(const void *dest, int pe);
void *SHMEM_ROUTINE(team_ptr)(shmem_team_t team, const void *dest, int pe);

/* Version of the specification; vendor string, at most SHMEM_MAX_NAME_LEN bytes with its end. */
void SHMEM_ROUTINE(info_get_version)(int *major, int *minor);
void SHMEM_ROUTINE(info_get_name)(char *name);

/* ---- Memory management (9.3) ------------------------------------------------------------------------------------- */

/* All are collective: every PE calls them in the same order with equal arguments [mismatch E150 to E156]. A
 * successful allocation ends with a barrier, so the block exists on every PE when it returns; free begins with one
 * (default context). Sizes in bytes. Size 0: NULL, no barrier. No room: NULL on every PE. A block of malloc has
 * undefined contents, of calloc zeros. realloc keeps the first min(old, new) bytes and makes the old pointer stale;
 * realloc(NULL, n) is malloc(n), realloc(p, 0) is free(p). align: `alignment` is a power of two and a multiple of
 * sizeof(void *) [E158]. free(NULL) does nothing. hints never change the meaning. */
void *SHMEM_ROUTINE(malloc)(size_t size);
void *SHMEM_ROUTINE(calloc)(size_t count, size_t size);
void *SHMEM_ROUTINE(align)(size_t alignment, size_t size);
void *SHMEM_ROUTINE(malloc_with_hints)(size_t size, long hints);
void *SHMEM_ROUTINE(realloc)(void *ptr, size_t size);
void SHMEM_ROUTINE(free)(void *ptr);

/* ---- Teams (9.4) ------------------------------------------------------------------------------------------------- */

/* The caller's number in the team and its size; -1 for SHMEM_TEAM_INVALID. translate_pe: the number in `dest_team` of
 * PE `src_pe` of `src_team`; -1 if it is in only one of them. Refuses: a handle that names no team [usage E115].
 * SHMEM_TEAM_SHARED are the PEs between which shmem_ptr works: all of them, as long as the network description does
 * not split the PEs over nodes. */
int SHMEM_ROUTINE(team_my_pe)(shmem_team_t team);
int SHMEM_ROUTINE(team_n_pes)(shmem_team_t team);
int SHMEM_ROUTINE(team_translate_pe)(shmem_team_t src_team, int src_pe, shmem_team_t dest_team);
/* Copies the fields of the configuration that config_mask names. 0, or nonzero for SHMEM_TEAM_INVALID. Refuses:
 * config NULL with a mask that is not 0 [usage E124]. */
int SHMEM_ROUTINE(team_get_config)(shmem_team_t team, long config_mask, shmem_team_config_t *config);

/* split: collective over the parent, with equal arguments [mismatch E122]; the configurations of one new team are
 * equal too [mismatch E123]. strided: member i of the new team is PE start + stride * i of the parent; a stride may be
 * negative, 0 for one PE only [usage E121]. 2d: PE k of the parent gets the team of its row (equal k / xrange, in order
 * of k % xrange) and of its column; xrange >= 1 [usage E122], larger than the parent counts as the parent's size. Who
 * is no member gets SHMEM_TEAM_INVALID. Return 0; nonzero with SHMEM_TEAM_INVALID everywhere if the arguments are
 * refused, the parent is SHMEM_TEAM_INVALID, or there is no room. num_contexts is a wish, which get_config tells.
 *
 * destroy: collective over the team; completes and destroys its contexts, but private ones must be gone [usage E118].
 * SHMEM_TEAM_INVALID does nothing. Refuses: a predefined team [usage E117]. A team is used by its members [usage E114]
 * and not after its end [lifetime E116]; one that is left at the last finalize is reported [leak E134]. */
int SHMEM_ROUTINE(team_split_strided)(shmem_team_t parent_team, int start, int stride, int size,
                                      const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team);
int SHMEM_ROUTINE(team_split_2d)(shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config,
                                 long xaxis_mask, shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config,
                                 long yaxis_mask, shmem_team_t *yaxis_team);
void SHMEM_ROUTINE(team_destroy)(shmem_team_t team);

/* ---- Contexts (9.5) ---------------------------------------------------------------------------------------------- */

/* A context is a stream of operations with its own order and completion. Not collective. options: 0 or a union of
 * SHMEM_CTX_PRIVATE, _SERIALIZED, _NOSTORE. Operations on a team's context count PEs in the team. Returns 0, or
 * nonzero with *ctx = SHMEM_CTX_INVALID (team is SHMEM_TEAM_INVALID). destroy: quiets the context first;
 * SHMEM_CTX_INVALID does nothing. Refuses: destroying the default context [usage E130], a handle already destroyed
 * [lifetime E129], a handle that never was one [usage E128]. */
int SHMEM_ROUTINE(ctx_create)(long options, shmem_ctx_t *ctx);
int SHMEM_ROUTINE(team_create_ctx)(shmem_team_t team, long options, shmem_ctx_t *ctx);
void SHMEM_ROUTINE(ctx_destroy)(shmem_ctx_t ctx);
int SHMEM_ROUTINE(ctx_get_team)(shmem_ctx_t ctx, shmem_team_t *team);

/* Hints about a run of operations on a context (9.9): they change no order and no completion; here they do nothing. */
void SHMEM_ROUTINE(ctx_session_start)(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config,
                                      long config_mask);
void SHMEM_ROUTINE(ctx_session_stop)(shmem_ctx_t ctx);

/* ---- Remote memory access (9.6) ---------------------------------------------------------------------------------- */

/* All refuse: a PE outside the context's team [usage E027], a remote address that is not symmetric or leaves its
 * object [bad-address E020 to E024], dead blocks [lifetime E025, E026], lengths that overflow [usage E037], invalid
 * contexts [usage E128]. nelems in elements of T, of S bits, or in bytes (mem). nelems 0 moves nothing.
 *
 * put, p: source may be reused on return; `dest` at the PE is written any time up to the quiet that completes it, in
 *     any order.
 * get, g: the data is there on return.
 * iput, iget: element i goes from source[i * sst] to dest[i * dst]; strides in elements, >= 1 [usage E035].
 * ibput, ibget: nblocks blocks of bsize elements; strides in elements between the starts of blocks, >= bsize
 *     [usage E035].
 * put_nbi, get_nbi: return at once; source and dest stay in use until quiet. */
#define SHMEM_DECLARE(name, ctype)                                                                                    \
    SHMEM_ROUTINE_CTX(void, name##_put, ctype *dest, const ctype *source, size_t nelems, int pe)                      \
    SHMEM_ROUTINE_CTX(void, name##_p, ctype *dest, ctype value, int pe)                                               \
    SHMEM_ROUTINE_CTX(void, name##_iput, ctype *dest, const ctype *source, ptrdiff_t dst, ptrdiff_t sst,              \
                      size_t nelems, int pe)                                                                          \
    SHMEM_ROUTINE_CTX(void, name##_ibput, ctype *dest, const ctype *source, ptrdiff_t dst, ptrdiff_t sst,             \
                      size_t bsize, size_t nblocks, int pe)                                                           \
    SHMEM_ROUTINE_CTX(void, name##_get, ctype *dest, const ctype *source, size_t nelems, int pe)                      \
    SHMEM_ROUTINE_CTX(ctype, name##_g, const ctype *source, int pe)                                                   \
    SHMEM_ROUTINE_CTX(void, name##_iget, ctype *dest, const ctype *source, ptrdiff_t dst, ptrdiff_t sst,              \
                      size_t nelems, int pe)                                                                          \
    SHMEM_ROUTINE_CTX(void, name##_ibget, ctype *dest, const ctype *source, ptrdiff_t dst, ptrdiff_t sst,             \
                      size_t bsize, size_t nblocks, int pe)                                                           \
    SHMEM_ROUTINE_CTX(void, name##_put_nbi, ctype *dest, const ctype *source, size_t nelems, int pe)                  \
    SHMEM_ROUTINE_CTX(void, name##_get_nbi, ctype *dest, const ctype *source, size_t nelems, int pe)
SHMEM_RMA_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE

#define SHMEM_DECLARE(bits)                                                                                           \
    SHMEM_ROUTINE_CTX(void, put##bits, void *dest, const void *source, size_t nelems, int pe)                         \
    SHMEM_ROUTINE_CTX(void, iput##bits, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,  \
                      int pe)                                                                                         \
    SHMEM_ROUTINE_CTX(void, ibput##bits, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,  \
                      size_t nblocks, int pe)                                                                         \
    SHMEM_ROUTINE_CTX(void, get##bits, void *dest, const void *source, size_t nelems, int pe)                         \
    SHMEM_ROUTINE_CTX(void, iget##bits, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,  \
                      int pe)                                                                                         \
    SHMEM_ROUTINE_CTX(void, ibget##bits, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,  \
                      size_t nblocks, int pe)                                                                         \
    SHMEM_ROUTINE_CTX(void, put##bits##_nbi, void *dest, const void *source, size_t nelems, int pe)                   \
    SHMEM_ROUTINE_CTX(void, get##bits##_nbi, void *dest, const void *source, size_t nelems, int pe)
SHMEM_SIZES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
SHMEM_ROUTINE_CTX(void, putmem, void *dest, const void *source, size_t nelems, int pe)
SHMEM_ROUTINE_CTX(void, getmem, void *dest, const void *source, size_t nelems, int pe)
SHMEM_ROUTINE_CTX(void, putmem_nbi, void *dest, const void *source, size_t nelems, int pe)
SHMEM_ROUTINE_CTX(void, getmem_nbi, void *dest, const void *source, size_t nelems, int pe)

/* ---- Atomic memory operations (9.7) ------------------------------------------------------------------------------ */

/* One indivisible step on PE `pe`'s copy of dest, atomic against AMOs of the same type and against wait and test;
 * never against put, get, load or store. Integers wrap. The fetching forms return the old value, so they have
 * happened on return; the others may happen up to quiet. The nbi forms write the old value to *fetch by the quiet
 * that completes them. Refuses: as RMA. */
#define SHMEM_DECLARE(name, ctype)                                                                                    \
    SHMEM_ROUTINE_CTX(ctype, name##_atomic_fetch, const ctype *source, int pe)                                        \
    SHMEM_ROUTINE_CTX(void, name##_atomic_set, ctype *dest, ctype value, int pe)                                      \
    SHMEM_ROUTINE_CTX(ctype, name##_atomic_swap, ctype *dest, ctype value, int pe)                                    \
    SHMEM_ROUTINE_CTX(void, name##_atomic_fetch_nbi, ctype *fetch, const ctype *source, int pe)                       \
    SHMEM_ROUTINE_CTX(void, name##_atomic_swap_nbi, ctype *fetch, ctype *dest, ctype value, int pe)
SHMEM_AMO_EXTENDED_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
#define SHMEM_DECLARE(name, ctype)                                                                                    \
    SHMEM_ROUTINE_CTX(ctype, name##_atomic_compare_swap, ctype *dest, ctype cond, ctype value, int pe)                \
    SHMEM_ROUTINE_CTX(ctype, name##_atomic_fetch_inc, ctype *dest, int pe)                                            \
    SHMEM_ROUTINE_CTX(void, name##_atomic_inc, ctype *dest, int pe)                                                   \
    SHMEM_ROUTINE_CTX(ctype, name##_atomic_fetch_add, ctype *dest, ctype value, int pe)                               \
    SHMEM_ROUTINE_CTX(void, name##_atomic_add, ctype *dest, ctype value, int pe)                                      \
    SHMEM_ROUTINE_CTX(void, name##_atomic_compare_swap_nbi, ctype *fetch, ctype *dest, ctype cond, ctype value,       \
                      int pe)                                                                                         \
    SHMEM_ROUTINE_CTX(void, name##_atomic_fetch_inc_nbi, ctype *fetch, ctype *dest, int pe)                           \
    SHMEM_ROUTINE_CTX(void, name##_atomic_fetch_add_nbi, ctype *fetch, ctype *dest, ctype value, int pe)
SHMEM_AMO_STANDARD_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
#define SHMEM_DECLARE(name, ctype)                                                                                    \
    SHMEM_ROUTINE_CTX(ctype, name##_atomic_fetch_and, ctype *dest, ctype value, int pe)                               \
    SHMEM_ROUTINE_CTX(ctype, name##_atomic_fetch_or, ctype *dest, ctype value, int pe)                                \
    SHMEM_ROUTINE_CTX(ctype, name##_atomic_fetch_xor, ctype *dest, ctype value, int pe)                               \
    SHMEM_ROUTINE_CTX(void, name##_atomic_and, ctype *dest, ctype value, int pe)                                      \
    SHMEM_ROUTINE_CTX(void, name##_atomic_or, ctype *dest, ctype value, int pe)                                       \
    SHMEM_ROUTINE_CTX(void, name##_atomic_xor, ctype *dest, ctype value, int pe)                                      \
    SHMEM_ROUTINE_CTX(void, name##_atomic_fetch_and_nbi, ctype *fetch, ctype *dest, ctype value, int pe)              \
    SHMEM_ROUTINE_CTX(void, name##_atomic_fetch_or_nbi, ctype *fetch, ctype *dest, ctype value, int pe)               \
    SHMEM_ROUTINE_CTX(void, name##_atomic_fetch_xor_nbi, ctype *fetch, ctype *dest, ctype value, int pe)
SHMEM_AMO_BITWISE_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE

/* ---- Signals (9.8) ----------------------------------------------------------------------------------------------- */

/* put_signal: a put, then an atomic update of the signal at the same PE: who sees the update has the data of *this*
 * call, nothing else. sig_op is SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD [usage E039]. nelems 0 still sends the signal.
 * dest and sig_addr may not overlap [E033]. The nbi form keeps source in use until quiet. signal_set, signal_add: the
 * update alone, at PE `pe`. signal_fetch: atomic read of the caller's own signal. */
#define SHMEM_DECLARE_SIGNAL(name, type)                                                                              \
    SHMEM_ROUTINE_CTX(void, name##_signal, type *dest, const type *source, size_t nelems, uint64_t *sig_addr,         \
                      uint64_t signal, int sig_op, int pe)                                                            \
    SHMEM_ROUTINE_CTX(void, name##_signal_nbi, type *dest, const type *source, size_t nelems, uint64_t *sig_addr,     \
                      uint64_t signal, int sig_op, int pe)
#define SHMEM_DECLARE(name, ctype) SHMEM_DECLARE_SIGNAL(name##_put, ctype)
SHMEM_RMA_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
#define SHMEM_DECLARE(bits) SHMEM_DECLARE_SIGNAL(put##bits, void)
SHMEM_SIZES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
SHMEM_DECLARE_SIGNAL(putmem, void)
#undef SHMEM_DECLARE_SIGNAL
SHMEM_ROUTINE_CTX(void, signal_add, uint64_t *sig_addr, uint64_t signal, int pe)
SHMEM_ROUTINE_CTX(void, signal_set, uint64_t *sig_addr, uint64_t signal, int pe)
uint64_t SHMEM_ROUTINE(signal_fetch)(const uint64_t *sig_addr);

/* ---- Collectives (9.10) ------------------------------------------------------------------------------------------ */

/* Every member of the team calls, in the same order, with equal arguments [mismatch E110, E111]. dest and source are
 * symmetric, the same on all members, and disjoint (reductions and scans also work in place). Before a PE calls, dest
 * must be free on *all* members; after return only the caller's own dest and source are settled. They complete no
 * RMA. Sizes in elements (mem: bytes). Return 0.
 *
 * barrier_all: completes the caller's operations on the default context, then waits for all PEs.
 * sync_all, team_sync: only wait.
 * broadcast: source of PE_root (its number in the team) [usage E125] to dest of every member, the root included.
 * collect: dest is the concatenation in team order; nelems may differ. fcollect: nelems is equal.
 * alltoall: block k of source goes to block (own number) of dest at member k; alltoalls: with strides >= 1
 *     [usage E035].
 * reductions: left to right in team order, so results of floating types are reproducible. Integers wrap.
 * sum_inscan, sum_exscan: prefix sums in team order; exscan leaves 0 on the first. */
void SHMEM_ROUTINE(barrier_all)(void);
void SHMEM_ROUTINE(sync_all)(void);
int SHMEM_ROUTINE(team_sync)(shmem_team_t team);
#define SHMEM_DECLARE(name, ctype)                                                                                    \
    int SHMEM_ROUTINE(name##_broadcast)(shmem_team_t team, ctype *dest, const ctype *source, size_t nelems,           \
                                        int PE_root);                                                                 \
    int SHMEM_ROUTINE(name##_collect)(shmem_team_t team, ctype *dest, const ctype *source, size_t nelems);            \
    int SHMEM_ROUTINE(name##_fcollect)(shmem_team_t team, ctype *dest, const ctype *source, size_t nelems);           \
    int SHMEM_ROUTINE(name##_alltoall)(shmem_team_t team, ctype *dest, const ctype *source, size_t nelems);           \
    int SHMEM_ROUTINE(name##_alltoalls)(shmem_team_t team, ctype *dest, const ctype *source, ptrdiff_t dst,           \
                                        ptrdiff_t sst, size_t nelems);
SHMEM_RMA_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
int SHMEM_ROUTINE(broadcastmem)(shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root);
int SHMEM_ROUTINE(collectmem)(shmem_team_t team, void *dest, const void *source, size_t nelems);
int SHMEM_ROUTINE(fcollectmem)(shmem_team_t team, void *dest, const void *source, size_t nelems);
int SHMEM_ROUTINE(alltoallmem)(shmem_team_t team, void *dest, const void *source, size_t nelems);
int SHMEM_ROUTINE(alltoallsmem)(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                                size_t nelems);

#define SHMEM_DECLARE(name, ctype)                                                                                    \
    int SHMEM_ROUTINE(name##_and_reduce)(shmem_team_t team, ctype *dest, const ctype *source, size_t nreduce);        \
    int SHMEM_ROUTINE(name##_or_reduce)(shmem_team_t team, ctype *dest, const ctype *source, size_t nreduce);         \
    int SHMEM_ROUTINE(name##_xor_reduce)(shmem_team_t team, ctype *dest, const ctype *source, size_t nreduce);
SHMEM_REDUCE_BITWISE_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
#define SHMEM_DECLARE(name, ctype)                                                                                    \
    int SHMEM_ROUTINE(name##_max_reduce)(shmem_team_t team, ctype *dest, const ctype *source, size_t nreduce);        \
    int SHMEM_ROUTINE(name##_min_reduce)(shmem_team_t team, ctype *dest, const ctype *source, size_t nreduce);
SHMEM_REDUCE_MINMAX_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
#define SHMEM_DECLARE(name, ctype)                                                                                    \
    int SHMEM_ROUTINE(name##_sum_reduce)(shmem_team_t team, ctype *dest, const ctype *source, size_t nreduce);        \
    int SHMEM_ROUTINE(name##_prod_reduce)(shmem_team_t team, ctype *dest, const ctype *source, size_t nreduce);       \
    int SHMEM_ROUTINE(name##_sum_inscan)(shmem_team_t team, ctype *dest, const ctype *source, size_t nelems);         \
    int SHMEM_ROUTINE(name##_sum_exscan)(shmem_team_t team, ctype *dest, const ctype *source, size_t nelems);
SHMEM_REDUCE_ARITH_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE

/* ---- Point-to-point synchronisation (9.11) ----------------------------------------------------------------------- */

/* Wait until, or test whether, the caller's own copy of ivar satisfies cmp (SHMEM_CMP_* [usage E038]) against a
 * value. What updates it should be an AMO or a signal. A success orders everything the updating PE had ordered before
 * its update ahead of what the caller does next. status: NULL, or nelems flags, nonzero excludes the element.
 *
 * wait_until_all, test_all: every element; an empty set is satisfied.
 * wait_until_any, test_any: an index that satisfies; SIZE_MAX for an empty set, test also for none.
 * wait_until_some, test_some: how many satisfy, their indices in `indices`; 0 for an empty set, test also for none.
 * _vector: element i is compared with cmp_values[i]. */
#define SHMEM_DECLARE(name, ctype)                                                                                    \
    void SHMEM_ROUTINE(name##_wait_until)(ctype *ivar, int cmp, ctype cmp_value);                                     \
    void SHMEM_ROUTINE(name##_wait_until_all)(ctype *ivars, size_t nelems, const int *status, int cmp,                \
                                              ctype cmp_value);                                                       \
    size_t SHMEM_ROUTINE(name##_wait_until_any)(ctype *ivars, size_t nelems, const int *status, int cmp,              \
                                                ctype cmp_value);                                                     \
    size_t SHMEM_ROUTINE(name##_wait_until_some)(ctype *ivars, size_t nelems, size_t *indices, const int *status,     \
                                                 int cmp, ctype cmp_value);                                           \
    void SHMEM_ROUTINE(name##_wait_until_all_vector)(ctype *ivars, size_t nelems, const int *status, int cmp,         \
                                                     const ctype *cmp_values);                                        \
    size_t SHMEM_ROUTINE(name##_wait_until_any_vector)(ctype *ivars, size_t nelems, const int *status, int cmp,       \
                                                       const ctype *cmp_values);                                      \
    size_t SHMEM_ROUTINE(name##_wait_until_some_vector)(ctype *ivars, size_t nelems, size_t *indices,                 \
                                                        const int *status, int cmp, const ctype *cmp_values);         \
    int SHMEM_ROUTINE(name##_test)(ctype *ivar, int cmp, ctype cmp_value);                                            \
    int SHMEM_ROUTINE(name##_test_all)(ctype *ivars, size_t nelems, const int *status, int cmp, ctype cmp_value);     \
    size_t SHMEM_ROUTINE(name##_test_any)(ctype *ivars, size_t nelems, const int *status, int cmp, ctype cmp_value);  \
    size_t SHMEM_ROUTINE(name##_test_some)(ctype *ivars, size_t nelems, size_t *indices, const int *status, int cmp,  \
                                           ctype cmp_value);                                                          \
    int SHMEM_ROUTINE(name##_test_all_vector)(ctype *ivars, size_t nelems, const int *status, int cmp,                \
                                              const ctype *cmp_values);                                               \
    size_t SHMEM_ROUTINE(name##_test_any_vector)(ctype *ivars, size_t nelems, const int *status, int cmp,             \
                                                 const ctype *cmp_values);                                            \
    size_t SHMEM_ROUTINE(name##_test_some_vector)(ctype *ivars, size_t nelems, size_t *indices, const int *status,    \
                                                  int cmp, const ctype *cmp_values);
SHMEM_P2P_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
/* Waits on the caller's own signal; returns the value that satisfied the condition. */
uint64_t SHMEM_ROUTINE(signal_wait_until)(uint64_t *sig_addr, int cmp, uint64_t cmp_value);

/* ---- Ordering (9.12) --------------------------------------------------------------------------------------------- */

/* fence: for each PE, what the caller issued to it on the context before is delivered before what it issues after.
 *     Completes nothing.
 * quiet: everything issued on the context before is complete and visible to all PEs, nonblocking buffers are free.
 * pe_quiet: the same for operations to the listed PEs (numbers in the context's team); npes 0 does nothing.
 * SHMEM_CTX_INVALID: they do nothing. */
void SHMEM_ROUTINE(fence)(void);
void SHMEM_ROUTINE(ctx_fence)(shmem_ctx_t ctx);
void SHMEM_ROUTINE(quiet)(void);
void SHMEM_ROUTINE(ctx_quiet)(shmem_ctx_t ctx);
SHMEM_ROUTINE_CTX(void, pe_quiet, const int *target_pes, size_t npes)

/* ---- Locks (9.13) ------------------------------------------------------------------------------------------------ */

/* A lock is a symmetric long, 0 on every PE before its first use, and nobody's business after that [E084]. set_lock
 * waits, first come first served; test_lock returns 0 if it took the lock, 1 if another holds it. clear_lock quiets
 * the default context, then hands the lock on. Refuses: set or test by the holder [usage E180], clear by another
 * [usage E181]. */
void SHMEM_ROUTINE(set_lock)(long *lock);
void SHMEM_ROUTINE(clear_lock)(long *lock);
int SHMEM_ROUTINE(test_lock)(long *lock);

/* ---- Profiling (10) ---------------------------------------------------------------------------------------------- */

/* Does nothing here; a profiling tool may interpose it. */
void SHMEM_ROUTINE(pcontrol)(int level, ...);

#include "shmem_deprecated.h"

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#undef SHMEM_ROUTINE_CTX

#ifdef SHMEM_ROUTINE_IS_OURS
#undef SHMEM_ROUTINE_IS_OURS
#undef SHMEM_ROUTINE
#undef SHMEM_OLD_ROUTINE
#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#include "shmem_generic.h"
#endif
#ifdef __cplusplus
#include "shmem_complex.h"
#endif
#endif

#endif
