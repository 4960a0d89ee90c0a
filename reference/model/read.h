/* read.h -- inside of the reader: read.c has the lines of a file, read_op.c one operation, read_end.c `final`
 * and `expect`. */
#ifndef FP_MODEL_READ_H
#define FP_MODEL_READ_H

#include "reference/model/words.h"

struct reader {
    struct words words;
    struct fp_litmus *test;
    bool typed[LIT_OBJECTS]; /* the file names the type */
};

int read_find_object(const struct fp_litmus *test, const char *name);   /* -1: none */
int read_find_register(const struct fp_litmus *test, const char *name); /* -1: none */
enum lit_cmp read_cmp(struct reader *reader);
/* x, x[2], x@1, x[2]@1. Where the PE is left out: -1. *indexed: an element was named. */
bool read_place(struct reader *reader, struct lit_place *place, bool *indexed);
/* One operation of `thread` into *op (row, arguments, text). */
bool read_op(struct reader *reader, int thread, struct lit_op *op);
const struct lit_op_row *read_row_named(const char *name);
bool read_final(struct reader *reader);
bool read_outside(struct reader *reader);
bool read_expect(struct reader *reader);
/* read_check.c, after the program. */
void read_settle_types(struct reader *reader);
void read_match_collectives(struct fp_litmus *test);
bool read_check_collectives(struct reader *reader);
bool read_check_blocks(struct reader *reader);
/* What an outcome gives a value for, at least all registers. */
void read_see_registers(struct fp_litmus *test);

#endif
