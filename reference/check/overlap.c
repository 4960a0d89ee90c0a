/* overlap.c -- two buffers of one call that share memory (E033, E034). Judged on physical memory, after translation to
 * the copy that is touched: so the put of an object onto itself at another PE is fine, and an alias by shmem_ptr is
 * seen. */
#include <stdio.h>

#include "reference/check/address.h"

void
fp_overlap_report(struct fp_pe *pe, const struct fp_buffer *a, const struct fp_buffer *b, const shmem_call_t *call,
                  bool partial)
{
    struct fp_finding f;
    bool same = a->address == b->address;
    fp_address_finding(pe, a, call, FP_CLASS_USAGE, partial ? "E034, S 9.10.9" : "E033, S 4.2", &f);
    if (partial)
        snprintf(f.message, sizeof f.message, "%s: %s and %s overlap in part; they have to be equal or disjoint",
                 call->name, fp_role_text(a->role), fp_role_text(b->role));
    else
        snprintf(f.message, sizeof f.message, "%s: %s and %s are %s memory%s%s", call->name, fp_role_text(a->role),
                 fp_role_text(b->role), same ? "the same" : "overlapping", a->pe == pe->rank ? "" : " on the target",
                 same && a->pe == pe->rank && a->role == FP_ROLE_DEST ? " (the target is the calling PE)" : "");
    snprintf(f.repair, sizeof f.repair, "use disjoint buffers");
    fp_report_add(pe->job->report, &f);
}
