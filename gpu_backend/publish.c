/* publish.c -- the constants and tables that kernels of a program read (include/fencepost_gpu.h). */
#include "fencepost_gpu.h"

#include <stdlib.h>

#include "gpu_backend/gpu.h"
#include "reference/heap/heap.h"
#include "reference/team/team.h"

#define EXPORT __attribute__((visibility("default")))

/* Numbers of nvshmem.h: WORLD 0, SHARED 1, the node 2 (all PEs), those with the caller's number on each node 3 (the
 * caller); a team of the program has its index here plus 2. */
enum { NODE = 2, SAME_ON_NODES = 3, PREDEFINED = 4 };

/* Where the words of a heap begin: the node's, which is no team to the front end, and the pool of all others. */
#define NODE_WORDS (FENCEPOST_GPU_TEAMS * sizeof(struct fencepost_gpu_team))
#define POOL FP_HEAP_INTERNAL_BYTES

static struct fencepost_gpu_team
entry_of(struct fp_pe *pe, int team)
{
    const int npes = pe->job->npes, index = team >= PREDEFINED ? team - 2 : 0;
    const struct fp_team *made = team >= PREDEFINED ? fp_team_get(pe->job, index) : NULL;

    if (team == SAME_ON_NODES)
        return (struct fencepost_gpu_team){.size = 1, .rank = 0, .start = pe->rank, .stride = 1};
    if (made == NULL)
        return (struct fencepost_gpu_team){
            .size = npes,
            .rank = pe->rank,
            .start = 0,
            .stride = 1,
            .words = team == NODE ? NODE_WORDS : POOL + sizeof(uint64_t) * (size_t)team * (size_t)npes};
    return (struct fencepost_gpu_team){.size = made->size,
                                       .rank = fp_team_rank(pe->job, index, pe->rank),
                                       .start = made->start,
                                       .stride = made->stride,
                                       .words = POOL + sizeof(uint64_t) * made->signals};
}

static void
entry_write(struct fp_pe *pe, int team)
{
    const struct fencepost_gpu_team entry = entry_of(pe, team);

    gpu_memory.copy(pe, pe->heap_base + (size_t)team * sizeof entry, &entry, sizeof entry);
}

void
gpu_publish_open(struct fp_pe *pe)
{
    struct gpu_pe *gpu = gpu_pe_of(pe);

    gpu->state = (struct fencepost_gpu_state){.heap = pe->heap_base,
                                              .stride = pe->job->stride,
                                              .bytes = pe->job->stride,
                                              .heaps = pe->job->arena,
                                              .pe = pe->rank,
                                              .npes = pe->job->npes,
                                              .pes_on_gpu = gpu->device->pes,
                                              .initialised = 1};
    for (int team = 0; team < PREDEFINED; team++)
        entry_write(pe, team);
}

void
gpu_publish_close(struct gpu_pe *pe)
{
    free(pe->modules);
}

EXPORT void
fencepost_gpu_module(int (*set)(const struct fencepost_gpu_state *))
{
    struct gpu_pe *pe = gpu_pe_of(fp_self);
    struct gpu_module *more = realloc(pe->modules, (size_t)(pe->nmodules + 1) * sizeof *more);

    if (more == NULL)
        fp_env_fail("out of memory");
    pe->modules = more;
    pe->modules[pe->nmodules++] = (struct gpu_module){set, 0};
}

EXPORT void
fencepost_gpu_publish(int gpu)
{
    struct gpu_pe *pe = gpu_pe_of(fp_self);

    for (int i = 0; gpu >= 0 && gpu < 64 && i < pe->nmodules; i++) {
        const uint64_t bit = UINT64_C(1) << gpu;
        if (pe->modules[i].done & bit)
            continue;
        if (pe->modules[i].set(&pe->state) < 0)
            fp_env_fail("cannot tell the program's kernels about their PE: was it compiled for this GPU (nvcc -arch)?");
        pe->modules[i].done |= bit;
    }
}

EXPORT void
fencepost_gpu_team(int team)
{
    struct fp_pe *pe = fp_self;

    if (team < PREDEFINED || team >= FENCEPOST_GPU_TEAMS)
        return;
    const struct fencepost_gpu_team entry = entry_of(pe, team);
    char *words = pe->heap_base + entry.words;
    /* Another team may have used them. */
    gpu_memory.zero(pe, words, (size_t)entry.size * sizeof(uint64_t));
    entry_write(pe, team);
}

EXPORT const struct fencepost_gpu_state *
fencepost_gpu_here(void)
{
    return &gpu_pe_of(fp_self)->state;
}
