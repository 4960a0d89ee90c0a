/* leaks.c -- heap blocks that are live when the library ends (E160), by the line that allocated them.
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
