/* emit_search.c -- a litmus test as a function that fencepost_explore (fencepost.h) searches exhaustively.
 *
 * All PEs share one image there, so the objects are in the symmetric heap, and contexts and teams are by PE. What a PE
 * has at its end it writes down for itself, unseen by the hooks: the search then has nothing to do but the test. A loop
 * that polls sleeps between its looks, which tells the search that it is a wait. Between two plain accesses stands a
 * fence on a context of its own without stores, which orders nothing, but is a place where others may move. The program
 * takes the most executions as argument (0: no limit) and prints what it found, one thing a line:
 *
 *     outcome 12 r=1 x@1=2      so many whole executions ended so; "hang" where a call never returns
 *     race 3                    in so many of them a race was reported, or the use of a block that was being freed
 *     other usage: ...          any other finding
 *     executions 15 complete    or "executions 15 cut off"
 */
#include "reference/model/emit.h"

static void
print_object_name(const struct emit *emit, const struct lit_object *object)
{
    const char *name = object->name, *type = lit_types[object->type].ctype;

    if (object->block)
        fprintf(emit->out, "static %s *blocks_%s[NPES];\n#define p_%s blocks_%s[me]\n#define v_%s (%sp_%s)\n", type,
                name, name, name, name, object->elements > 1 ? "" : "*", name);
    else
        fprintf(emit->out, "#define v_%s (o->m_%s%s)\n", name, name, object->elements > 1 ? "" : "[0]");
}

static void
print_variables(struct emit *emit)
{
    const struct fp_litmus *test = emit->test;
    FILE *out = emit->out;

    fprintf(out,
            "/* Litmus test %s, for an exhaustive search. */\n#include <fencepost.h>\n#include <shmem.h>\n"
            "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\n"
            "enum { NPES = %d, SEEN = %d };\nstruct objects {\n",
            test->name, test->npes, test->nseen);
    for (int i = 0; i < test->nobjects; i++) {
        const struct lit_object *object = &test->objects[i];
        if (!object->block)
            fprintf(out, "    _Alignas(8) %s m_%s[%d];\n", lit_types[object->type].ctype, object->name,
                    object->elements);
    }
    if (emit_psyncs(test))
        fprintf(out, "    long psync[%d][SHMEM_BCAST_SYNC_SIZE];\n", emit_psyncs(test));
    fprintf(out, "    _Alignas(8) char end;\n};\n#define psync (o->psync)\n");
    for (int i = 0; i < test->nobjects; i++)
        print_object_name(emit, &test->objects[i]);
    for (int i = 0; i < test->nregs; i++)
        fprintf(out, "static long r_%s;\n", test->regs[i].name);
    fprintf(out, "static shmem_ctx_t pauses[NPES];\n");
    for (int i = 1; i < test->ncontexts; i++)
        if (i == test->invalid_context)
            fprintf(out, "#define c_invalid SHMEM_CTX_INVALID\n");
        else
            fprintf(out, "static shmem_ctx_t contexts_%s[NPES];\n#define c_%s contexts_%s[me]\n",
                    test->contexts[i].name, test->contexts[i].name, test->contexts[i].name);
    for (int i = 1; i < test->nteams; i++)
        fprintf(out, "static shmem_team_t teams_%s[NPES];\n#define t_%s teams_%s[me]\n", test->teams[i].name,
                test->teams[i].name, test->teams[i].name);
}

static void
print_look(struct emit *emit)
{
    const struct fp_litmus *test = emit->test;
    FILE *out = emit->out;

    fprintf(out,
            "\nstatic long seen[SEEN + 1];\nstatic int ended;\n\n"
            "__attribute__((no_sanitize(\"thread\"), noinline)) static void\nlook(struct objects *o, int me)\n{\n");
    for (int i = 0; i < test->nseen; i++) {
        const struct lit_seen *seen = &test->seen[i];
        if (seen->reg >= 0) {
            fprintf(out, "    if (me == %d)\n        seen[%d] = r_%s;\n",
                    test->threads[test->regs[seen->reg].thread].pe, i, seen->text);
            continue;
        }
        struct lit_place place = lit_place_of(test, seen->location);
        fprintf(out, "    if (me == %d)\n        seen[%d] = (long)*", place.pe, i);
        emit_address(emit, &place, test->objects[place.object].type);
        fprintf(out, ";\n");
    }
    fprintf(out, "    (void)o;\n    (void)me;\n    ended++;\n}\n");
}

static void
print_pe_main(struct emit *emit)
{
    const struct fp_litmus *test = emit->test;
    FILE *out = emit->out;

    fprintf(out, "\nstatic void\npe_main(void *arg)\n{\n    shmem_init();\n    int me = shmem_my_pe();\n"
                 "    struct objects *o = shmem_calloc(1, sizeof *o);\n"
                 "    shmem_ctx_create(SHMEM_CTX_NOSTORE, &pauses[me]);\n    start(o, me);\n");
    for (int t = 0; t < test->nthreads; t++)
        fprintf(out, "    if (me == %d)\n        pe%d(o, me);\n", test->threads[t].pe, test->threads[t].pe);
    for (int i = 1; i < test->ncontexts; i++)
        fprintf(out, "    shmem_ctx_destroy(c_%s);\n", test->contexts[i].name);
    for (int i = 1; i < test->nteams; i++)
        fprintf(out, "    shmem_team_destroy(t_%s);\n", test->teams[i].name);
    fprintf(out, "    shmem_ctx_destroy(pauses[me]);\n    shmem_barrier_all();\n    look(o, me);\n");
    bool locks = false;
    for (int i = 0; i < test->nobjects; i++) {
        locks |= test->objects[i].lock;
        if (test->objects[i].block)
            fprintf(out, "    if (p_%s)\n        shmem_free(p_%s);\n", test->objects[i].name, test->objects[i].name);
    }
    if (!locks) /* one that is still held may end with the program, but not be freed before */
        fprintf(out, "    shmem_free(o);\n");
    fprintf(out, "    shmem_finalize();\n}\n");
    fprintf(out, "\nstatic void\nbefore(void *arg)\n{\n    memset(seen, 0, sizeof seen);\n    ended = 0;\n");
    for (int i = 0; i < test->nregs; i++)
        fprintf(out, "    r_%s = 0;\n", test->regs[i].name);
    fprintf(out, "}\n");
}

