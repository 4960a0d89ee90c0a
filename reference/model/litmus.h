/* litmus.h -- a litmus test as it stands in its file (tests/litmus/FORMAT.md).
 *
 * Everything has a small fixed bound: an oracle that enumerates executions has no use for long programs. The reader
 * refuses what goes beyond a bound, so that nobody else has to look.
 */
#ifndef FP_MODEL_LITMUS_H
#define FP_MODEL_LITMUS_H

#include <stdbool.h>
#include <stdint.h>

#include "fencepost_litmus.h"
#include "reference/order.h"

enum {
    LIT_PES = 8,
    LIT_THREADS = 8,
    LIT_OPS = 64,
    LIT_OBJECTS = 24,
    LIT_ELEMENTS = 8,    /* of one object */
    LIT_LOCATIONS = 256, /* elements of all copies */
    LIT_REGISTERS = 48,
    LIT_CONTEXTS = 8,
    LIT_TEAMS = 8,
    LIT_NODES = 64,      /* of a condition */
    LIT_SEEN = 64,       /* observed: registers and locations */
    LIT_OUTCOMES = 4096, /* in one expectation */
    LIT_NAME = 32
};

/* Element types. Row: name in a file, C type, bytes, signed, TYPENAME of the routines. */
#define LIT_TYPE_ROWS(X)                                                                                               \
    X(long, "long", 8, true)                                                                                           \
    X(int, "int", 4, true)                                                                                             \
    X(short, "short", 2, true)                                                                                         \
    X(uint64, "uint64_t", 8, false)
enum lit_type {
#define LIT_TYPE_ROW(name, ctype, bytes, is_signed) LIT_TYPE_##name,
    LIT_TYPE_ROWS(LIT_TYPE_ROW)
#undef LIT_TYPE_ROW
        LIT_TYPES
};
extern const struct lit_type_row {
    const char *name, *ctype;
    int bytes;
    bool is_signed;
} lit_types[LIT_TYPES];

enum lit_kind {
    LIT_PUT,
    LIT_GET,
    LIT_AMO,
    LIT_SIG, /* put_signal */
    LIT_WAIT,
    LIT_TEST,
    LIT_SFETCH, /* signal_fetch */
    LIT_LOAD,
    LIT_STORE,
    LIT_FENCE,
    LIT_QUIET,
    LIT_PE_QUIET,
    LIT_DESTROY, /* of a context */
    LIT_SYNC,
    LIT_BARRIER,
    LIT_COLL,
    LIT_LOCK,
    LIT_UNLOCK,
    LIT_TRYLOCK,
    LIT_MEET /* of the threads of one PE, by means of the host language */
};

/* How arguments are written. Row of the table of operations: name in a file, kind, arguments, result, flags, atomic
 * function, name of the routine behind shmem_TYPE_ (or shmem_) in C.
 *
 * Arguments, one letter each: P place x@1; A place, own copy where no PE is named; L object, own copy; D object that
 * receives; S value, {list} or object that is the source; V value; C comparison f == 1; U signal update s := 1;
 * N list of PEs; I number; B block. Result: '-' none, 'r' a register, '?' either. */
