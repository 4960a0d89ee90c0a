/* device.c -- --heap=device: heap addresses that the CPU may not touch.
 *
 * On a GPU a heap address is good for library calls and kernels, not for loads and stores of the host. Here the program
 * gets addresses in a window of reserved, inaccessible address space, the same on every PE, as NVSHMEM's are. The heap
 * itself is the arena, as always; the outermost table of the job replaces each window address in a descriptor by that
 * of the caller's own copy, so nothing behind it knows of windows. A load or store of the program faults and is
 * reported (fp_check_plain, E200).
 */
#include <stdio.h>
#include <sys/mman.h>

#include "reference/heap/heap.h"
#include "reference/heap/heap_state.h"

int
fp_heap_window_open(struct fp_job *job)
{
    size_t bytes = job->stride * ((size_t)job->npes + 1);
    /* As aligned as the arena is, so that what shmem_align promised holds for window addresses too. */
    uintptr_t align = (uintptr_t)job->arena & -(uintptr_t)job->arena;
    align = align < job->stride ? align : job->stride;
    char *memory = mmap(NULL, bytes + align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "fencepost: cannot reserve %zu bytes of address space for --heap=device\n", bytes);
        return -1;
    }
    job->window = (char *)(((uintptr_t)memory + align - 1) & ~(align - 1));
    munmap(memory, (size_t)(job->window - memory));
    munmap(job->window + bytes, (size_t)(memory + align - job->window));
    job->window_bytes = bytes;
    job->watch_all = true;
    return 0;
}

void
fp_heap_window_close(struct fp_job *job)
{
    if (job->window_bytes)
        munmap(job->window, job->window_bytes);
    job->window = NULL;
    job->window_bytes = 0;
}

static const shmem_backend_t *
inner(void)
{
    return fp_self->job->heap->inner;
}

static void *
own(const void *address)
{
    return fp_heap_own(fp_self, address);
}

static shmem_op_t
own_op(const shmem_op_t *op)
{
    shmem_op_t copy = *op;
    copy.dest = own(op->dest);
    copy.source = own(op->source);
    copy.fetch = own(op->fetch);
    copy.sig_addr = own(op->sig_addr);
    return copy;
}

static shmem_wait_t
own_wait(const shmem_wait_t *wait)
{
    shmem_wait_t copy = *wait;
    copy.ivars = own(wait->ivars);
    copy.status = own(wait->status);
    copy.values = own(wait->values);
    copy.indices = own(wait->indices);
    copy.seen = own(wait->seen);
    return copy;
}

static void
device_put(const shmem_op_t *op)
{
    shmem_op_t copy = own_op(op);
    inner()->put(&copy);
}

static void
device_get(const shmem_op_t *op)
{
    shmem_op_t copy = own_op(op);
    inner()->get(&copy);
}

static void
device_amo(const shmem_op_t *op)
{
    shmem_op_t copy = own_op(op);
    inner()->amo(&copy);
}

static size_t
device_wait(const shmem_wait_t *wait)
{
    shmem_wait_t copy = own_wait(wait);
    return inner()->wait(&copy);
}

static size_t
device_test(const shmem_wait_t *wait)
{
    shmem_wait_t copy = own_wait(wait);
    return inner()->test(&copy);
}

static uint64_t
device_signal_fetch(const uint64_t *sig_addr, const shmem_call_t *call)
{
    return inner()->signal_fetch(own(sig_addr), call);
}

static void
device_lock_set(long *lock, const shmem_call_t *call)
{
    inner()->lock_set(own(lock), call);
}

static int
device_lock_test(long *lock, const shmem_call_t *call)
{
    return inner()->lock_test(own(lock), call);
}

static void
device_lock_clear(long *lock, const shmem_call_t *call)
{
    inner()->lock_clear(own(lock), call);
}

const shmem_backend_t *
fp_heap_table(struct fp_job *job, const shmem_backend_t *table)
{
    if (!job->window_bytes)
        return table;
    shmem_backend_t *device = &job->heap->device_table;
    job->heap->inner = table;
    *device = *table;
    device->put = device_put;
    device->get = device_get;
    device->amo = device_amo;
    device->wait = device_wait;
    device->test = device_test;
    device->signal_fetch = device_signal_fetch;
    device->lock_set = device_lock_set;
    device->lock_test = device_lock_test;
    device->lock_clear = device_lock_clear;
    return device;
}
