/* ctx.c -- contexts (9.5): made, found by their handle, destroyed. */
#include "reference/api/ctx.h"

#include <stdlib.h>

#include "reference/check/check.h"
#include "reference/team/team.h"

/* Adds a live context to the PE's table; its id is its place. NULL: no memory, or the backend declines. */
shmem_ctx_state_t *
fp_ctx_add(struct fp_pe *pe, long options, int team, shmem_call_t created)
{
    shmem_ctx_state_t *ctx = calloc(1, sizeof *ctx);
    shmem_ctx_state_t **table;

    if (ctx == NULL)
        return NULL;
    /* The table doubles: it is full when the number of contexts is a power of two. */
    if (pe->nctxs == 0 || (pe->nctxs & (pe->nctxs - 1)) == 0) {
        table = realloc(pe->ctxs, sizeof *table * (pe->nctxs == 0 ? 1 : 2 * (size_t)pe->nctxs));
        if (table == NULL) {
            free(ctx);
            return NULL;
        }
        pe->ctxs = table;
    }
    *ctx = (shmem_ctx_state_t){
        .pe = pe, .id = (uint32_t)pe->nctxs, .options = options, .team = team, .live = true, .created = created};
    if (pe->job->backend->ctx_create(ctx) != 0) {
        free(ctx);
        return NULL;
    }
    pe->ctxs[pe->nctxs++] = ctx;
    return ctx;
}

void
fp_ctx_open(struct fp_pe *pe, const shmem_call_t *init)
{
    while (pe->nctxs < 2)
        if (fp_ctx_add(pe, 0, FP_TEAM_WORLD, *init) == NULL)
            fp_env_fail("no memory for the contexts of PE %d: use fewer PEs", pe->rank);
    pe->ctxs[0]->created = *init;
}

static void
ctx_remove(shmem_ctx_state_t *ctx, const shmem_call_t *call)
{
    const shmem_backend_t *backend = ctx->pe->job->backend;

    backend->quiet(ctx, call);
    backend->ctx_destroy(ctx);
    ctx->live = false;
}

void
fp_ctx_close(struct fp_pe *pe, const shmem_call_t *call)
{
    for (int i = 2; i < pe->nctxs; i++) {
        if (!pe->ctxs[i]->live)
            continue;
        fp_usage(FP_CLASS_LEAK, "E133, S 9.1.4", &pe->ctxs[i]->created,
                 "a context made by %s is not destroyed at the last shmem_finalize", pe->ctxs[i]->created.name);
        ctx_remove(pe->ctxs[i], call);
    }
}

void
fp_ctx_close_team(struct fp_pe *pe, int team, const shmem_call_t *call)
{
    for (int i = 2; i < pe->nctxs; i++) {
        if (!pe->ctxs[i]->live || pe->ctxs[i]->team != team)
            continue;
        if (pe->ctxs[i]->options & SHMEM_CTX_PRIVATE)
            fp_usage(FP_CLASS_USAGE, "E118, S 9.4.8", call,
                     "%s: a private context of the team, made by %s, is not destroyed", call->name,
                     pe->ctxs[i]->created.name);
        else
            fp_note("E119, S 9.5.2", call,
                    "%s: a context of the team, made by %s, is not destroyed yet; the standard says in one place that "
                    "this destroys it, in another that it is wrong",
                    call->name, pe->ctxs[i]->created.name);
        ctx_remove(pe->ctxs[i], call);
    }
}

shmem_ctx_state_t *
fp_ctx_find_slow(struct fp_pe *pe, shmem_ctx_t handle, const shmem_call_t *call)
{
    const uintptr_t id = (uintptr_t)handle - 1;

    if (handle == SHMEM_CTX_INVALID) {
        fp_usage(FP_CLASS_USAGE, "E128, S 9.5", call, "%s was given SHMEM_CTX_INVALID", call->name);
        return NULL;
    }
    if (id == 1 || id >= (uintptr_t)pe->nctxs) {
        fp_usage(FP_CLASS_USAGE, "E128, S 9.5", call, "%s was given a context handle that this PE never created",
                 call->name);
        return NULL;
    }
    if (!pe->ctxs[id]->live) {
        fp_usage(FP_CLASS_LIFETIME, "E129, S 9.5.3", call, "%s was given a context that is already destroyed",
                 call->name);
        return NULL;
    }
    return pe->ctxs[id];
}

