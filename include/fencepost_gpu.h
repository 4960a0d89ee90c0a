/* fencepost_gpu.h -- what kernels of a PE have to know, and how they get to know it.
 *
 * Each PE runs an image of the program with its own copy of every kernel and device variable, so "which PE am I" is a
 * constant of the image. Every source that includes nvshmem.h under nvcc brings such a constant and announces it; the
 * library fills it in at nvshmem_init, on the GPU that is current then, and again when another one has become current.
 *
 * The first bytes of each heap are the library's: the table of teams, one entry each, and words by which members of a
 * team meet. All are zero at the start.
 *
 * The functions exist in the CUDA backend only; they are weak here, so that a program can be linked with another one.
 */
#ifndef FENCEPOST_GPU_H
#define FENCEPOST_GPU_H

#include <stdint.h>

#define FENCEPOST_GPU_TEAMS 512

/* Members are start, start + stride, ... in world numbering. `words` is where in a heap the team's `size` words begin:
 * member r writes word r of each other one. `meetings` is how often the PE's kernels have met the others. */
struct fencepost_gpu_team {
    int size, rank, start, stride;
    uint64_t words, meetings;
    uint64_t unused[4]; /* an entry is a line of the cache */
};

struct fencepost_gpu_state {
    char *heap; /* the PE's own; that of PE q is at heap + (q - pe) * stride */
    uint64_t stride;
    uint64_t bytes; /* of a heap's range of addresses */
    char *heaps;    /* of PE 0 */
    int pe, npes;
    int pes_on_gpu; /* that share the PE's GPU */
    int initialised;
};

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A source announces its constant: `set` copies the state there, on the current GPU, and returns that GPU's number. */
void fencepost_gpu_module(int (*set)(const struct fencepost_gpu_state *state)) __attribute__((weak));
/* Fills in the constants of all sources of the calling PE, if the current GPU has not got them. */
void fencepost_gpu_publish(int gpu) __attribute__((weak));
/* The calling PE has become a member of a team (its number in nvshmem.h): kernels may use it. */
void fencepost_gpu_team(int team) __attribute__((weak));
/* Of the calling PE. */
const struct fencepost_gpu_state *fencepost_gpu_here(void) __attribute__((weak));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
