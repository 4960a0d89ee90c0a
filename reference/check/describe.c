/* describe.c -- findings about one call, and objects by their address. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reference/check/address.h"
#include "reference/heap/heap.h"

static void
describe_block(struct fp_job *job, struct fp_object *object, uint64_t offset)
{
    const struct fp_block *block = fp_heap_find(job, offset);
    if (!block)
        return;
    snprintf(object->name, sizeof object->name, "block of %llu bytes", (unsigned long long)block->bytes);
    object->offset = offset - block->offset;
    object->bytes = block->bytes;
    object->allocated = fp_site_of(job, block->born_pe, block->born_call.site);
}

void
fp_describe_static(struct fp_job *job, struct fp_object *object, uint64_t offset)
{
    const char *name;
    uint64_t start, bytes;
    fp_static_object(job->report, offset, &name, &start, &bytes);
    snprintf(object->name, sizeof object->name, "%s", name);
    object->offset = offset - start;
    object->bytes = bytes;
}

void
fp_describe_object(struct fp_job *job, struct fp_finding *f, const void *address)
{
    struct fp_place place = fp_place_of(job, address);
    f->object = (struct fp_object){.pe = place.pe};
    if (place.region == FP_HEAP)
        describe_block(job, &f->object, place.offset);
    else if (place.region == FP_STATIC)
        fp_describe_static(job, &f->object, place.offset);
}

void
fp_usage(enum fp_class class_, const char *rule, const shmem_call_t *call, const char *fmt, ...)
{
    struct fp_pe *pe = fp_self;
    if (!pe || !pe->job->config.check || (class_ == FP_CLASS_NOTE && !pe->job->config.notes))
        return;
    struct fp_finding f = {.class_ = class_, .rule = rule, .naccesses = 1, .now = true};
    va_list args;
    va_start(args, fmt);
    vsnprintf(f.message, sizeof f.message, fmt, args);
    va_end(args);
    f.accesses[0] = (struct fp_access){
        .pe = pe->rank, .op = call->name, .kind = FP_CALL, .site = fp_site_of(pe->job, pe->rank, call->site)};
    fp_report_add(pe->job->report, &f);
}
