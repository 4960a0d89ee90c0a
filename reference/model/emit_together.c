/* emit_together.c -- what PEs call together: data collectives, those on active sets, allocation. */
#include <string.h>

#include "reference/model/emit.h"

/* First member and distance of the others; refused where there is none. */
void
emit_stride(struct emit *emit, int team, int *first, int *stride)
{
    unsigned members = emit->test->teams[team].members, rest = members & (members - 1);

    *first = __builtin_ctz(members);
    *stride = rest ? __builtin_ctz(rest) - *first : 1;
    for (int k = 0; k < __builtin_popcount(members); k++)
        if (!(members >> (*first + k * *stride) & 1))
            emit_refuse(emit, NULL, "team %s is no strided set of PEs", emit->test->teams[team].name);
}

/* Each call of a column has a pSync of its own. */
static void
print_active_set(struct emit *emit, const struct lit_op *op)
{
    unsigned members = emit->test->teams[op->team].members;
    int first, stride, earlier = 0;

    emit_stride(emit, op->team, &first, &stride);
    if (stride & (stride - 1))
        emit_refuse(emit, op, "an active set has a stride of a power of two");
    for (const struct lit_op *other = op; other-- > emit->test->ops;)
        earlier += other->thread == op->thread && other->row == op->row;
    fprintf(emit->out, "shmem_broadcast64(");
    emit_address(emit, &op->dest, op->type);
    fprintf(emit->out, ", ");
    emit_address(emit, &op->local, op->type);
    fprintf(emit->out, ", %d, %d, %d, %d, %d, psync[%d]);", op->count, lit_rank(members, op->root), first,
            __builtin_ctz((unsigned)stride), __builtin_popcount(members), earlier);
}

void
emit_collective(struct emit *emit, const struct lit_op *op)
{
    FILE *out = emit->out;
    unsigned members = emit->test->teams[op->team].members;

    if (!strcmp(op->row->name, "broadcast64")) {
        print_active_set(emit, op);
        return;
    }
    fprintf(out, "shmem_%s_%s(%s%s, ", lit_types[op->type].name, op->row->routine, op->team ? "t_" : "SHMEM_TEAM_WORLD",
            op->team ? emit->test->teams[op->team].name : "");
    emit_address(emit, &op->dest, op->type);
    fprintf(out, ", ");
    emit_address(emit, &op->local, op->type);
    fprintf(out, ", %d", strcmp(op->row->name, "alltoall") ? op->count : op->count / __builtin_popcount(members));
    if (!strcmp(op->row->name, "broadcast"))
        fprintf(out, ", %d", lit_rank(members, op->root));
    fprintf(out, ");");
}

void
emit_allocation(const struct emit *emit, const struct lit_op *op)
{
    const struct lit_object *block = &emit->test->objects[op->place.object];
    const char *name = block->name, *type = lit_types[block->type].ctype;
    FILE *out = emit->out;

    if (!strcmp(op->row->name, "malloc"))
        fprintf(out, "p_%s = shmem_malloc(%d * sizeof(%s));", name, block->elements, type);
    else if (!strcmp(op->row->name, "calloc"))
        fprintf(out, "p_%s = shmem_calloc(%d, sizeof(%s));", name, block->elements, type);
    else if (!strcmp(op->row->name, "realloc"))
        fprintf(out, "p_%s = shmem_realloc(p_%s, %d * sizeof(%s));", name, name, 64 * block->elements, type);
    else if (!strcmp(op->row->name, "realloc_fails"))
        fprintf(out, "if (shmem_realloc(p_%s, (size_t)1 << 60))\n            shmem_global_exit(1);", name);
    else
        fprintf(out, "shmem_free(p_%s);\n        p_%s = NULL;", name, name);
}

int
emit_psyncs(const struct fp_litmus *test)
{
    int count = 0;
    for (int i = 0; i < test->nops; i++)
        count += !strcmp(test->ops[i].row->name, "broadcast64");
    return count;
}
