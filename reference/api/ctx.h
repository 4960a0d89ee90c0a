/* ctx.h -- contexts of a PE and the handles that name them.
 *
 * A handle is the context's id + 1: 1 is the default context, 2 is the library's own and no user's. Ids are never
 * reused, so a stale handle is told from a wrong one for as long as the PE lives; the state of a dead context stays,
 * for reports.
 */
#ifndef FP_CTX_H
#define FP_CTX_H

#include "reference/api/define.h"

/* Makes contexts 0 and 1 of a PE at its first init; notes which call opened the library. */
void fp_ctx_open(struct fp_pe *pe, const shmem_call_t *init);
/* One more; NULL: no memory, or the backend declines. */
shmem_ctx_state_t *fp_ctx_add(struct fp_pe *pe, long options, int team, shmem_call_t created);
/* At the last finalize: reports what was not destroyed (E133), completes and destroys it. */
void fp_ctx_close(struct fp_pe *pe, const shmem_call_t *call);

/* A team ends at this PE: completes and destroys the contexts that are left; private ones are reported (E118). */
void fp_ctx_close_team(struct fp_pe *pe, int team, const shmem_call_t *call);

/* The live context that a handle names; NULL after a finding (E128, E129). */
shmem_ctx_state_t *fp_ctx_find_slow(struct fp_pe *pe, shmem_ctx_t handle, const shmem_call_t *call);

static inline shmem_ctx_state_t *
fp_ctx_find(struct fp_pe *pe, shmem_ctx_t handle, const shmem_call_t *call)
{
    if (__builtin_expect(handle == SHMEM_CTX_DEFAULT, 1))
        return pe->ctxs[0];
    return fp_ctx_find_slow(pe, handle, call);
}

/* The library's own context of a PE. */
static inline shmem_ctx_state_t *
fp_ctx_internal(struct fp_pe *pe)
{
    return pe->ctxs[1];
}

/* World number of PE `pe` of the context's team, or -1 after a finding (E027). */
int fp_ctx_target_slow(const shmem_ctx_state_t *ctx, int pe, const shmem_call_t *call);

static inline int
fp_ctx_target(const shmem_ctx_state_t *ctx, int pe, const shmem_call_t *call)
{
    if (__builtin_expect(ctx->team == 0 && pe >= 0 && pe < ctx->pe->job->npes, 1))
        return pe;
    return fp_ctx_target_slow(ctx, pe, call);
}

#endif
