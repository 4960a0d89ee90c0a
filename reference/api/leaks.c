/* leaks.c -- what is left at the end: heap blocks (E160), by the line that allocated them; the library itself (E003).
 *
 * Blocks are equal on all PEs, so they are told once, for PE 0. Lines come in the order of their first block's
 * offset, which no schedule changes. */
#include "reference/api/leaks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "reference/heap/heap.h"
#include "reference/report/report.h"

struct line {
    fp_site_t site;
    const char *routine;
    uint64_t blocks, bytes, first_bytes;
};

struct leaks {
    struct fp_job *job;
    struct line *lines;
    size_t n, room;
};

static void
leaks_add(const struct fp_block *block, void *arg)
{
    struct leaks *leaks = arg;
    const fp_site_t site = fp_site_of(leaks->job, block->born_pe, block->born_call.site);
    size_t i = 0;

    while (i < leaks->n && leaks->lines[i].site != site)
        i++;
    if (i == leaks->n) {
        if (leaks->n == leaks->room) {
            leaks->room = leaks->room == 0 ? 16 : 2 * leaks->room;
            leaks->lines = realloc(leaks->lines, leaks->room * sizeof *leaks->lines);
            if (leaks->lines == NULL)
                fp_env_fail("no memory for the list of leaks");
        }
        leaks->lines[leaks->n++] =
            (struct line){.site = site, .routine = block->born_call.name, .first_bytes = block->bytes};
    }
    leaks->lines[i].blocks++;
    leaks->lines[i].bytes += block->bytes;
}

void
fp_leaks_report(struct fp_job *job)
{
    struct leaks leaks = {.job = job};

    if (!job->config.check)
        return;
    fp_heap_each_live(job, leaks_add, &leaks);
    for (size_t i = 0; i < leaks.n; i++) {
        const struct line *line = &leaks.lines[i];
        struct fp_finding finding = {.class_ = FP_CLASS_LEAK, .rule = "E160, S 9.1.4", .naccesses = 1};

        snprintf(finding.message, sizeof finding.message,
                 "%" PRIu64 " block%s of %s (%" PRIu64 " bytes on each PE) %s not freed before the last shmem_finalize",
                 line->blocks, line->blocks == 1 ? "" : "s", line->routine, line->bytes,
                 line->blocks == 1 ? "is" : "are");
        snprintf(finding.object.name, sizeof finding.object.name, "block of %" PRIu64 " bytes", line->first_bytes);
        finding.object.bytes = line->first_bytes;
        finding.object.allocated = line->site;
        finding.accesses[0] = (struct fp_access){.op = line->routine, .kind = FP_ALLOC, .site = line->site};
        snprintf(finding.repair, sizeof finding.repair, "call shmem_free on every PE before shmem_finalize");
        fp_report_add(job->report, &finding);
    }
    free(leaks.lines);
}

/* A PE that ends with an error status has said itself that it gave up. */
static bool
owes_finalize(const struct fp_pe *pe)
{
    return pe->init_count > 0 && pe->exit_status == 0;
}

/* Told by the last PE, for all: where PEs wait for one that has left, the hang is what is told, and not this. */
void
fp_leaks_pe_end(struct fp_pe *pe)
{
    struct fp_job *job = pe->job;
    struct fp_finding finding = {.class_ = FP_CLASS_LEAK, .rule = "E003, S 9.1.1"};
    int owing = 0;

    if (__atomic_add_fetch(&job->npes_at_end, 1, __ATOMIC_ACQ_REL) < job->npes || !job->config.check)
        return;
    for (int i = 0; i < job->npes; i++) {
        if (!owes_finalize(&job->pes[i]))
            continue;
        const shmem_call_t *init = &job->pes[i].ctxs[0]->created;
        if (owing++ < FP_ACCESS_MAX)
            finding.accesses[finding.naccesses++] = (struct fp_access){
                .pe = i, .op = init->name, .kind = FP_CALL, .site = fp_site_of(job, i, init->site)};
    }
    if (owing == 0)
        return;
    snprintf(finding.message, sizeof finding.message,
             "%d of %d PEs ended without as many calls of shmem_finalize as of shmem_init", owing, job->npes);
    snprintf(finding.repair, sizeof finding.repair, "call shmem_finalize on every PE before its program ends");
    fp_report_add(job->report, &finding);
}