int
fp_ctx_target_slow(const shmem_ctx_state_t *ctx, int pe, const shmem_call_t *call)
{
    const struct fp_job *job = ctx->pe->job;
    const int size = fp_team_size(job, ctx->team);

    if (pe >= 0 && pe < size)
        return fp_team_world_pe(job, ctx->team, pe);
    fp_usage(FP_CLASS_USAGE, "E027, S 9.6", call, "%s was given PE %d; the team of its context has PEs 0 to %d",
             call->name, pe, size - 1);
    return -1;
}

static int
ctx_create(shmem_team_t handle, long options, shmem_ctx_t *ctx, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);
    shmem_ctx_state_t *state = NULL;

    if (ctx != NULL)
        *ctx = SHMEM_CTX_INVALID;
    if (pe == NULL)
        return 1;
    if (ctx == NULL) {
        fp_usage(FP_CLASS_USAGE, "E029, Annex C", &call, "%s was given a null pointer for the context", call.name);
    } else {
        const int team = fp_team_find(pe, handle, &call);
        if (options & ~(SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE))
            fp_note("E135, S 9.5.1", &call, "%s was given options that do not exist: %#lx", call.name, options);
        if (team >= 0)
            state = fp_ctx_add(pe, options, team, call);
        if (state != NULL)
            *ctx = (shmem_ctx_t)(uintptr_t)(state->id + 1);
    }
    fp_leave(pe);
    return state == NULL;
}

static void
ctx_destroy(shmem_ctx_t handle, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    if (handle == SHMEM_CTX_DEFAULT) {
        fp_usage(FP_CLASS_USAGE, "E130, S 9.5.3", &call, "%s was given SHMEM_CTX_DEFAULT, which cannot be destroyed",
                 call.name);
    } else if (handle != SHMEM_CTX_INVALID) {
        shmem_ctx_state_t *state = fp_ctx_find(pe, handle, &call);
        if (state != NULL)
            ctx_remove(state, &call);
    }
    fp_leave(pe);
}

static int
ctx_get_team(shmem_ctx_t handle, shmem_team_t *team, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);
    const shmem_ctx_state_t *state = NULL;

    if (pe == NULL)
        return 1;
    if (team == NULL) {
        fp_usage(FP_CLASS_USAGE, "E029, Annex C", &call, "%s was given a null pointer for the team", call.name);
    } else {
        *team = SHMEM_TEAM_INVALID;
        if (handle != SHMEM_CTX_INVALID)
            state = fp_ctx_find(pe, handle, &call);
        if (state != NULL)
            *team = fp_team_handle(state->team);
    }
    fp_leave(pe);
    return state == NULL;
}

/* Sessions are hints; only the handle is judged. INVALID does nothing. */
static void
ctx_session(shmem_ctx_t handle, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    if (handle != SHMEM_CTX_INVALID)
        fp_ctx_find(pe, handle, &call);
    fp_leave(pe);
}

FP_ROUTINE_IS(int, ctx_create, (long options, shmem_ctx_t *ctx),
              return ctx_create(SHMEM_TEAM_WORLD, options, ctx, call))
FP_ROUTINE_IS(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx),
              return ctx_create(team, options, ctx, call))
FP_ROUTINE_IS(void, ctx_destroy, (shmem_ctx_t ctx), ctx_destroy(ctx, call))
FP_ROUTINE_IS(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team), return ctx_get_team(ctx, team, call))
FP_ROUTINE_IS(void, ctx_session_start,
              (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask),
              ctx_session(ctx, call))
FP_ROUTINE_IS(void, ctx_session_stop, (shmem_ctx_t ctx), ctx_session(ctx, call))
