/* generate.h -- inside of the generator of random litmus tests: a draft, and what can be drawn into it.
 *
 *   generate.c          a draft becomes a test with its expectation
 *   generate_ops.c      single operations: atomics, data, orders, looks
 *   generate_styles.c   what makes a test of them
 */
#ifndef FP_MODEL_GENERATE_H
#define FP_MODEL_GENERATE_H

#include "reference/model/litmus.h"

enum { GEN_ROWS = 9, GEN_CELL = 88, GEN_GUARD = 16, GEN_NAME = 8 };

struct draft {
    uint64_t random;
    int npes, nregs;
    bool overflow; /* a column that is too long: a test without its end */
    int ncontexts; /* of "c", "n" (nostore), "h" (shared), in the order of their drawing */
    char contexts[3];
    unsigned destroyed[LIT_PES]; /* contexts, by index */
    unsigned team;               /* members of team A, 0: there is none */
    int rows[LIT_PES];
    char cells[LIT_PES][GEN_ROWS][GEN_CELL];
    char guards[LIT_PES][GEN_GUARD]; /* "if r1 == 1: " in front of what follows, or "" */
};

/* generate_ops.c */
unsigned draw(struct draft *draft, unsigned bound);
/* One of the words of a list, each followed by a blank, all equally probable; valid until the next call but three. */
const char *one_of(struct draft *draft, const char *words);
void __attribute__((format(printf, 3, 4))) add(struct draft *draft, int pe, const char *format, ...);
/* "c:" or the like, or "": a context of the PE. */
const char *context_of(struct draft *draft, int pe);
int any_pe(struct draft *draft);
/* Another one, now and then the same. */
int other_pe(struct draft *draft, int pe);
int new_reg(struct draft *draft);

void add_atomic(struct draft *draft, int pe);
void add_order(struct draft *draft, int pe);
/* Writes the object's copy on PE `home`. True: from the nonblocking source d. */
bool add_data(struct draft *draft, int pe, const char *object, int home);
void add_look(struct draft *draft, int pe, const char *object, int home);
const char *data_object(struct draft *draft);

/* generate_styles.c */
void compose(struct draft *draft);

#endif
