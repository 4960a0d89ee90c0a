/* emit.c -- the operations of a litmus test as C against shmem.h.
 *
 * One column becomes the function of its PE. What is around the columns comes in two forms: a program
 * (emit_program.c), and a function of an exhaustive search (emit_search.c). Plain accesses are plain, so both are to be
 * compiled with -fsanitize=shmem.
 */
#include "reference/model/emit.h"

#include <stdarg.h>
#include <string.h>

void
emit_refuse(struct emit *emit, const struct lit_op *op, const char *format, ...)
{
    va_list list;
    int used;

    if (emit->failed)
        return;
    emit->failed = true;
    used =
        snprintf(emit->error, FP_LITMUS_ERROR, "%s:%d:%d: ", emit->test->path, op ? op->line : 1, op ? op->column : 1);
    va_start(list, format);
    if (used >= 0 && used < FP_LITMUS_ERROR)
        vsnprintf(emit->error + used, (size_t)(FP_LITMUS_ERROR - used), format, list);
    va_end(list);
}

static const struct lit_object *
object_of(const struct emit *emit, const struct lit_place *place)
{
    return &emit->test->objects[place->object];
}

/* &x, &a[2]; as a pointer to the type of the operation. */
void
emit_address(const struct emit *emit, const struct lit_place *place, enum lit_type type)
{
    const struct lit_object *object = object_of(emit, place);

    if (object->type != type)
        fprintf(emit->out, "(%s *)", lit_types[type].ctype);
    if (object->elements > 1)
        fprintf(emit->out, "&v_%s[%d]", object->name, place->first);
    else
        fprintf(emit->out, "&v_%s", object->name);
}

/* By the numbers of the context's team. */
static int
target_pe(const struct emit *emit, const struct lit_op *op)
{
    return lit_rank(emit->test->teams[emit->test->contexts[op->ctx].team].members, op->place.pe);
}

static void
print_value(const struct emit *emit, const struct lit_value *value)
{
    if (value->reg < 0)
        fprintf(emit->out, "%lldL", (long long)value->constant);
    else if (value->constant)
        fprintf(emit->out, "(r_%s + %lldL)", emit->test->regs[value->reg].name, (long long)value->constant);
    else
        fprintf(emit->out, "r_%s", emit->test->regs[value->reg].name);
}

/* shmem_long_put( , shmem_ctx_long_put(c, , shmem_fence( ... */
static void
print_call(const struct emit *emit, const struct lit_op *op, bool typed)
{
    fprintf(emit->out, "shmem_");
    if (op->ctx)
        fprintf(emit->out, "ctx_");
    if (typed)
        fprintf(emit->out, "%s_", lit_types[op->type].name);
    fprintf(emit->out, "%s(", op->row->routine);
    if (op->ctx)
        fprintf(emit->out, "c_%s%s", emit->test->contexts[op->ctx].name,
                op->row->kind == LIT_FENCE || op->row->kind == LIT_QUIET ? "" : ", ");
}

/* The values of a put that are not in an object. */
static void
print_values(const struct emit *emit, const struct lit_op *op)
{
    fprintf(emit->out, "%s values[] = {", lit_types[op->type].ctype);
    for (int k = 0; k < op->count; k++) {
        fprintf(emit->out, k ? ", " : "");
        print_value(emit, &op->values[k]);
    }
    fprintf(emit->out, "%s};\n        ", op->count ? "" : "0");
}

static void
print_put(struct emit *emit, const struct lit_op *op)
{
    FILE *out = emit->out;
    bool bytes = op->row->flags & LIT_BYTES;

    if (op->local.object < 0 && strcmp(op->row->name, "p"))
        print_values(emit, op);
    print_call(emit, op, !bytes);
    emit_address(emit, &op->place, op->type);
    fprintf(out, ", ");
    if (!strcmp(op->row->name, "p"))
        print_value(emit, &op->values[0]);
    else if (op->local.object < 0)
        fprintf(out, "values");
    else
        emit_address(emit, &op->local, op->type);
    if (!strcmp(op->row->name, "iput"))
        fprintf(out, ", %d, 1", op->stride);
    if (strcmp(op->row->name, "p"))
        fprintf(out, ", %d", bytes ? op->count * lit_types[op->type].bytes : op->count);
    if (op->row->kind == LIT_SIG) {
        fprintf(out, ", ");
        emit_address(emit, &op->signal, LIT_TYPE_uint64);
        fprintf(out, ", ");
        print_value(emit, &op->signal_value);
        fprintf(out, ", SHMEM_SIGNAL_%s", op->signal_adds ? "ADD" : "SET");
    }
    fprintf(out, ", %d);", target_pe(emit, op));
}

