/* wait.c -- wait and test on words of a GPU: the proxy kernel looks, the host compares.
 *
 * One word is watched by the kernel until it changes, for a few microseconds at a time, so that a wait costs the bus
 * nothing while nothing happens. Several words are read in one go. The reply stands behind a fence of the kernel, so
 * what the word announces is there for every later read of this PE, whichever way that takes (H10). */
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "gpu_backend/gpu.h"

enum { WORDS_AT_ONCE = 64, LOOKS_BEFORE_SLEEP = 2000, DOZES_ALONE = 1000 };

static unsigned
kind_for(unsigned kind16, size_t bytes)
{
    return kind16 + (bytes == 8 ? 2 : bytes == 4 ? 1 : 0);
}

/* Words [first, first + n), those that count, into `words`. */
static void
words_read(struct gpu_pe *pe, const shmem_wait_t *wait, size_t first, size_t n, char *words)
{
    uint64_t replies[WORDS_AT_ONCE], quiet;
    const unsigned kind = kind_for(GPU_GET16, wait->elem_bytes);

    gpu_lock(pe);
    for (size_t i = 0; i < n; i++) {
        const char *word = (const char *)wait->ivars + (first + i) * wait->elem_bytes;
        if (wait->status == NULL || wait->status[first + i] == 0)
            replies[i] = gpu_post_reply(pe, kind, word, 0);
    }
    quiet = gpu_post_reply(pe, GPU_QUIET, NULL, 0);
    gpu_kick(pe);
    gpu_unlock(pe);
    for (size_t i = 0; i < n; i++)
        if (wait->status == NULL || wait->status[first + i] == 0) {
            const uint64_t value = gpu_reply(pe, replies[i]);
            memcpy(words + (first + i) * wait->elem_bytes, &value, wait->elem_bytes);
        }
    gpu_reply(pe, quiet);
}

/* Looks once; `mine` is the wait with its words here. */
static void
look(struct gpu_pe *pe, const shmem_wait_t *wait, const shmem_wait_t *mine)
{
    for (size_t first = 0; first < wait->n; first += WORDS_AT_ONCE)
        words_read(pe, wait, first, wait->n - first < WORDS_AT_ONCE ? wait->n - first : WORDS_AT_ONCE,
                   (char *)(uintptr_t)mine->ivars);
}

/* Looks again, at a single word for as long as it stays what it was. */
static void
look_again(struct gpu_pe *pe, const shmem_wait_t *wait, const shmem_wait_t *mine)
{
    uint64_t value = 0;

    if (wait->n != 1) {
        look(pe, wait, mine);
        return;
    }
    memcpy(&value, mine->ivars, wait->elem_bytes);
    gpu_lock(pe);
    const uint64_t reply = gpu_post_reply(pe, kind_for(GPU_WATCH16, wait->elem_bytes), wait->ivars, value);
    gpu_kick(pe);
    gpu_unlock(pe);
    value = gpu_reply(pe, reply);
    memcpy((char *)(uintptr_t)mine->ivars, &value, wait->elem_bytes);
}

/* A copy of an argument that may be memory of a GPU; to be freed. */
static void *
argument_here(struct gpu_pe *pe, const void *argument, size_t bytes)
{
    char *here = malloc(bytes);
    const struct gpu_copy copy = {.dest = here, .source = argument, .block_bytes = bytes, .nblocks = 1};

    if (here == NULL)
        fp_env_fail("out of memory");
    if (gpu_is_device(fp_self->job, argument))
        gpu_copy_from_gpu(pe, &copy);
    else
        memcpy(here, argument, bytes);
    return here;
}

/* The wait with everything in the host's memory. */
struct here {
    shmem_wait_t wait; /* of the program, arguments here, words where they are */
    shmem_wait_t mine; /* ... and a copy of the words */
    void *status, *values, *words;
    size_t *indices;
};

static void
bring_here(struct gpu_pe *pe, const shmem_wait_t *wait, struct here *here)
{
    *here = (struct here){.wait = *wait};
    if (wait->status != NULL)
        here->wait.status = here->status = argument_here(pe, wait->status, wait->n * sizeof *wait->status);
    here->wait.values = here->values = argument_here(pe, wait->values, (wait->vector ? wait->n : 1) * wait->elem_bytes);
    here->words = calloc(wait->n, wait->elem_bytes);
    here->indices = wait->indices != NULL ? malloc(wait->n * sizeof *wait->indices) : NULL;
    if (here->words == NULL || (wait->indices != NULL && here->indices == NULL))
        fp_env_fail("out of memory");
    here->mine = here->wait;
    here->mine.ivars = here->words;
    here->mine.indices = here->indices;
}