enum lit_flag {
    LIT_NBI = 1,
    LIT_FETCH = 2,    /* atomic: gives the old value */
    LIT_BYTES = 4,    /* each byte a unit of its own (mem routines) */
    LIT_SIGNAL = 8,   /* by a signal routine */
    LIT_READING = 16, /* atomic: the old value goes into the new one */
    LIT_CTX = 32,     /* may be on a context */
    LIT_BIRTH = 64,   /* makes a block */
    LIT_PROGRAM = 128 /* only in a compiled program */
};
#define LIT_OP_ROWS(X)                                                                                                 \
    X("put", LIT_PUT, "PS", '-', LIT_CTX, NONE, "put")                                                                 \
    X("p", LIT_PUT, "PV", '-', LIT_CTX, NONE, "p")                                                                     \
    X("iput", LIT_PUT, "PSI", '-', LIT_CTX, NONE, "iput")                                                              \
    X("putmem", LIT_PUT, "PS", '-', LIT_CTX | LIT_BYTES, NONE, "putmem")                                               \
    X("put_nbi", LIT_PUT, "PL", '-', LIT_CTX | LIT_NBI, NONE, "put_nbi")                                               \
    X("get", LIT_GET, "P", 'r', LIT_CTX, NONE, "get")                                                                  \
    X("get", LIT_GET, "DP", '-', LIT_CTX, NONE, "get")                                                                 \
    X("g", LIT_GET, "P", 'r', LIT_CTX, NONE, "g")                                                                      \
    X("get_nbi", LIT_GET, "DP", '-', LIT_CTX | LIT_NBI, NONE, "get_nbi")                                               \
    X("aset", LIT_AMO, "PV", '-', LIT_CTX, SET, "atomic_set")                                                          \
    X("ainc", LIT_AMO, "P", '-', LIT_CTX | LIT_READING, INC, "atomic_inc")                                             \
    X("aadd", LIT_AMO, "PV", '-', LIT_CTX | LIT_READING, ADD, "atomic_add")                                            \
    X("aand", LIT_AMO, "PV", '-', LIT_CTX | LIT_READING, AND, "atomic_and")                                            \
    X("aor", LIT_AMO, "PV", '-', LIT_CTX | LIT_READING, OR, "atomic_or")                                               \
    X("axor", LIT_AMO, "PV", '-', LIT_CTX | LIT_READING, XOR, "atomic_xor")                                            \
    X("afetch", LIT_AMO, "P", 'r', LIT_CTX | LIT_FETCH | LIT_READING, FETCH, "atomic_fetch")                           \
    X("afinc", LIT_AMO, "P", 'r', LIT_CTX | LIT_FETCH | LIT_READING, INC, "atomic_fetch_inc")                          \
    X("afadd", LIT_AMO, "PV", 'r', LIT_CTX | LIT_FETCH | LIT_READING, ADD, "atomic_fetch_add")                         \
    X("aswap", LIT_AMO, "PV", '?', LIT_CTX | LIT_FETCH | LIT_READING, SWAP, "atomic_swap")                             \
    X("acas", LIT_AMO, "PVV", 'r', LIT_CTX | LIT_FETCH | LIT_READING, CSWAP, "atomic_compare_swap")                    \
    X("afetch_nbi", LIT_AMO, "DP", '-', LIT_CTX | LIT_NBI | LIT_FETCH | LIT_READING, FETCH, "atomic_fetch_nbi")        \
    X("afinc_nbi", LIT_AMO, "DP", '-', LIT_CTX | LIT_NBI | LIT_FETCH | LIT_READING, INC, "atomic_fetch_inc_nbi")       \
    X("afadd_nbi", LIT_AMO, "DPV", '-', LIT_CTX | LIT_NBI | LIT_FETCH | LIT_READING, ADD, "atomic_fetch_add_nbi")      \
    X("aswap_nbi", LIT_AMO, "DPV", '-', LIT_CTX | LIT_NBI | LIT_FETCH | LIT_READING, SWAP, "atomic_swap_nbi")          \
    X("sig", LIT_SIG, "PSU", '-', LIT_CTX, NONE, "put_signal")                                                         \
    X("sig_nbi", LIT_SIG, "PLU", '-', LIT_CTX | LIT_NBI, NONE, "put_signal_nbi")                                       \
    X("sigset", LIT_AMO, "PV", '-', LIT_CTX | LIT_SIGNAL, SET, "signal_set")                                           \
    X("sigadd", LIT_AMO, "PV", '-', LIT_CTX | LIT_SIGNAL | LIT_READING, ADD, "signal_add")                             \
    X("sfetch", LIT_SFETCH, "L", 'r', LIT_SIGNAL, NONE, "signal_fetch")                                                \
    X("wait", LIT_WAIT, "C", '-', 0, NONE, "wait_until")                                                               \
    X("swait", LIT_WAIT, "C", '?', LIT_SIGNAL, NONE, "signal_wait_until")                                              \
    X("test", LIT_TEST, "C", '?', 0, NONE, "test")                                                                     \
    X("ld", LIT_LOAD, "A", 'r', 0, NONE, "")                                                                           \
    X("st", LIT_STORE, "AV", '-', 0, NONE, "")                                                                         \
    X("fence", LIT_FENCE, "", '-', LIT_CTX, NONE, "fence")                                                             \
    X("quiet", LIT_QUIET, "", '-', LIT_CTX, NONE, "quiet")                                                             \
    X("pe_quiet", LIT_PE_QUIET, "N", '-', LIT_CTX, NONE, "pe_quiet")                                                   \
    X("destroy", LIT_DESTROY, "", '-', LIT_CTX, NONE, "ctx_destroy")                                                   \
    X("sync", LIT_SYNC, "", '-', 0, NONE, "team_sync")                                                                 \
    X("barrier", LIT_BARRIER, "", '-', 0, NONE, "barrier_all")                                                         \
    X("malloc", LIT_BARRIER, "B", '-', LIT_BIRTH | LIT_PROGRAM, NONE, "malloc")                                        \
    X("calloc", LIT_BARRIER, "B", '-', LIT_BIRTH | LIT_PROGRAM, NONE, "calloc")                                        \
    X("realloc", LIT_BARRIER, "B", '-', LIT_PROGRAM, NONE, "realloc")                                                  \
    X("realloc_fails", LIT_BARRIER, "B", '-', LIT_PROGRAM, NONE, "realloc")                                            \
    X("free", LIT_BARRIER, "B", '-', LIT_PROGRAM, NONE, "free")                                                        \
    X("malloc0", LIT_PE_QUIET, "", '-', LIT_PROGRAM, NONE, "malloc")                                                   \
    X("free0", LIT_PE_QUIET, "", '-', LIT_PROGRAM, NONE, "free")                                                       \
    X("broadcast", LIT_COLL, "DLI", '-', 0, NONE, "broadcast")                                                         \
    X("broadcast64", LIT_COLL, "DLI", '-', LIT_PROGRAM, NONE, "broadcast64")                                           \
    X("sum_inscan", LIT_COLL, "DL", '-', 0, ADD, "sum_inscan")                                                         \
    X("sum_exscan", LIT_COLL, "DL", '-', 0, ADD, "sum_exscan")                                                         \
    X("fcollect", LIT_COLL, "DL", '-', 0, NONE, "fcollect")                                                            \
    X("alltoall", LIT_COLL, "DL", '-', 0, NONE, "alltoall")                                                            \
    X("sum_reduce", LIT_COLL, "DL", '-', 0, ADD, "sum_reduce")                                                         \
    X("lock", LIT_LOCK, "L", '-', 0, NONE, "set_lock")                                                                 \
    X("unlock", LIT_UNLOCK, "L", '-', 0, NONE, "clear_lock")                                                           \
    X("trylock", LIT_TRYLOCK, "L", 'r', 0, NONE, "test_lock")                                                          \
    X("meet", LIT_MEET, "", '-', 0, NONE, "")