static void
print_result(const struct emit *emit, const struct lit_op *op)
{
    if (op->result >= 0)
        fprintf(emit->out, "r_%s = (long)", emit->test->regs[op->result].name);
}

static void
print_get(struct emit *emit, const struct lit_op *op)
{
    FILE *out = emit->out;

    if (op->result >= 0 && strcmp(op->row->name, "g")) {
        fprintf(out, "%s value;\n        ", lit_types[op->type].ctype);
        print_call(emit, op, true);
        fprintf(out, "&value, ");
        emit_address(emit, &op->place, op->type);
        fprintf(out, ", 1, %d);\n        ", target_pe(emit, op));
        print_result(emit, op);
        fprintf(out, "value;");
        return;
    }
    print_result(emit, op);
    print_call(emit, op, true);
    if (op->result < 0) {
        emit_address(emit, &op->local, op->type);
        fprintf(out, ", ");
    }
    emit_address(emit, &op->place, op->type);
    if (op->result < 0)
        fprintf(out, ", %d", op->count);
    fprintf(out, ", %d);", target_pe(emit, op));
}

static void
print_atomic(struct emit *emit, const struct lit_op *op)
{
    FILE *out = emit->out;
    bool has_value = op->row->amo != SHMEM_AMO_INC && op->row->amo != SHMEM_AMO_FETCH;

    if (op->type == LIT_TYPE_short)
        emit_refuse(emit, op, "no atomics of short");
    if ((op->row->amo == SHMEM_AMO_AND || op->row->amo == SHMEM_AMO_OR || op->row->amo == SHMEM_AMO_XOR) &&
        lit_types[op->type].is_signed)
        emit_refuse(emit, op, "no bitwise atomics of %s", lit_types[op->type].name);
    print_result(emit, op);
    print_call(emit, op, !(op->row->flags & LIT_SIGNAL));
    if (op->row->flags & LIT_NBI) {
        emit_address(emit, &op->local, op->type);
        fprintf(out, ", ");
    }
    emit_address(emit, &op->place, op->type);
    if (op->row->amo == SHMEM_AMO_CSWAP) {
        fprintf(out, ", ");
        print_value(emit, &op->compare);
    }
    if (has_value) {
        fprintf(out, ", ");
        print_value(emit, &op->values[0]);
    }
    fprintf(out, ", %d);", target_pe(emit, op));
}

static void
print_look(struct emit *emit, const struct lit_op *op)
{
    static const char *const names[] = {"", "EQ", "NE", "GT", "GE", "LT", "LE"};

    print_result(emit, op);
    print_call(emit, op, !(op->row->flags & LIT_SIGNAL));
    emit_address(emit, &op->place, op->row->flags & LIT_SIGNAL ? LIT_TYPE_uint64 : op->type);
    if (op->row->kind != LIT_SFETCH) {
        fprintf(emit->out, ", SHMEM_CMP_%s, ", names[op->cmp]);
        print_value(emit, &op->cmp_value);
    }
    fprintf(emit->out, ");");
}

static void
print_plain(struct emit *emit, const struct lit_op *op)
{
    FILE *out = emit->out;
    const char *type = lit_types[op->type].ctype;

    print_result(emit, op);
    /* A loop that polls has to look each time. */
    fprintf(out, "*(%s%s *)", op->until ? "volatile " : "", type);
    if (op->place.pe >= 0 && op->place.pe != op->pe)
        fprintf(out, "shmem_ptr(");
    else
        fprintf(out, "(");
    emit_address(emit, &op->place, op->type);
    if (op->place.pe >= 0 && op->place.pe != op->pe)
        fprintf(out, ", %d", op->place.pe);
    fprintf(out, ")");
    if (op->row->kind == LIT_STORE) {
        fprintf(out, " = (%s)", type);
        print_value(emit, &op->values[0]);
    }
    fprintf(out, ";");
}

