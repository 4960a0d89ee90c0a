/* emit_program.c -- a litmus test as a program of its own.
 *
 * Objects and registers are static variables, so each PE has its own and PE 0 can fetch them all at the end, after
 * everything is complete, to print the outcome in the one form there is (`outcome r=1 x@1=2`).
 *
 * With -DDEVICE_HEAP the objects are on the heap, and nothing but calls touches them: for GPUs, whose memory the heap
 * is. A test with plain accesses has no such form (fp_litmus_has_plain).
 */
#include "reference/model/emit.h"

static void
print_variables(struct emit *emit)
{
    const struct fp_litmus *test = emit->test;
    FILE *out = emit->out;

    fprintf(out, "/* Litmus test %s. */\n#include <shmem.h>\n#include <stdint.h>\n#include <stdio.h>\n\n", test->name);
    for (int i = 0; i < test->nobjects; i++) {
        const struct lit_object *object = &test->objects[i];
        if (object->block) {
            fprintf(out, "static %s *p_%s;\n#define v_%s (%sp_%s)\n", lit_types[object->type].ctype, object->name,
                    object->name, object->elements > 1 ? "" : "*", object->name);
            continue;
        }
        fprintf(out, "#ifdef DEVICE_HEAP\nstatic %s *h_%s;\n#define v_%s %sh_%s\n#else\n",
                lit_types[object->type].ctype, object->name, object->name, object->elements > 1 ? "" : "*",
                object->name);
        fprintf(out, "static %s v_%s", lit_types[object->type].ctype, object->name);
        if (object->elements > 1)
            fprintf(out, "[%d]", object->elements);
        fprintf(out, ";\n#endif\n");
    }
    fprintf(out, "#ifdef DEVICE_HEAP\n#define SET(type, place, value) shmem_##type##_p(&(place), value, me)\n"
                 "#define OBJECT(name, n) (h_##name = shmem_calloc(n, sizeof *h_##name))\n#else\n"
                 "#define SET(type, place, value) ((place) = (value))\n#define OBJECT(name, n) ((void)0)\n#endif\n");
    for (int i = 0; i < test->nregs; i++)
        fprintf(out, "static long r_%s;\n", test->regs[i].name);
    for (int i = 1; i < test->ncontexts; i++)
        if (i == test->invalid_context)
            fprintf(out, "#define c_invalid SHMEM_CTX_INVALID\n");
        else
            fprintf(out, "static shmem_ctx_t c_%s;\n", test->contexts[i].name);
    if (emit_psyncs(test))
        fprintf(out, "static long psync[%d][SHMEM_BCAST_SYNC_SIZE];\n", emit_psyncs(test));
    for (int i = 1; i < test->nteams; i++)
        fprintf(out, "static shmem_team_t t_%s;\n", test->teams[i].name);
}

static void
print_polls(struct emit *emit)
{
    fprintf(emit->out,
            "\n/* A loop that polls this often polls for ever. */\n#ifndef POLLS\n#define POLLS 20000\n#endif\n"
            "static inline int\npolls_again(void)\n{\n    static int polls;\n    if (++polls < POLLS)\n"
            "        return 1;\n    printf(\"outcome hang\\n\");\n    shmem_global_exit(0);\n}\n");
}

static void
print_end(struct emit *emit)
{
    const struct fp_litmus *test = emit->test;
    FILE *out = emit->out;

    fprintf(out,
            "\n/* Everything is complete: PE 0 fetches what the others have. */\nstatic void\noutcome(void)\n{\n"
            "    printf(\"outcome%s\");\n",
            test->nseen ? "" : " done");
    for (int i = 0; i < test->nseen; i++) {
        const struct lit_seen *seen = &test->seen[i];
        if (seen->reg >= 0) {
            fprintf(out, "    printf(\" %s=%%ld\", shmem_long_g(&r_%s, %d));\n", seen->text, seen->text,
                    test->threads[test->regs[seen->reg].thread].pe);
            continue;
        }
        struct lit_place place = lit_place_of(test, seen->location);
        int object = place.object;
        fprintf(out, "    printf(\" %s=%%ld\", (long)shmem_%s_g(", seen->text,
                lit_types[test->objects[object].type].name);
        emit_address(emit, &place, test->objects[object].type);
        fprintf(out, ", %d));\n", place.pe);
    }
    fprintf(out, "    printf(\"\\n\");\n}\n\nint\nmain(void)\n{\n    shmem_init();\n    int me = shmem_my_pe();\n"
                 "    start(me);\n");
    for (int t = 0; t < test->nthreads; t++)
        fprintf(out, "    if (me == %d)\n        pe%d();\n", test->threads[t].pe, test->threads[t].pe);
    for (int i = 1; i < test->ncontexts; i++)
        fprintf(out, "    shmem_ctx_destroy(c_%s);\n", test->contexts[i].name);
    fprintf(out, "    shmem_barrier_all();\n    if (me == 0)\n        outcome();\n    shmem_barrier_all();\n"
                 "    shmem_finalize();\n    return 0;\n}\n");
}

bool
fp_litmus_has_plain(const struct fp_litmus *test)
{
    for (int i = 0; i < test->nops; i++)
        if (test->ops[i].row->kind == LIT_LOAD || test->ops[i].row->kind == LIT_STORE)
            return true;
    return false;
}

bool
fp_litmus_emit(const struct fp_litmus *test, FILE *out, char *error)
{
    struct emit emit = {
        .test = test, .out = out, .error = error, .polls = " && polls_again()", .pause = "", .program = true};

    print_variables(&emit);
    print_polls(&emit);
    emit_start(&emit, "int me");
    emit_columns(&emit, "void");
    print_end(&emit);
    return !emit.failed;
}
