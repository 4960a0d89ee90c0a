/* merge.cc -- hooks that are not needed go: see plugin.cc.
 *
 * Hooks are seen block by block, as far as nothing is called that might do something that others can learn of. A hook
 * of a marked statement is the one that was put right before it. One that repeats an earlier hook of its line has
 * nothing to say. Where a line loads and stores one place, the store's hook tells both, if no other store comes
 * between: the load would have been told before that.
 */
#include "tools/hooks/hooks.h"

#include <fold-const.h>
#include <gimple-ssa.h>
#include <ssa.h>
#include <tree-cfg.h>
#include <tree-into-ssa.h>

struct hook {
    gimple *call;
    tree address;
    unsigned bytes;
    bool write;
};

/* __tsan_read8 and its kin; volatile accesses and ranges stay as they are. */
static bool
is_hook(gimple *stmt, hook *hook)
{
    tree decl = is_gimple_call(stmt) ? gimple_call_fndecl(stmt) : NULL_TREE;
    if (!decl || !DECL_NAME(decl) || gimple_call_num_args(stmt) != 1)
        return false;
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
    unsigned bytes;
    int end = 0;
    if (sscanf(name, "__tsan_read%u%n", &bytes, &end) == 1 && !name[end])
        *hook = {stmt, gimple_call_arg(stmt, 0), bytes, false};
    else if (sscanf(name, "__tsan_write%u%n", &bytes, &end) == 1 && !name[end])
        *hook = {stmt, gimple_call_arg(stmt, 0), bytes, true};
    else
        return false;
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

/* Fencepost walks the stack where it needs it. */
static bool
is_frame_hook(gimple *stmt)
{
    tree decl = is_gimple_call(stmt) ? gimple_call_fndecl(stmt) : NULL_TREE;
    if (!decl || !DECL_NAME(decl))
        return false;
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
    return !strcmp(name, "__tsan_func_entry") || !strcmp(name, "__tsan_func_exit");
}

static void
drop(gimple *call)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(call);
    unlink_stmt_vdef(call);
    gsi_remove(&gsi, true);
    release_defs(call);
}

/* Hooks compute addresses into names of their own. */
static bool
same_address(tree a, tree b)
{
    for (tree *x : {&a, &b})
        if (TREE_CODE(*x) == SSA_NAME && gimple_assign_single_p(SSA_NAME_DEF_STMT(*x)) &&
            TREE_CODE(gimple_assign_rhs1(SSA_NAME_DEF_STMT(*x))) == ADDR_EXPR)
            *x = gimple_assign_rhs1(SSA_NAME_DEF_STMT(*x));
    return operand_equal_p(a, b, 0);
}

/* Goes through the hooks of a block since the last call, the latest first. True: the new one is not needed. */
static bool
merged(auto_vec<hook> *hooks, const hook *now)
{
    bool stored = false;
    for (unsigned i = hooks->length(); i-- > 0;) {
        hook *old = &(*hooks)[i];
        bool same =
            old->bytes == now->bytes && same_line(old->call, now->call) && same_address(old->address, now->address);
        if (same && old->write == now->write && (now->write || !stored))
            return true;
        if (same && now->write && !stored) {
            drop(old->call);
            hooks->ordered_remove(i);
            gimple_call_set_fndecl(now->call, hook_update(now->bytes));
            update_stmt(now->call);
            return false;
        }
        stored |= old->write;
    }
    return false;
}

static void
merge_block(basic_block block)
{
    auto_vec<hook> hooks;
    gimple *last = NULL; /* hook since which no memory has been accessed */
    for (gimple_stmt_iterator gsi = gsi_start_bb(block), next; !gsi_end_p(gsi); gsi = next) {
        gimple *stmt = gsi_stmt(gsi);
        hook now;
        next = gsi;
        gsi_next(&next);
        if (is_frame_hook(stmt)) {
            drop(stmt);
            continue;
        }
        if (is_hook(stmt, &now)) {
            last = stmt;
            hooks.safe_push(now);
            continue;
        }
        if (is_gimple_debug(stmt) || !gimple_vuse(stmt))
            continue;
        if (told->contains(stmt) && last) {
            hooks.pop();
            drop(last);
        } else if (last) {
            now = hooks.pop();
            if (merged(&hooks, &now))
                drop(last);
            else
                hooks.safe_push(now);
        }
        last = NULL;
        if (!is_gimple_assign(stmt))
            hooks.truncate(0);
    }
}

void
merge_hooks(function *fun)
{
    if (optimize < 1)
        return;
    basic_block block;
    FOR_EACH_BB_FN(block, fun)
    merge_block(block);
    told->empty();
}
