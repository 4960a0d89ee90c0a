/* order.c -- fence, quiet, pe_quiet (9.12). SHMEM_CTX_INVALID: nothing to order. */
#include <stdlib.h>

#include "reference/api/ctx.h"
#include "reference/check/check.h"

enum order { FENCE, QUIET };

static void
order(enum order order, shmem_ctx_t ctx, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    if (ctx != SHMEM_CTX_INVALID) {
        shmem_ctx_state_t *state = fp_ctx_find(pe, ctx, &call);
        if (state != NULL && order == FENCE)
            pe->job->backend->fence(state, &call);
        else if (state != NULL)
            pe->job->backend->quiet(state, &call);
    }
    fp_leave(pe);
}

/* The list in world numbers; NULL after a finding. */
static int *
targets_in_world(const shmem_ctx_state_t *ctx, const int *pes, size_t npes, const shmem_call_t *call)
{
    int *world = calloc(npes, sizeof *world);

    if (world == NULL)
        fp_env_fail("%s: no memory for a list of %zu PEs", call->name, npes);
    for (size_t i = 0; i < npes; i++) {
        world[i] = fp_ctx_target(ctx, pes[i], call);
        if (world[i] < 0) {
            free(world);
            return NULL;
        }
    }
    return world;
}

static void
pe_quiet(shmem_ctx_t ctx, const int *pes, size_t npes, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    shmem_ctx_state_t *state = ctx == SHMEM_CTX_INVALID || npes == 0 ? NULL : fp_ctx_find(pe, ctx, &call);
    if (state != NULL && pes == NULL) {
        fp_usage(FP_CLASS_USAGE, "E029, Annex C", &call, "%s was given a null list of %zu PEs", call.name, npes);
    } else if (state != NULL) {
        int *world = targets_in_world(state, pes, npes, &call);
        if (world != NULL)
            pe->job->backend->pe_quiet(state, world, npes, &call);
        free(world);
    }
    fp_leave(pe);
}

FP_ROUTINE_IS(void, fence, (void), order(FENCE, SHMEM_CTX_DEFAULT, call))
FP_ROUTINE_IS(void, ctx_fence, (shmem_ctx_t ctx), order(FENCE, ctx, call))
FP_ROUTINE_QUIETS(void, quiet, (void), order(QUIET, SHMEM_CTX_DEFAULT, call))
FP_ROUTINE_QUIETS(void, ctx_quiet, (shmem_ctx_t ctx), order(QUIET, ctx, call))
FP_ROUTINE_CTX(void, pe_quiet, pe_quiet(ctx, target_pes, npes, call), const int *target_pes, size_t npes)