static void
print_outcome_text(struct emit *emit)
{
    const struct fp_litmus *test = emit->test;
    FILE *out = emit->out;

    fprintf(out, "\nstatic void\nprint_outcome(const long *values)\n{\n");
    if (!test->nseen)
        fprintf(out, "    printf(\" done\");\n");
    for (int i = 0; i < test->nseen; i++)
        fprintf(out, "    printf(\" %s=%%ld\", values[%d]);\n", test->seen[i].text, i);
    fprintf(out, "}\n");
}

/* The part that is the same for all tests. A hang, or a call that is wrong and might hang elsewhere, is an outcome. */
static const char rest[] =
    "\n"
    "struct row {\n"
    "    long values[SEEN + 1], count;\n"
    "    int hang;\n"
    "};\n"
    "static struct row *rows;\n"
    "static int nrows;\n"
    "static long races;\n"
    "\n"
    "static void\n"
    "count(int hang)\n"
    "{\n"
    "    int i = 0;\n"
    "    while (i < nrows && (rows[i].hang != hang || (!hang && memcmp(rows[i].values, seen, sizeof seen))))\n"
    "        i++;\n"
    "    if (i == nrows) {\n"
    "        rows = realloc(rows, (size_t)++nrows * sizeof *rows);\n"
    "        rows[i].hang = hang;\n"
    "        rows[i].count = 0;\n"
    "        memcpy(rows[i].values, seen, sizeof seen);\n"
    "    }\n"
    "    rows[i].count++;\n"
    "}\n"
    "\n"
    "static void\n"
    "each(void *arg, const fencepost_result_t *run)\n"
    "{\n"
    "    int hang = ended < NPES, race = 0;\n"
    "    for (int i = 0; i < fencepost_finding_count(run); i++) {\n"
    "        const char *name = fencepost_finding(run, i)->finding_class;\n"
    "        race |= !strcmp(name, \"race\") || !strcmp(name, \"lifetime\");\n"
    "        hang |= !strcmp(name, \"hang\") || !strcmp(name, \"mismatch\") || !strcmp(name, \"usage\");\n"
    "    }\n"
    "    count(hang);\n"
    "    races += race;\n"
    "}\n"
    "\n"
    "int\n"
    "main(int argc, char **argv)\n"
    "{\n"
    "    fencepost_exploration_t all = {.run = {.npes = NPES, .quiet = 1, .heap_bytes = 1 << 20},\n"
    "                                   .exhaustive = FENCEPOST_ALL,\n"
    "                                   .runs = argc > 1 ? strtoull(argv[1], NULL, 10) : 0,\n"
    "                                   .collect = 1,\n"
    "                                   .before = before,\n"
    "                                   .each = each};\n"
    "    fencepost_result_t *result = fencepost_explore(pe_main, NULL, &all);\n"
    "    for (int i = 0; i < nrows; i++) {\n"
    "        printf(\"outcome %ld\", rows[i].count);\n"
    "        if (rows[i].hang)\n"
    "            printf(\" hang\");\n"
    "        else\n"
    "            print_outcome(rows[i].values);\n"
    "        printf(\"\\n\");\n"
    "    }\n"
    "    printf(\"race %ld\\n\", races);\n"
    "    for (int i = 0; i < fencepost_finding_count(result); i++) {\n"
    "        const fencepost_finding_t *finding = fencepost_finding(result, i);\n"
    "        if (strcmp(finding->finding_class, \"race\") && strcmp(finding->finding_class, \"lifetime\") &&\n"
    "            strcmp(finding->finding_class, \"hang\") && strcmp(finding->finding_class, \"leak\"))\n"
    "            printf(\"other %s: %s\\n\", finding->finding_class, finding->message);\n"
    "    }\n"
    "    printf(\"executions %llu %s\\n\", (unsigned long long)fencepost_runs(result),\n"
    "           fencepost_complete(result) ? \"complete\" : \"cut off\");\n"
    "    return 0;\n"
    "}\n";

bool
fp_litmus_emit_search(const struct fp_litmus *test, FILE *out, char *error)
{
    struct emit emit = {.test = test,
                        .out = out,
                        .error = error,
                        .polls = " && !usleep(1)",
                        .pause = "shmem_ctx_fence(pauses[me]);\n    "};

    print_variables(&emit);
    emit_start(&emit, "struct objects *o, int me");
    emit_columns(&emit, "struct objects *o, int me");
    print_look(&emit);
    print_pe_main(&emit);
    print_outcome_text(&emit);
    fputs(rest, out);
    return !emit.failed;
}
