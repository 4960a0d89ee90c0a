/* emit.h -- a litmus test as C: what the two forms share (emit.c). */
#ifndef FP_MODEL_EMIT_H
#define FP_MODEL_EMIT_H

#include "reference/model/litmus.h"

struct emit {
    const struct fp_litmus *test;
    FILE *out;
    char *error;
    const char *polls; /* joins the condition of a loop that polls */
    const char *pause; /* between two plain accesses: lets others move, and does nothing else */
    bool program; /* objects may be on the heap (emit_program.c) */
    bool failed;
};

/* The test has no form as a program; error says why. The first reason stays. */
void emit_refuse(struct emit *emit, const struct lit_op *op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* &v_x, &v_a[2]; as a pointer to the type. */
void emit_address(const struct emit *emit, const struct lit_place *place, enum lit_type type);
/* Functions start() and pe0(), pe1() ..., with these parameters; start() has a PE number `me`. */
void emit_start(struct emit *emit, const char *parameters);
/* emit_together.c: calls of several PEs; first member of a team and distance of the others. */
void emit_collective(struct emit *emit, const struct lit_op *op);
void emit_allocation(const struct emit *emit, const struct lit_op *op);
void emit_stride(struct emit *emit, int team, int *first, int *stride);
/* How many pSync arrays the test needs. */
int emit_psyncs(const struct fp_litmus *test);
void emit_columns(struct emit *emit, const char *parameters);

#endif
