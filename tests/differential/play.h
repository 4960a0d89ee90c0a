/* play.h -- a litmus test carried out under the simulator, in this process.
 *
 * `fencepost litmus --backend sim` compiles a program a test; that is what a user does, and too slow for ten thousand
 * tests. Here a PE function reads the operations of its column and makes the calls they stand for against the public
 * interface. Plain accesses go through functions that are compiled with hooks (plain.c), so the observers see them. One
 * session makes all runs of a test in a profile.
 *
 *     play_open(&player, test, FP_RULES_COMMON);
 *     struct played played = play_run(&player, "random", 7);
 *     puts(played.outcome); // "r=1 x@1=2", as the model words it
 *     play_close(&player);
 */
#ifndef DIFFERENTIAL_PLAY_H
#define DIFFERENTIAL_PLAY_H

#include "reference/launch/inprocess.h"
#include "reference/model/litmus.h"
#include "shmem.h"

enum { PLAY_OUTCOME = 1024 };

struct player {
    const struct fp_litmus *test;
    struct fp_session session;
    struct search_tree *search; /* all executions, one after the other; NULL: none of it */
    /* What the PEs leave behind. Each writes its own part. */
    int64_t regs[LIT_REGISTERS], memory[LIT_LOCATIONS];
    int ended; /* PEs that came to their end */
    int polls;
    bool polls_for_ever;
};

struct played {
    char outcome[PLAY_OUTCOME]; /* "" where there is none: some PE stopped half-way */
    bool raced;
    char other[64]; /* class of a finding that says neither race nor hang, or "" */
};

/* Has it a form as calls? A PE with two threads has none, nor a bitwise atomic of a signed type, nor has what only a
 * compiled program does. */
bool play_can(const struct fp_litmus *test);

/* Ends the process (71) where there is no session to be had. */
void play_open(struct player *player, const struct fp_litmus *test, enum fp_rules rules);
struct played play_run(struct player *player, const char *chooser, uint64_t seed);
void play_close(struct player *player);

/* Operations of one PE (turn.c). */
struct turn {
    struct player *player;
    int pe;
    char *objects; /* own copy of all objects, PLAY_SLOT bytes each */
    shmem_ctx_t ctxs[LIT_CONTEXTS];
    shmem_team_t teams[LIT_TEAMS];
};
enum { PLAY_SLOT = LIT_ELEMENTS * 8 };
void turn_take(struct turn *turn, const struct lit_op *op);
void *turn_address(const struct turn *turn, const struct lit_place *place, enum lit_type type);
int64_t turn_value(const struct turn *turn, const struct lit_value *value);

/* Calls of one element type (typed.h, made four times). */
#define TYPED(name, ctype, bytes, is_signed) void name##_typed(struct turn *turn, const struct lit_op *op);
LIT_TYPE_ROWS(TYPED)
#undef TYPED

/* plain.c */
int64_t plain_load(enum lit_type type, const void *address);
void plain_store(enum lit_type type, void *address, int64_t value);

#endif
