/* hooks.h -- what the files of the compiler's plugin share. See plugin.cc. */
#ifndef HOOKS_H
#define HOOKS_H

#include <gcc-plugin.h>

#include <tree.h>

#include <basic-block.h>
#include <context.h>
#include <gimple.h>
#include <tree-pass.h>

#include <gimple-iterator.h>

/* An access of a loop that is told in front of it. Its hook, which comes to stand before the statement, is not needed.
 * */
typedef hash_set<gimple *> told_set;
extern told_set *told;

/* The hooks of the runtime (reference/check/loops.c). Bits of the last argument of the first: loops.c has them too. */
enum { HOOK_WRITE = 1 << 8, HOOK_MORE = 1 << 9, HOOK_TWIN_SHIFT = 16 };
tree hook_loop(void);
tree hook_update(unsigned bytes);
tree hook_routine(const char *name, tree type);

/* Two statements of one line of source, as a person sees it. */
bool same_line(const gimple *a, const gimple *b);

/* loops.cc: before the compiler's instrumentation; merge.cc: after it. */
void tell_loops(function *fun);
void merge_hooks(function *fun);
void tell_calls(function *fun); /* calls.cc, last */

#endif
