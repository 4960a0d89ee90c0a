/* faults.c -- what is said about wrong arguments of the heap routines: E154, E155, E025, E157, E158, A25. */
#include <stdio.h>
#include <string.h>

#include "reference/check/check.h"
#include "reference/heap/heap_state.h"

struct pointer_rule {
    enum fp_class class_;
    const char *rule, *what, *repair;
};

static const struct pointer_rule pointer_rules[] = {
    [FP_POINTER_FOREIGN] = {FP_CLASS_BAD_ADDRESS, "E154, S 9.3.2", "was given an address in another PE's heap",
                            "pass the address that this PE got from the allocation"},
    [FP_POINTER_NOT_HEAP] = {FP_CLASS_LIFETIME, "E157, S 9.3.2", "was given memory that is not of the symmetric heap",
                             "release memory with the routine that belongs to its allocation"},
    [FP_POINTER_NO_BLOCK] = {FP_CLASS_BAD_ADDRESS, "E154, S 9.3.2",
                             "was given an address of the heap that belongs to no block",
                             "pass the address that the allocation returned"},
    [FP_POINTER_INTERIOR] = {FP_CLASS_BAD_ADDRESS, "E154, S 9.3.2",
                             "was given an address inside a block, not its start",
                             "pass the address that the allocation returned"},
    [FP_POINTER_DEAD] = {FP_CLASS_LIFETIME, "E155, S 9.3.2", "was given a block that no longer exists",
                         "release each block once, through the address that is valid last"},
};

static struct fp_access
access_of(const struct fp_job *job, int pe, int kind, const shmem_call_t *call)
{
    return (struct fp_access){.pe = pe, .op = call->name, .kind = kind, .site = fp_site_of(job, pe, call->site)};
}

static void
add(const struct fp_job *job, const struct fp_finding *f)
{
    if (job->config.check)
        fp_report_add(job->report, f);
}

void
fp_heap_report_pointer(struct fp_pe *pe, enum fp_pointer_fault fault, const void *pointer, const struct fp_block *block,
                       int kind, const shmem_call_t *call)
{
    struct fp_job *job = pe->job;
    struct pointer_rule rule = pointer_rules[fault];
    struct fp_place place = fp_place_of(job, pointer);
    if (fault == FP_POINTER_DEAD && kind == FP_REALLOC)
        rule.rule = block->state == FP_BLOCK_MOVED ? "E026, S 9.3.3" : "E025, S 9.3.3";
    if (fault == FP_POINTER_NOT_HEAP && place.region == FP_STATIC) {
        rule.class_ = FP_CLASS_BAD_ADDRESS;
        rule.rule = "E154, S 9.3.2";
        rule.what = "was given a static object";
        rule.repair = "only blocks of the symmetric heap are released";
    }
    struct fp_finding f = {.class_ = rule.class_, .rule = rule.rule};
    if (fault == FP_POINTER_DEAD)
        snprintf(f.message, sizeof f.message, "%s was given a block of %llu bytes that %s had already %s", call->name,
                 (unsigned long long)block->bytes, block->died_call.name,
                 block->state == FP_BLOCK_MOVED ? "moved" : "freed");
    else
        snprintf(f.message, sizeof f.message, "%s %s", call->name, rule.what);
    snprintf(f.repair, sizeof f.repair, "%s", rule.repair);
    fp_describe_object(job, &f, pointer);
    f.accesses[f.naccesses++] = access_of(job, pe->rank, kind, call);
    if (fault == FP_POINTER_DEAD)
        f.accesses[f.naccesses++] =
            access_of(job, block->died_pe, block->state == FP_BLOCK_MOVED ? FP_REALLOC : FP_FREE, &block->died_call);
    add(job, &f);
}

void
fp_heap_report_align(struct fp_pe *pe, size_t alignment, const shmem_call_t *call)
{
    if (pe->job->config.check)
        fp_usage(FP_CLASS_USAGE, "E158, S 9.3.4", call,
                 "%s: an alignment of %zu is not a power of two and multiple of %zu", call->name, alignment,
                 sizeof(void *));
}

void
fp_heap_report_overflow(struct fp_pe *pe, size_t count, size_t size, const shmem_call_t *call)
{
    if (pe->job->config.check)
        fp_usage(FP_CLASS_USAGE, "E037, S 9.3.1", call, "%s: %zu times %zu bytes is more than an address can reach",
                 call->name, count, size);
}