static void
print_pe_quiet(struct emit *emit, const struct lit_op *op)
{
    fprintf(emit->out, "int pes[] = {0");
    for (int pe = 0; pe < emit->test->npes; pe++)
        if (op->pes >> pe & 1)
            fprintf(emit->out, ", %d", pe);
    fprintf(emit->out, "};\n        ");
    print_call(emit, op, false);
    fprintf(emit->out, "pes + 1, %d);", __builtin_popcount(op->pes));
}

static void
print_lock(struct emit *emit, const struct lit_op *op)
{
    if (op->type != LIT_TYPE_long)
        emit_refuse(emit, op, "a lock is a long");
    print_result(emit, op);
    fprintf(emit->out, "shmem_%s(", op->row->routine);
    emit_address(emit, &op->place, LIT_TYPE_long);
    fprintf(emit->out, ");");
}

static void
print_body(struct emit *emit, const struct lit_op *op)
{
    const struct fp_litmus *test = emit->test;
    FILE *out = emit->out;

    switch (op->row->kind) {
    case LIT_PUT:
    case LIT_SIG:
        print_put(emit, op);
        break;
    case LIT_GET:
        print_get(emit, op);
        break;
    case LIT_AMO:
        print_atomic(emit, op);
        break;
    case LIT_WAIT:
    case LIT_TEST:
    case LIT_SFETCH:
        print_look(emit, op);
        break;
    case LIT_LOAD:
    case LIT_STORE:
        print_plain(emit, op);
        break;
    case LIT_FENCE:
    case LIT_QUIET:
        print_call(emit, op, false);
        fprintf(out, ");");
        break;
    case LIT_PE_QUIET:
        if (!strcmp(op->row->name, "malloc0"))
            fprintf(out, "if (shmem_malloc(0))\n            shmem_global_exit(1);");
        else if (!strcmp(op->row->name, "free0"))
            fprintf(out, "shmem_free(NULL);");
        else
            print_pe_quiet(emit, op);
        break;
    case LIT_DESTROY:
        if (!op->ctx)
            emit_refuse(emit, op, "the default context cannot be destroyed");
        if (op->ctx == test->invalid_context) {
            fprintf(out, "shmem_ctx_destroy(SHMEM_CTX_INVALID);");
            break;
        }
        fprintf(out, "shmem_ctx_destroy(c_%s);\n        c_%s = SHMEM_CTX_INVALID;", test->contexts[op->ctx].name,
                test->contexts[op->ctx].name);
        break;
    case LIT_SYNC:
        if (op->team)
            fprintf(out, "shmem_team_sync(t_%s);", test->teams[op->team].name);
        else
            fprintf(out, "shmem_sync_all();");
        break;
    case LIT_BARRIER:
        if (op->place.object >= 0)
            emit_allocation(emit, op);
        else
            fprintf(out, "shmem_barrier_all();");
        break;
    case LIT_COLL:
        emit_collective(emit, op);
        break;
    case LIT_LOCK:
    case LIT_UNLOCK:
    case LIT_TRYLOCK:
        print_lock(emit, op);
        break;
    case LIT_MEET:
        emit_refuse(emit, op, "a PE with several threads");
        break;
    }
}

static bool
is_plain(const struct lit_op *op)
{
    return op->row->kind == LIT_LOAD || op->row->kind == LIT_STORE;
}

static void
print_op(struct emit *emit, const struct lit_op *op)
{
    FILE *out = emit->out;
    const struct fp_litmus *test = emit->test;

    if (op->silent)
        return;
    fprintf(out, "    /* %s */\n    ", op->text);
    if (is_plain(op) && op > test->ops && is_plain(op - 1) && op[-1].thread == op->thread)
        fprintf(out, "%s", emit->pause);
    if (op->guard >= 0)
        fprintf(out, "if (r_%s %s %lldL) ", test->regs[op->guard].name, lit_cmp_text[op->guard_cmp],
                (long long)op->guard_value);
    if (op->until)
        fprintf(out, "do ");
    fprintf(out, "{\n        ");
    print_body(emit, op);
    fprintf(out, "\n    }");
    if (op->until)
        fprintf(out, " while (!(r_%s %s %lldL)%s);", test->regs[op->result].name, lit_cmp_text[op->until],
                (long long)op->until_value, emit->polls);
    fprintf(out, "\n");
}