static void
give_back(struct gpu_pe *pe, const shmem_wait_t *wait, struct here *here, size_t result)
{
    if (wait->indices != NULL && result > 0) {
        const struct gpu_copy copy = {.dest = (char *)wait->indices,
                                      .source = (char *)here->indices,
                                      .block_bytes = result * sizeof *wait->indices,
                                      .nblocks = 1};
        if (gpu_is_device(fp_self->job, wait->indices))
            gpu_copy_to_gpu(pe, &copy, GPU_COMPLETE);
        else
            memcpy(wait->indices, here->indices, copy.block_bytes);
    }
    free(here->status);
    free(here->values);
    free(here->words);
    free(here->indices);
}

static bool
satisfied(const shmem_wait_t *wait, size_t result)
{
    return wait->mode == SHMEM_WAIT_ANY ? result != SIZE_MAX : result != 0;
}

static void
doze(void)
{
    const struct timespec ms = {0, 1000000};

    syscall(SYS_nanosleep, &ms, NULL);
}

/* A PE has ended, and all others wait: nothing of the host will wake anybody. A kernel might, so that is only said
 * after a while. */
static bool
is_left_alone(struct fp_job *job)
{
    struct direct_job *direct = direct_of(job);

    pthread_mutex_lock(&direct->mutex);
    const bool alone = direct->ended > 0 && direct->stopped + atomic_load(&gpu_of(job)->dozing) >= job->npes;
    pthread_mutex_unlock(&direct->mutex);
    return alone;
}

static _Noreturn void
give_up(struct fp_job *job, const shmem_wait_t *mine)
{
    struct direct_job *direct = direct_of(job);

    pthread_mutex_lock(&direct->mutex);
    direct->pes[fp_self->rank].wait = mine;
    direct_block(job, DIRECT_IN_WAIT, &mine->call);
    pthread_mutex_unlock(&direct->mutex);
    direct_report_hang(job);
}

/* Looks until it holds. */
static size_t
wait_long(struct gpu_pe *pe, const struct here *here)
{
    struct fp_job *job = fp_self->job;
    size_t result;

    direct_of(job)->pes[fp_self->rank].call = here->wait.call;
    for (unsigned looks = 0, alone = 0;; looks++) {
        look_again(pe, &here->wait, &here->mine);
        if (satisfied(&here->wait, result = direct_test(&here->mine)))
            return result;
        if (direct_ending(job))
            fp_pe_abandon();
        if (looks < LOOKS_BEFORE_SLEEP)
            continue;
        atomic_fetch_add(&gpu_of(job)->dozing, 1);
        doze();
        alone = is_left_alone(job) ? alone + 1 : 0;
        if (alone > DOZES_ALONE)
            give_up(job, &here->mine);
        atomic_fetch_sub(&gpu_of(job)->dozing, 1);
    }
}

size_t
gpu_wait(const shmem_wait_t *wait)
{
    struct fp_job *job = fp_self->job;
    struct gpu_pe *pe = gpu_pe_of(fp_self);
    struct here here;
    size_t result;

    if (!gpu_is_heap(job, wait->ivars))
        return direct_wait(wait);
    bring_here(pe, wait, &here);
    look(pe, &here.wait, &here.mine);
    if (!satisfied(wait, result = direct_test(&here.mine))) {
        __atomic_fetch_add(&job->waits_blocked, 1, __ATOMIC_RELAXED);
        result = wait_long(pe, &here);
    }
    give_back(pe, wait, &here, wait->mode == SHMEM_WAIT_SOME ? result : 0);
    return result;
}

size_t
gpu_test(const shmem_wait_t *wait)
{
    struct gpu_pe *pe = gpu_pe_of(fp_self);
    struct here here;

    if (!gpu_is_heap(fp_self->job, wait->ivars))
        return direct_test(wait);
    bring_here(pe, wait, &here);
    look(pe, &here.wait, &here.mine);
    const size_t result = direct_test(&here.mine);
    give_back(pe, wait, &here, wait->mode == SHMEM_WAIT_SOME ? result : 0);
    return result;
}
