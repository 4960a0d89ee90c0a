/* insert.c -- runs a program as if it had one more call: `--insert shmem_fence@tour.c:10`.
 *
 * Before whatever a PE does at that line (a call of the library, a load or store that the hooks tell), it makes the
 * call first: a fence or quiet of the default context, of context N (`shmem_ctx_quiet#N`) or of all that it created,
 * a sync or barrier of all PEs. So a repair can be tried without touching the source, and `--verify-repairs` does it
 * for those that a finding suggests.
 *
 * Calls of the library come here from fp_enter's slow path (fp_pe.counted), loads and stores because the backend's
 * table is replaced by one with another entry for them; a run without --insert has nothing of this. Whether a place
 * is at the line is asked of the debug information once for each place.
 */
#include "sim/insert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/coll/coll.h"
#include "reference/team/team.h"
#include "sim/sim.h"

static const char *const names[] = {"shmem_fence",     "shmem_quiet",    "shmem_ctx_fence",
                                    "shmem_ctx_quiet", "shmem_sync_all", "shmem_barrier_all"};
enum what { FENCE, QUIET, CTX_FENCE, CTX_QUIET, SYNC, BARRIER, WHATS };

#define ANY_CTX UINT32_MAX
#define SITES 1024 /* remembered, by a hash */

struct sim_insert {
    const shmem_backend_t *real;
    shmem_backend_t table;
    enum what what;
    uint32_t ctx;
    char *file;
    int line;
    struct {
        fp_site_t site;
        bool there;
    } seen[SITES];
};

static bool
same_file(const char *path, const char *name)
{
    size_t n = strlen(path), m = strlen(name);
    return n >= m && !strcmp(path + n - m, name) && (n == m || name[0] == '/' || path[n - m - 1] == '/');
}

static bool
is_there(struct sim_insert *insert, struct fp_job *job, fp_site_t site)
{
    struct fp_line frames[8];
    uint32_t at = (uint32_t)(site * UINT64_C(0x9e3779b97f4a7c15) >> 54);
    if (insert->seen[at].site == site)
        return insert->seen[at].there;
    bool there = false;
    int n = fp_site_frames(job->report, site, frames, 8);
    for (int i = 0; i < n && !there; i++)
        there = frames[i].line == insert->line && same_file(frames[i].file, insert->file);
    insert->seen[at].site = site;
    return insert->seen[at].there = there;
}

static void
order(struct sim_insert *insert, struct sim_pe *sp, const shmem_call_t *call)
{
    bool fence = insert->what == FENCE || insert->what == CTX_FENCE;
    bool own = insert->what == CTX_FENCE || insert->what == CTX_QUIET;
    for (struct sim_ctx *ctx = sp->sim->all_ctxs; ctx; ctx = ctx->next) {
        uint32_t id = ctx->state->id;
        if (ctx->owner != sp || !ctx->state->live || id == 1 || (own ? id == 0 : id != 0))
            continue;
        if (own && insert->ctx != ANY_CTX && id != insert->ctx)
            continue;
        (fence ? sim_fence : sim_quiet)(ctx->state, call);
    }
}

void
sim_insert_before(struct fp_pe *pe, const void *site)
{
    struct sim_pe *sp = pe->backend;
    struct sim_insert *insert = sp->sim->insert;
    if (pe->init_count == 0 || !is_there(insert, pe->job, fp_site_of(pe->job, pe->rank, site)))
        return;
    shmem_call_t call = {names[insert->what], site};
    bool inside = pe->in_runtime;
    pe->in_runtime = true;
    if (insert->what <= CTX_QUIET) {
        order(insert, sp, &call);
    } else {
        if (insert->what == BARRIER)
            sim_quiet(pe->ctxs[0], &call);
        fp_coll_sync(pe, insert->what == BARRIER ? SHMEM_COLL_BARRIER : SHMEM_COLL_SYNC, FP_TEAM_WORLD, &call);
    }
    pe->in_runtime = inside;
}

static void
access(const void *address, size_t bytes, bool write, const char *name, const void *site)
{
    sim_insert_before(fp_self, site);
    sim_access(address, bytes, write, name, site);
}

static int
refuse(const char *text)
{
    fprintf(stderr, "fencepost: --insert (FENCEPOST_INSERT): '%s' is not of the form CALL@FILE:LINE; CALL is one of",
            text);
    for (int i = 0; i < WHATS; i++)
        fprintf(stderr, "%s %s", i ? "," : "", names[i]);
    fprintf(stderr, "\n");
    return -1;
}

static int
parse(struct sim_insert *insert, const char *text)
{
    const char *at = strchr(text, '@'), *colon = strrchr(text, ':'), *hash = strchr(text, '#');
    if (!at || !colon || colon < at + 2)
        return refuse(text);
    const char *end = hash && hash < at ? hash : at;
    int what = 0;
    while (what < WHATS &&
           (strlen(names[what]) != (size_t)(end - text) || strncmp(names[what], text, (size_t)(end - text))))
        what++;
    char *rest;
    insert->what = what;
    insert->ctx = end == hash ? (uint32_t)strtoul(hash + 1, NULL, 10) : ANY_CTX;
    insert->line = (int)strtol(colon + 1, &rest, 10);
    insert->file = strndup(at + 1, (size_t)(colon - at - 1));
    return what == WHATS || *rest || insert->line <= 0 || !insert->file ? refuse(text) : 0;
}

int
sim_insert_open(struct sim *sim)
{
    if (!sim->job->config.insert[0])
        return 0;
    struct sim_insert *insert = sim->insert = calloc(1, sizeof *insert);
    if (!insert)
        fp_env_fail("out of memory");
    if (parse(insert, sim->job->config.insert))
        return -1;
    insert->real = sim->job->backend;
    insert->table = *insert->real;
    insert->table.access = access;
    sim->job->backend = &insert->table;
    return 0;
}

void
sim_insert_close(struct sim *sim)
{
    if (!sim->insert)
        return;
    sim->job->backend = sim->insert->real;
    free(sim->insert->file);
    free(sim->insert);
    sim->insert = NULL;
}
