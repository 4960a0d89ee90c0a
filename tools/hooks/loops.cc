/* loops.cc -- accesses of innermost loops are told in front of the loop.
 *
 * A loop qualifies if it has one exit, after a number of iterations that is known when it begins, and calls nothing. An
 * access does, if every iteration makes it and its address is base + i * step. What is told early is then exactly what
 * would be told one by one, but the order changes: hooked loads and stores of the loop that may touch the same bytes
 * keep each other in the loop, those that are told are sorted by the runtime, which knows the addresses
 * (reference/check/loops.c).
 */
#include "tools/hooks/hooks.h"

#include <fold-const.h>
#include <gimplify-me.h>
#include <gimplify.h>
#include <ssa.h>

#include <alias.h>
#include <cfgloop.h>
#include <tree-cfg.h>
#include <tree-data-ref.h>
#include <tree-scalar-evolution.h>
#include <tree-ssa-alias.h>
#include <tree-ssa-loop-niter.h>
#include <tree-ssa-loop.h>

/* Loops that are known to make fewer iterations are not worth a call. */
#define FEW 4
#define ACCESSES_MAX 16 /* as many as the runtime takes at once */

struct touch {
    gimple *stmt;
    tree ref;
    bool write, told, before_exit;
    innermost_loop_behavior where;
};

/* Memory that nobody but the function itself can see. gcc does not instrument that either. */
static bool
is_private(tree ref)
{
    tree base = get_base_address(ref);
    if (!base || !DECL_P(base))
        return false;
    if (TREE_READONLY(base))
        return true;
    pt_solution escaped;
    memset(&escaped, 0, sizeof escaped);
    escaped.escaped = 1;
    escaped.ipa_escaped = flag_ipa_pta != 0;
    escaped.nonlocal = 1;
    return !is_global_var(base) && (!may_be_aliased(base) || !pt_solution_includes(&escaped, base));
}

static bool
is_bit_field(tree ref)
{
    for (; handled_component_p(ref); ref = TREE_OPERAND(ref, 0))
        if (TREE_CODE(ref) == BIT_FIELD_REF ||
            (TREE_CODE(ref) == COMPONENT_REF && DECL_BIT_FIELD_TYPE(TREE_OPERAND(ref, 1))))
            return true;
    return false;
}

static bool
is_simple(tree ref)
{
    HOST_WIDE_INT bytes = int_size_in_bytes(TREE_TYPE(ref));
    return bytes >= 1 && bytes <= 16 && pow2p_hwi(bytes) && !TREE_THIS_VOLATILE(ref) && !is_bit_field(ref) &&
           !TYPE_REVERSE_STORAGE_ORDER(TREE_TYPE(ref));
}

/* ---- What the loop does ----------------------------------------------------------------------------------------- */

static void
add_access(auto_vec<touch> *accesses, gimple *stmt, tree ref, bool write)
{
    if (!is_private(ref))
        accesses->safe_push(touch{stmt, ref, write, false, false, {}});
}

/* False: something else than loads, stores and arithmetic. */
static bool
read_stmt(auto_vec<touch> *accesses, gimple *stmt)
{
    if (is_gimple_debug(stmt) || gimple_clobber_p(stmt) || gimple_code(stmt) == GIMPLE_LABEL ||
        gimple_code(stmt) == GIMPLE_PREDICT || gimple_nop_p(stmt))
        return true;
    if (gimple_has_volatile_ops(stmt))
        return false;
    if (is_gimple_call(stmt))
        return !gimple_vuse(stmt) && !gimple_has_side_effects(stmt) && gimple_call_flags(stmt) & ECF_CONST &&
               (gimple_call_internal_p(stmt) || gimple_call_builtin_p(stmt));
    if (gimple_code(stmt) == GIMPLE_COND || gimple_code(stmt) == GIMPLE_SWITCH)
        return true;
    if (!is_gimple_assign(stmt))
        return false;
    if (gimple_store_p(stmt))
        add_access(accesses, stmt, gimple_assign_lhs(stmt), true);
    if (gimple_assign_load_p(stmt))
        add_access(accesses, stmt, gimple_assign_rhs1(stmt), false);
    return true;
}

static bool
read_loop(auto_vec<touch> *accesses, basic_block *body, unsigned nblocks)
{
    for (unsigned i = 0; i < nblocks; i++)
        for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi); gsi_next(&gsi))
            if (!read_stmt(accesses, gsi_stmt(gsi)))
                return false;
    return true;
}

/* Every iteration makes it, where the first was and a step further. */
static void
judge(touch *a, class loop *loop, edge exit)
{
    basic_block block = gimple_bb(a->stmt);
    a->before_exit = dominated_by_p(CDI_DOMINATORS, exit->src, block);
    if (!is_simple(a->ref) || !dominated_by_p(CDI_DOMINATORS, loop->latch, block) ||
        (!a->before_exit && !dominated_by_p(CDI_DOMINATORS, block, exit->src)) ||
        (gimple_store_p(a->stmt) && gimple_assign_load_p(a->stmt)))
        return;
    opt_result ok = dr_analyze_innermost(&a->where, a->ref, loop, a->stmt);
    if (!ok || !a->where.base_address || !a->where.offset || !a->where.init || !a->where.step)
        return;
    a->told = !chrec_contains_undetermined(a->where.step);
}

/* ---- What must not change places -------------------------------------------------------------------------------- */