struct lit_op_row {
    const char *name;
    enum lit_kind kind;
    const char *arguments;
    char result;
    unsigned flags;
    shmem_amo_t amo;
    const char *routine;
};
extern const struct lit_op_row lit_op_rows[];
extern const int lit_op_row_count;

/* Comparisons, numbered as SHMEM_CMP_* are. */
enum lit_cmp { LIT_ANY, LIT_EQ, LIT_NE, LIT_GT, LIT_GE, LIT_LT, LIT_LE };
bool lit_compare(enum lit_cmp cmp, int64_t a, int64_t b);
extern const char *const lit_cmp_text[]; /* "==" ... */

/* A value: constant, or register plus constant. */
struct lit_value {
    int reg; /* -1: none */
    int64_t constant;
};

/* Elements of one object's copy. */
struct lit_place {
    int object; /* -1: none */
    int pe;     /* -1: the copy of the PE that executes */
    int first;
};

struct lit_op {
    const struct lit_op_row *row;
    int thread, pe, line, column;
    enum lit_type type;
    int ctx;                /* 0: default */
    int team;               /* 0: world */
    int count, stride;      /* elements, and elements from one to the next at the target */
    struct lit_place place; /* target: put, get, AMO; what is waited for, loaded, stored; the lock; the block */
    struct lit_place local; /* source of a put or collective (object < 0: values), destination of a get or fetch */
    struct lit_place dest;  /* collective: destination */
    struct lit_value values[LIT_ELEMENTS];
    struct lit_value compare; /* acas: expected value */
    struct lit_place signal;  /* put_signal */
    bool signal_adds;
    struct lit_value signal_value;
    enum lit_cmp cmp; /* wait, test */
    struct lit_value cmp_value;
    enum lit_cmp until; /* repeated until the result satisfies it; LIT_ANY: once */
    int64_t until_value;
    int result; /* register, -1: none */
    int guard;  /* register that decides whether it is executed, -1: none */
    enum lit_cmp guard_cmp;
    int64_t guard_value;
    unsigned pes; /* pe_quiet */
    int root;
    int match[LIT_PES]; /* collective: the same collective of each member, -1: it has none */
    bool silent;        /* part of what the operation before it does, not a call of its own */
    char text[80];
};