/* ---- What both forms have ---------------------------------------------------------------------------------------- */

void
emit_columns(struct emit *emit, const char *parameters)
{
    const struct fp_litmus *test = emit->test;
    unsigned seen = 0;

    for (int t = 0; t < test->nthreads; t++) {
        const struct lit_thread *thread = &test->threads[t];
        if (seen >> thread->pe & 1)
            emit_refuse(emit, NULL, "PE %d has several threads", thread->pe);
        seen |= 1u << thread->pe;
        fprintf(emit->out, "\nstatic void\npe%d(%s)\n{\n", thread->pe, parameters);
        for (int i = thread->first; i < thread->first + thread->count; i++)
            print_op(emit, &test->ops[i]);
        fprintf(emit->out, "}\n");
    }
}

static void
print_context(const struct emit *emit, int i)
{
    const struct fp_litmus *test = emit->test;
    const char *name = test->contexts[i].name, *team = test->teams[test->contexts[i].team].name;
    const char *options = test->contexts[i].nostore ? "SHMEM_CTX_NOSTORE" : "0";

    if (test->contexts[i].team)
        fprintf(emit->out, "    if (t_%s != SHMEM_TEAM_INVALID)\n        shmem_team_create_ctx(t_%s, %s, &c_%s);\n",
                team, team, options, name);
    else
        fprintf(emit->out, "    shmem_team_create_ctx(SHMEM_TEAM_%s, %s, &c_%s);\n",
                test->contexts[i].shared ? "SHARED" : "WORLD", options, name);
}

/* What a PE does first: start values, contexts, teams. */
void
emit_start(struct emit *emit, const char *parameters)
{
    const struct fp_litmus *test = emit->test;
    FILE *out = emit->out;

    fprintf(out, "\nstatic void\nstart(%s)\n{\n", parameters);
    for (int i = 0; emit->program && i < test->nobjects; i++)
        if (!test->objects[i].block)
            fprintf(out, "    OBJECT(%s, %d);\n", test->objects[i].name, test->objects[i].elements);
    for (int i = 0; i < test->nobjects; i++)
        for (int pe = 0; pe < test->npes; pe++)
            for (int k = 0; k < test->objects[i].elements; k++) {
                const struct lit_object *object = &test->objects[i];
                if (!object->start[pe][k])
                    continue;
                fprintf(out, "    if (me == %d)\n        ", pe);
                if (emit->program)
                    fprintf(out, "SET(%s, ", lit_types[object->type].name);
                fprintf(out, "v_%s", object->name);
                if (object->elements > 1)
                    fprintf(out, "[%d]", k);
                fprintf(out, "%s (%s)%lldL%s;\n", emit->program ? "," : " =", lit_types[object->type].ctype,
                        (long long)object->start[pe][k], emit->program ? ")" : "");
            }
    for (int i = 0; i < test->nobjects; i++)
        if (test->objects[i].block)
            fprintf(out, "    p_%s = NULL;\n", test->objects[i].name);
    for (int i = 1; i < test->nteams; i++) {
        int first, stride;
        emit_stride(emit, i, &first, &stride);
        fprintf(out, "    shmem_team_split_strided(SHMEM_TEAM_WORLD, %d, %d, %d, NULL, 0, &t_%s);\n", first, stride,
                __builtin_popcount(test->teams[i].members), test->teams[i].name);
    }
    for (int i = 1; i < test->ncontexts; i++)
        if (i != test->invalid_context)
            print_context(emit, i);
    if (emit_psyncs(test))
        fprintf(out,
                "    for (int i = 0; i < %d * SHMEM_BCAST_SYNC_SIZE; i++)\n"
                "        psync[i / SHMEM_BCAST_SYNC_SIZE][i %% SHMEM_BCAST_SYNC_SIZE] = SHMEM_SYNC_VALUE;\n",
                emit_psyncs(test));
    fprintf(out, "    (void)me;\n    shmem_barrier_all();\n}\n");
}