/* In any two iterations: nothing is known of the offsets. */
static bool
may_meet(tree a, tree b)
{
    if (!alias_sets_conflict_p(get_alias_set(a), get_alias_set(b)))
        return false;
    tree x = get_base_address(a), y = get_base_address(b);
    if (!x || !y)
        return true;
    if (DECL_P(x) && DECL_P(y))
        return x == y;
    for (tree *base : {&x, &y})
        if (TREE_CODE(*base) == MEM_REF)
            *base = TREE_OPERAND(*base, 0);
        else if (DECL_P(*base))
            *base = build_fold_addr_expr(*base);
        else
            return true;
    return ptr_derefs_may_alias_p(x, y);
}

/* What stays in the loop keeps there what it may touch too; and so on. */
static void
keep_order(auto_vec<touch> *accesses)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (touch &a : *accesses)
            for (touch &b : *accesses)
                if (a.told && !b.told && (a.write || b.write) && may_meet(a.ref, b.ref)) {
                    a.told = false;
                    changed = true;
                }
    }
}

/* ---- The call --------------------------------------------------------------------------------------------------- */

/* How often the latch is passed, as an expression of what is known in front of the loop. NULL: not known. */
static tree
latch_count(class loop *loop, edge exit)
{
    tree_niter_desc desc;
    if (!number_of_iterations_exit(loop, exit, &desc, false) || chrec_contains_undetermined(desc.niter))
        return NULL_TREE;
    tree count = fold_convert(size_type_node, unshare_expr(desc.niter));
    if (!integer_zerop(desc.may_be_zero))
        count = fold_build3(COND_EXPR, size_type_node, unshare_expr(desc.may_be_zero), size_zero_node, count);
    return TREE_CODE(count) == INTEGER_CST && tree_to_uhwi(count) + 1 < FEW ? NULL_TREE : count;
}

static tree
operand(tree expression, gimple_seq *seq)
{
    gimple_seq more = NULL;
    expression = force_gimple_operand(expression, &more, true, NULL_TREE);
    gimple_seq_add_seq(seq, more);
    return expression;
}

static void
tell(const touch *a, tree latches, unsigned flags, edge entry)
{
    gimple_seq seq = NULL;
    const innermost_loop_behavior *w = &a->where;
    tree offset = fold_build2(PLUS_EXPR, ssizetype, fold_convert(ssizetype, unshare_expr(w->offset)),
                              fold_convert(ssizetype, unshare_expr(w->init)));
    tree base = operand(unshare_expr(w->base_address), &seq);
    tree address = operand(fold_build_pointer_plus(base, fold_convert(sizetype, offset)), &seq);
    tree count = latches;
    if (a->before_exit)
        count = fold_build2(PLUS_EXPR, size_type_node, latches, build_int_cst(size_type_node, 1));
    count = operand(count, &seq);
    tree step = operand(fold_convert(ssizetype, unshare_expr(w->step)), &seq);
    flags |= (unsigned)int_size_in_bytes(TREE_TYPE(a->ref)) | (a->write ? (unsigned)HOOK_WRITE : 0u);
    gcall *call = gimple_build_call(hook_loop(), 4, address, count, step, build_int_cst(unsigned_type_node, flags));
    gimple_set_location(call, gimple_location(a->stmt));
    gimple_seq_add_stmt(&seq, call);
    gsi_insert_seq_on_edge_immediate(entry, seq);
}

/* One line's loads (stores) have one place in the program: which of those before it, counted from 1, is it; else 0. */
static unsigned
twin_of(const auto_vec<const touch *> &accesses, unsigned index)
{
    for (unsigned i = 0; i < index; i++)
        if (accesses[i]->write == accesses[index]->write && same_line(accesses[i]->stmt, accesses[index]->stmt))
            return i + 1;
    return 0;
}

static void
tell_loop(class loop *loop)
{
    edge exit = single_exit(loop);
    if (!exit || !single_succ_p(loop->latch) || loop->inner)
        return;
    auto_vec<touch> accesses;
    basic_block *body = get_loop_body_in_dom_order(loop);
    bool plain = read_loop(&accesses, body, loop->num_nodes);
    free(body);
    tree latches = plain && !accesses.is_empty() ? latch_count(loop, exit) : NULL_TREE;
    if (!latches)
        return;
    for (touch &a : accesses)
        judge(&a, loop, exit);
    keep_order(&accesses);
    auto_vec<const touch *> chosen;
    for (touch &a : accesses)
        if (a.told)
            chosen.safe_push(&a);
    if (chosen.is_empty() || chosen.length() > ACCESSES_MAX)
        return;
    gimple_seq seq = NULL;
    latches = operand(latches, &seq);
    if (seq)
        gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop), seq);
    for (unsigned i = 0; i < chosen.length(); i++) {
        unsigned more = i + 1 < chosen.length() ? HOOK_MORE : 0;
        tell(chosen[i], latches, more | twin_of(chosen, i) << HOOK_TWIN_SHIFT, loop_preheader_edge(loop));
        told->add(chosen[i]->stmt);
    }
}

void
tell_loops(function *)
{
    told->empty();
    if (optimize < 1)
        return;
    loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
    if (number_of_loops(cfun) > 1) {
        scev_initialize();
        for (auto loop : loops_list(cfun, LI_ONLY_INNERMOST))
            tell_loop(loop);
        scev_finalize();
    }
    loop_optimizer_finalize();
}
