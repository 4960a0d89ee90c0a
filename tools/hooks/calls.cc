/* calls.cc -- what a call itself reads and writes: see plugin.cc.
 *
 * gcc's instrumentation looks at loads and stores, and not at calls. Three kinds of access hide in them:
 *
 *   *there = f();        a structure that the callee returns is stored by neither's statements
 *   f(*there)            a structure passed by value is loaded by the call
 *   __builtin_memcpy     as the headers of C++ and of _FORTIFY_SOURCE write it, -fno-builtin does not reach it, and a
 *                        known size makes moves of it
 *
 * The first two get hooks, the read before the call, the write behind it. The third becomes a call of the routine of
 * that name, which Fencepost sees as it sees any other.
 */
#include "tools/hooks/hooks.h"

#include <fold-const.h>
#include <gimple-ssa.h>
#include <gimplify-me.h>
#include <gimplify.h>
#include <ssa.h>
#include <tree-cfg.h>
#include <tree-into-ssa.h>

#include <gimple-fold.h>
#include <tree-dfa.h>
#include <tree-ssa-alias.h>

static bool
another_may_see(tree place)
{
    tree base = get_base_address(place);
    if (!base || TREE_CODE(place) == WITH_SIZE_EXPR || TREE_THIS_VOLATILE(base))
        return false;
    if (!DECL_P(base))
        return TREE_CODE(base) == MEM_REF || TREE_CODE(base) == TARGET_MEM_REF;
    return may_be_aliased(base) && !(VAR_P(base) && DECL_HARD_REGISTER(base));
}

/* The bytes of a place in memory, 0 where it is none of interest. */
static HOST_WIDE_INT
bytes_of(tree place)
{
    if (!place || TREE_CODE(place) == SSA_NAME || CONSTANT_CLASS_P(place) || TREE_CODE(place) == ADDR_EXPR ||
        TREE_CODE(place) == CONSTRUCTOR || !another_may_see(place))
        return 0;
    if (TREE_CODE(place) == COMPONENT_REF && DECL_BIT_FIELD_TYPE(TREE_OPERAND(place, 1)))
        return 0;
    HOST_WIDE_INT bytes = int_size_in_bytes(TREE_TYPE(place));
    return bytes > 0 ? bytes : 0;
}

/* The statements of a hook for a place. */
static gimple_seq
hook_of(gimple *call, tree place, HOST_WIDE_INT bytes, built_in_function which)
{
    gimple_seq all = NULL, address = NULL;
    tree start = force_gimple_operand(build_fold_addr_expr(unshare_expr(place)), &address, true, NULL_TREE);
    gimple *hook = gimple_build_call(builtin_decl_implicit(which), 2, start, build_int_cst(size_type_node, bytes));
    gimple_seq_add_seq(&all, address);
    gimple_seq_add_stmt(&all, hook);
    annotate_all_with_location(all, gimple_location(call));
    gimple_set_location(hook, gimple_location(call));
    return all;
}

static void
tell_call(gimple_stmt_iterator *gsi)
{
    gimple *call = gsi_stmt(*gsi);
    for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
        HOST_WIDE_INT bytes = bytes_of(gimple_call_arg(call, i));
        if (bytes)
            gsi_insert_seq_before(gsi, hook_of(call, gimple_call_arg(call, i), bytes, BUILT_IN_TSAN_READ_RANGE),
                                  GSI_SAME_STMT);
    }
    HOST_WIDE_INT bytes = bytes_of(gimple_call_lhs(call));
    if (!bytes)
        return;
    gimple_seq seq = hook_of(call, gimple_call_lhs(call), bytes, BUILT_IN_TSAN_WRITE_RANGE);
    edge onward = stmt_ends_bb_p(call) ? find_fallthru_edge(gimple_bb(call)->succs) : NULL;
    if (!stmt_ends_bb_p(call))
        gsi_insert_seq_after(gsi, seq, GSI_CONTINUE_LINKING);
    else if (onward)
        gsi_insert_seq_on_edge(onward, seq);
}

/* The routine behind a built-in function that accesses memory, which Fencepost sees as a call; NULL for others. */
static const char *
routine_of(tree decl)
{
    switch (DECL_FUNCTION_CODE(decl)) {
    case BUILT_IN_MEMCPY:
        return "memcpy";
    case BUILT_IN_MEMPCPY:
        return "mempcpy";
    case BUILT_IN_MEMMOVE:
        return "memmove";
    case BUILT_IN_MEMSET:
        return "memset";
    case BUILT_IN_BZERO:
        return "bzero";
    case BUILT_IN_MEMCMP:
    case BUILT_IN_MEMCMP_EQ:
    case BUILT_IN_BCMP:
        return "memcmp";
    case BUILT_IN_MEMCHR:
        return "memchr";
    case BUILT_IN_STRLEN:
        return "strlen";
    case BUILT_IN_STRCMP:
    case BUILT_IN_STRCMP_EQ:
        return "strcmp";
    case BUILT_IN_STRNCMP:
    case BUILT_IN_STRNCMP_EQ:
        return "strncmp";
    case BUILT_IN_STRCPY:
        return "strcpy";
    case BUILT_IN_STRNCPY:
        return "strncpy";
    case BUILT_IN_STRCAT:
        return "strcat";
    default:
        return NULL;
    }
}

void
tell_calls(function *fun)
{
    basic_block block;
    FOR_EACH_BB_FN(block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(block); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        if (!is_gimple_call(stmt) || gimple_call_internal_p(stmt))
            continue;
        tree decl = gimple_call_fndecl(stmt);
        if (!decl || !fndecl_built_in_p(decl, BUILT_IN_NORMAL)) {
            tell_call(&gsi);
            continue;
        }
        const char *name = routine_of(decl);
        if (name) {
            gimple_call_set_fndecl(stmt, hook_routine(name, TREE_TYPE(decl)));
            update_stmt(stmt);
        }
    }
    gsi_commit_edge_inserts();
}
