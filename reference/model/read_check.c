/* read_check.c -- what depends on the whole program of a litmus test: types of objects, which collective calls belong
 * together, whether a block has been allocated.
 */
#include <string.h>

#include "reference/model/read.h"

/* What signal routines touch is a signal unless the file says another type. */
void
read_settle_types(struct reader *reader)
{
    struct fp_litmus *test = reader->test;

    for (int i = 0; i < test->nops; i++) {
        const struct lit_op *op = &test->ops[i];
        if (op->signal.object >= 0 && !reader->typed[op->signal.object])
            test->objects[op->signal.object].type = LIT_TYPE_uint64;
        if (op->row->flags & LIT_SIGNAL && !reader->typed[op->place.object])
            test->objects[op->place.object].type = LIT_TYPE_uint64;
    }
    for (int i = 0; i < test->nops; i++) {
        struct lit_op *op = &test->ops[i];
        const struct lit_place *place = op->place.object >= 0 ? &op->place : &op->dest;
        if (op->type == LIT_TYPES)
            op->type = place->object >= 0 ? test->objects[place->object].type : LIT_TYPE_long;
    }
}

/* The k-th collective of each member on a team belong together. */
void
read_match_collectives(struct fp_litmus *test)
{
    for (int i = 0; i < test->nops; i++) {
        struct lit_op *op = &test->ops[i];
        int before = 0;
        if (op->row->kind != LIT_COLL)
            continue;
        for (int k = test->threads[op->thread].first; k < i; k++)
            before += test->ops[k].row->kind == LIT_COLL && test->ops[k].team == op->team;
        for (int pe = 0; pe < test->npes; pe++)
            op->match[pe] = -1;
        for (int thread = 0; thread < test->nthreads; thread++) {
            int count = 0;
            for (int k = test->threads[thread].first; k < test->threads[thread].first + test->threads[thread].count;
                 k++)
                if (test->ops[k].row->kind == LIT_COLL && test->ops[k].team == op->team && count++ == before)
                    op->match[test->threads[thread].pe] = k;
        }
    }
}

bool
read_check_collectives(struct reader *reader)
{
    const struct fp_litmus *test = reader->test;

    for (int i = 0; i < test->nops; i++) {
        const struct lit_op *op = &test->ops[i];
        int members = __builtin_popcount(test->teams[op->team].members);
        if (op->row->kind != LIT_COLL)
            continue;
        struct word at = {.line = op->line, .column = op->column};
        int need = strcmp(op->row->name, "fcollect") ? op->count : op->count * members;
        if (!strcmp(op->row->name, "alltoall") && op->count % members)
            return words_fail_at(&reader->words, &at, "alltoall needs an equal share for each of %d PEs", members);
        if (op->dest.first + need > test->objects[op->dest.object].elements)
            return words_fail_at(&reader->words, &at, "the destination needs %d elements", need);
        if ((!strcmp(op->row->name, "broadcast") || !strcmp(op->row->name, "broadcast64")) &&
            (op->root < 0 || op->root >= test->npes || !(test->teams[op->team].members >> op->root & 1)))
            return words_fail_at(&reader->words, &at, "the root is a member, by its number in the world");
        for (int pe = 0; pe < test->npes; pe++) {
            int other = op->match[pe];
            if (other >= 0 && (test->ops[other].row != op->row || test->ops[other].count != op->count ||
                               test->ops[other].root != op->root || test->ops[other].dest.object != op->dest.object ||
                               test->ops[other].dest.first != op->dest.first))
                return words_fail_at(&reader->words, &at, "PE %d has another collective here", pe);
        }
    }
    return true;
}

/* A column allocates a block before it touches it, and only once. */
bool
read_check_blocks(struct reader *reader)
{
    const struct fp_litmus *test = reader->test;

    for (int i = 0; i < test->nops; i++) {
        const struct lit_op *op = &test->ops[i];
        const struct lit_place *places[] = {&op->place, &op->local, &op->dest, &op->signal};
        struct word at = {.line = op->line, .column = op->column};
        for (int p = 0; p < 4; p++) {
            int object = places[p]->object;
            if (object < 0 || !test->objects[object].block)
                continue;
            bool born = false;
            for (int k = test->threads[op->thread].first; k < i; k++)
                born |= test->ops[k].place.object == object && test->ops[k].row->flags & LIT_BIRTH;
            if (born == !!(op->row->flags & LIT_BIRTH))
                return words_fail_at(&reader->words, &at,
                                     born ? "block %s has been allocated already"
                                          : "block %s has not been allocated by now",
                                     test->objects[object].name);
        }
    }
    return true;
}
