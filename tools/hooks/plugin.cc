/* plugin.cc -- what oshcc -fsanitize=shmem adds to gcc's own instrumentation: hooks leave the inner loops.
 *
 * gcc puts a call before each load and store (-fsanitize=thread). In a counted loop that walks through arrays that is
 * most of the time: the calls, and the loop that cannot be vectorised any more. Two passes stand around gcc's:
 *
 *   before   loops.cc: accesses of innermost loops that each iteration makes, at base + i * step, are told by one call
 *            in front of the loop, and marked
 *   after    merge.cc: the hooks of marked statements go; a hook that repeats an earlier one of its line and block
 *            goes; a load and a store of one place by one line become one hook
 *
 * A third, calls.cc, adds what gcc's instrumentation leaves out, at -O0 as well: what calls themselves read and write.
 *
 * What is told stays exact: the same bytes by the same lines, and in an order in which nothing else comes out. Where
 * that is not certain, gcc's hooks stay. The plugin belongs to exactly the compiler that it was built for; oshcc knows,
 * and does without it else.
 */
#include "tools/hooks/hooks.h"

#include <plugin-version.h>

#include <stringpool.h>

#include <attribs.h>

#include <asan.h>
#include <diagnostic-core.h>

int plugin_is_GPL_compatible;
told_set *told;

static tree
declare(const char *name, tree type)
{
    tree decl = build_fn_decl(name, type);
    TREE_NOTHROW(decl) = 1;
    DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("leaf"), NULL_TREE, DECL_ATTRIBUTES(decl));
    return decl;
}

static GTY(()) tree loop_decl;
static GTY(()) tree update_decls[5];

tree
hook_loop(void)
{
    if (!loop_decl)
        loop_decl =
            declare("__fencepost_loop", build_function_type_list(void_type_node, const_ptr_type_node, size_type_node,
                                                                 ssizetype, unsigned_type_node, NULL_TREE));
    return loop_decl;
}

tree
hook_update(unsigned bytes)
{
    int i = exact_log2(bytes);
    if (!update_decls[i]) {
        char name[32];
        snprintf(name, sizeof name, "__fencepost_update%u", bytes);
        update_decls[i] = declare(name, build_function_type_list(void_type_node, const_ptr_type_node, NULL_TREE));
    }
    return update_decls[i];
}

/* By the name of a routine of libc, and not known to be it. */
tree
hook_routine(const char *name, tree type)
{
    return declare(name, type);
}

bool
same_line(const gimple *a, const gimple *b)
{
    location_t at = gimple_location(a), bt = gimple_location(b);
    if (at == UNKNOWN_LOCATION || bt == UNKNOWN_LOCATION || LOCATION_BLOCK(at) != LOCATION_BLOCK(bt))
        return at == bt;
    expanded_location x = expand_location(at), y = expand_location(bt);
    return x.line == y.line && x.file && y.file && !strcmp(x.file, y.file);
}

namespace
{
const pass_data before_data = {GIMPLE_PASS, "fencepost_loops", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0,
                               0,           TODO_update_ssa};
const pass_data after_data = {GIMPLE_PASS, "fencepost_merge", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0,
                              0,           TODO_update_ssa};

const pass_data calls_data = {GIMPLE_PASS, "fencepost_calls", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0,
                              0,           TODO_update_ssa};

class hooks_pass : public gimple_opt_pass
{
  public:
    hooks_pass(const pass_data &data, void (*work)(function *)) : gimple_opt_pass(data, g), work(work)
    {
    }
    opt_pass *
    clone() final
    {
        return new hooks_pass(*this, work);
    }
    bool
    gate(function *) final
    {
        return sanitize_flags_p(SANITIZE_THREAD);
    }
    unsigned
    execute(function *fun) final
    {
        work(fun);
        return 0;
    }

  private:
    void (*work)(function *);
};
} // namespace

static void
add_pass(hooks_pass *pass, pass_positioning_ops where, const char *beside, const char *name)
{
    register_pass_info info = {pass, beside, 0, where};
    register_callback(name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

/* Our declarations live as long as the compiler does. */
static const ggc_root_tab roots[] = {
    {&loop_decl, 1, sizeof loop_decl, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    {&update_decls[0], ARRAY_SIZE(update_decls), sizeof update_decls[0], &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB};

int
plugin_init(plugin_name_args *args, plugin_gcc_version *version)
{
    if (!plugin_default_version_check(version, &gcc_version)) {
        error("the plugin of %<-fsanitize=shmem%> was built for another compiler (%s)", gcc_version.basever);
        return 1;
    }
    told = new told_set;
    register_callback(args->base_name, PLUGIN_REGISTER_GGC_ROOTS, NULL, const_cast<ggc_root_tab *>(roots));
    add_pass(new hooks_pass(before_data, tell_loops), PASS_POS_INSERT_BEFORE, "tsan", args->base_name);
    add_pass(new hooks_pass(after_data, merge_hooks), PASS_POS_INSERT_AFTER, "tsan", args->base_name);
    add_pass(new hooks_pass(calls_data, tell_calls), PASS_POS_INSERT_AFTER, "fencepost_merge", args->base_name);
    add_pass(new hooks_pass(calls_data, tell_calls), PASS_POS_INSERT_AFTER, "tsan0", args->base_name);
    return 0;
}