struct lit_object {
    char name[LIT_NAME];
    enum lit_type type;
    int elements;
    int base;         /* location of element 0 of PE 0's copy; copies follow each other */
    bool lock, block; /* block: made by malloc or calloc */
    int64_t start[LIT_PES][LIT_ELEMENTS];
};

struct lit_thread {
    int pe, first, count; /* operations [first, first + count) */
};

enum lit_node_kind { LIT_N_CONSTANT, LIT_N_SEEN, LIT_N_CMP, LIT_N_AND, LIT_N_OR, LIT_N_NOT };
struct lit_node {
    enum lit_node_kind kind;
    int64_t constant;
    int seen; /* index among what is observed */
    enum lit_cmp cmp;
    int left, right;
};

/* One thing that an outcome gives a value for. */
struct lit_seen {
    int reg; /* -1: a location */
    int location;
    char text[2 * LIT_NAME];
};

enum lit_verdict { LIT_SC, LIT_WEAK, LIT_RACY };
extern const char *const lit_verdict_text[];

struct lit_expect {
    bool given;
    enum lit_verdict verdict;
    int noutcomes;
    char **outcomes;
    int line;
};

struct fp_litmus {
    char path[256], name[64];
    int npes, nthreads, nops, nobjects, nlocations, nregs, ncontexts, nteams, nnodes, nseen;
    struct lit_thread threads[LIT_THREADS];
    struct lit_op ops[LIT_OPS];
    struct lit_object objects[LIT_OBJECTS];
    struct {
        char name[LIT_NAME];
        int thread;
    } regs[LIT_REGISTERS];
    struct {
        char name[LIT_NAME];
        bool nostore, shared;
        int team;
    } contexts[LIT_CONTEXTS]; /* 0 is the default */
    int invalid_context;      /* SHMEM_CTX_INVALID, where the test uses it; else -1 */
    bool as_program_only;     /* has what only a compiled program can do (blocks, contexts of teams, active sets) */
    struct {
        char name[LIT_NAME];
        unsigned members;
    } teams[LIT_TEAMS]; /* 0 is the world */
    struct lit_node nodes[LIT_NODES];
    int condition; /* root node, -1: none */
    struct lit_seen seen[LIT_SEEN];
    int outside; /* enum lit_verdict of another model, -1: none is stated */
    struct lit_expect any, expect[3]; /* by enum fp_rules; `any` where a profile has none of its own */
    char final_text[256];
};

int lit_location(const struct fp_litmus *test, int object, int pe, int element);
/* The place of a location: object, PE, and its one element. */
struct lit_place lit_place_of(const struct fp_litmus *test, int location);
/* Name of a location as it is written: "x@1", "a[2]@0". */
void lit_location_name(const struct fp_litmus *test, int location, char *text, int size);
/* Number of the member of that rank, -1: there is none; rank of a member. Teams keep the order of the world. */
int lit_member(unsigned members, int rank);
int lit_rank(unsigned members, int pe);
bool lit_condition_holds(const struct fp_litmus *test, const int64_t *seen);
/* 0 strict, 1 common, 2 nv, -1: no such profile. */
int lit_rules(const char *name);
extern const char *const lit_rules_text[];

/* "internal bug" with the place, and the end (70). */
_Noreturn void lit_bug(const char *file, int line, const char *what);
#define LIT_BUG(what) lit_bug(__FILE__, __LINE__, what)
/* Memory, or the end (71). */
void *lit_alloc(void *old, size_t bytes);

#endif
