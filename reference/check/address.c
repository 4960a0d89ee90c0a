/* address.c -- may this call touch these bytes?
 *
 * A symmetric address is the caller's own: in a live block of its heap or in one static object, whole. Everything else
 * is a fault with a name: null, private, another PE's, past the end, freed, moved. What was found fine is remembered
 * in the PE (`known`), so that the next call on the same object costs two comparisons; a birth or death of a block
 * forgets it all.
 */
#include "reference/check/address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/heap/heap.h"

typedef unsigned long long ull;

static const struct {
    const char *text;
    bool symmetric;
    enum fp_access_kind kind;
} roles[] = {
#define FP_ROLE_ROW(id, text, symmetric, kind) {text, symmetric, kind},
    FP_ROLE_ROWS(FP_ROLE_ROW)
#undef FP_ROLE_ROW
};

const char *
fp_role_text(enum fp_role role)
{
    return roles[role].text;
}

void
fp_address_finding(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call, enum fp_class class_,
                   const char *rule, struct fp_finding *f)
{
    *f = (struct fp_finding){.class_ = class_, .rule = rule, .naccesses = 1, .now = true};
    fp_describe_object(pe->job, f, buffer->address);
    if (roles[buffer->role].symmetric && f->object.name[0])
        f->object.pe = buffer->pe;
    f->accesses[0] = (struct fp_access){.pe = pe->rank,
                                        .op = call->name,
                                        .kind = roles[buffer->role].kind,
                                        .site = fp_site_of(pe->job, pe->rank, call->site)};
}

/* The arrays of active sets have a class of their own for what is too small or not symmetric. */
static const char *
rule_for(enum fp_role role, const char *rule)
{
    if (role == FP_ROLE_COLLECTED)
        return "E126, S 9.10.8";
    return role == FP_ROLE_PSYNC || role == FP_ROLE_PWRK ? "E141, S 9.10" : rule;
}

static void
remember(struct fp_pe *pe, uintptr_t lo, size_t bytes)
{
    pe->known[pe->known_next++ % 4] = (struct fp_known){lo, bytes};
}

/* NULL, or NULL and an index, after an allocation that failed: the mistake is there (E159). */
static bool
from_failed_allocation(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call)
{
    shmem_call_t failed;
    uint64_t asked, live, peak, limit;
    if (!fp_heap_failed(pe->job, &failed, &asked))
        return false;
    uintptr_t reach = asked < 65536 ? 65536 : asked > 4194304 ? 4194304 : (uintptr_t)asked;
    if ((uintptr_t)buffer->address >= reach)
        return false;
    struct fp_finding f;
    fp_address_finding(pe, buffer, call, FP_CLASS_BAD_ADDRESS, "E159, S 9.3.1", &f);
    fp_heap_usage(pe->job, &live, &peak, &limit);
    fp_site_t site = fp_site_of(pe->job, pe->rank, failed.site);
    struct fp_line line = fp_site_line(pe->job->report, site);
    snprintf(
        f.message, sizeof f.message,
        "%s uses the null pointer of an allocation that failed: %s at %s:%d asked %llu bytes, limit %llu, in use %llu",
        call->name, failed.name, line.file, line.line, (ull)asked, (ull)limit, (ull)live);
    snprintf(f.repair, sizeof f.repair, "test the result of %s, or raise SHMEM_SYMMETRIC_SIZE", failed.name);
    f.object =
        (struct fp_object){.pe = pe->rank, .offset = (uintptr_t)buffer->address, .bytes = asked, .allocated = site};
    snprintf(f.object.name, sizeof f.object.name, "failed allocation of %llu bytes", (ull)asked);
    f.accesses[f.naccesses++] =
        (struct fp_access){.pe = pe->rank, .op = failed.name, .kind = FP_ALLOC, .site = site, .note = "gave NULL"};
    fp_report_add(pe->job->report, &f);
    return true;
}

static void
report_null(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call)
{
    struct fp_finding f;
    fp_address_finding(pe, buffer, call, FP_CLASS_BAD_ADDRESS, "E029, Annex C", &f);
    snprintf(f.message, sizeof f.message, "%s was given a null pointer for %s (%zu bytes)", call->name,
             fp_role_text(buffer->role), buffer->bytes);
    fp_report_add(pe->job->report, &f);
}

static void
report_private(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call)
{
    struct fp_finding f;
    const char *rule, *kind = fp_private_kind(pe, buffer->address, buffer->role, &rule);
    fp_address_finding(pe, buffer, call, FP_CLASS_BAD_ADDRESS, rule_for(buffer->role, rule), &f);
    snprintf(f.message, sizeof f.message, "%s was given %s for %s, which has to be symmetric", call->name, kind,
             fp_role_text(buffer->role));
    snprintf(f.repair, sizeof f.repair, "%s",
             pe->job->config.in_process
                 ? "use a block of the symmetric heap"
                 : "use a block of the symmetric heap, or a global or static variable of the program");
    fp_report_add(pe->job->report, &f);
}

/* The address of another PE's copy: from shmem_ptr, or sent as a value. */
static void
report_foreign(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call, int owner)
{
    struct fp_finding f;
    bool mapped = pe->mapped_pes && pe->mapped_pes[owner / 64] >> (owner % 64) & 1;
    fp_address_finding(pe, buffer, call, FP_CLASS_BAD_ADDRESS, mapped ? "E022, S 9.1.9" : "E021, S 3.1", &f);
    f.object.pe = owner;
    snprintf(f.message, sizeof f.message, "%s of PE%d used as symmetric address: %s of %s",
             mapped ? "mapped pointer" : "address", owner, fp_role_text(buffer->role), call->name);
    snprintf(f.repair, sizeof f.repair, "%s",
             mapped ? "pass this PE's own address of the object; what shmem_ptr gives is for loads and stores"
                    : "pass this PE's own address of the object; PEs can exchange offsets, not addresses");
    fp_report_add(pe->job->report, &f);
}

static void
report_past_end(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call)
{
    struct fp_finding f;
    fp_address_finding(pe, buffer, call, FP_CLASS_BAD_ADDRESS, rule_for(buffer->role, "E023, S 3.1"), &f);
    /* Past the end of the last static object is past the end of the segment; a program without symbols has only that.
     */
    if (!f.object.name[0])
        fp_describe_static(pe->job, &f.object, (uint64_t)((const char *)buffer->address - pe->static_lo));
    if (!f.object.name[0]) {
        snprintf(f.object.name, sizeof f.object.name, "the program's static data");
        f.object.offset = (uint64_t)((const char *)buffer->address - pe->static_lo);
        f.object.bytes = (uint64_t)(pe->static_hi - pe->static_lo);
    }
    if (roles[buffer->role].symmetric)
        f.object.pe = buffer->pe;
    uint64_t from = f.object.offset, to = from + buffer->bytes, size = f.object.bytes;
    const char *role = fp_role_text(buffer->role), *name = f.object.name, *a = f.object.allocated ? "a " : "";
    if (from == size)
        snprintf(f.message, sizeof f.message, "%s: %s begins right behind the end of %s%s", call->name, role, a, name);
    else if (from > size)
        snprintf(f.message, sizeof f.message, "%s: %s begins %llu bytes past the end of %s%s", call->name, role,
                 (ull)(from - size), a, name);
    else
        snprintf(f.message, sizeof f.message, "%s: %s is bytes %llu to %llu of %s%s and runs %llu bytes past its end",
                 call->name, role, (ull)from, (ull)(to - 1), a, name, (ull)(to - size));
    fp_report_add(pe->job->report, &f);
}

static void
report_no_block(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call)
{
    struct fp_finding f;
    fp_address_finding(pe, buffer, call, FP_CLASS_BAD_ADDRESS, "E024, S 3.1", &f);
    snprintf(f.message, sizeof f.message, "%s: %s is an address of the symmetric heap where no block is", call->name,
             fp_role_text(buffer->role));
    fp_report_add(pe->job->report, &f);
}

static void
report_dead(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call, const struct fp_block *block)
{
    static const char *const verbs[] = {[FP_READ] = "reads from", [FP_WRITE] = "writes to", [FP_ATOMIC] = "updates"};
    struct fp_finding f;
    struct fp_job *job = pe->job;
    bool moved = block->state == FP_BLOCK_MOVED;
    fp_address_finding(pe, buffer, call, FP_CLASS_LIFETIME, moved ? "E026, S 9.3.3" : "E025, S 9.3.2", &f);
    fp_site_t died = fp_site_of(job, block->died_pe, block->died_call.site);
    struct fp_line line = fp_site_line(job->report, died);
    snprintf(f.message, sizeof f.message,
             "use after %s: %s by PE %d %s a block of %llu bytes on PE %d that %s %s at %s:%d",
             moved ? "realloc" : "free", call->name, pe->rank, verbs[roles[buffer->role].kind], (ull)block->bytes,
             f.object.pe, block->died_call.name, moved ? "moved" : "released", line.file, line.line);
    snprintf(f.repair, sizeof f.repair, moved ? "use the address that %s returned" : "use the block before %s only",
             block->died_call.name);
    f.accesses[f.naccesses++] = (struct fp_access){
        .pe = block->died_pe, .op = block->died_call.name, .kind = moved ? FP_REALLOC : FP_FREE, .site = died};
    fp_report_add(job->report, &f);
}

static bool
judge_heap(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call, struct fp_place place)
{
    const struct fp_block *block = fp_heap_find(pe->job, place.offset);
    if (!block) {
        report_no_block(pe, buffer, call);
        return false;
    }
    uint64_t at = place.offset - block->offset;
    if (block->state != FP_BLOCK_LIVE) { /* past its end too: a block that was to grow is used beyond its old size */
        report_dead(pe, buffer, call, block);
        return false;
    }
    if (at >= block->bytes || buffer->bytes > block->bytes - at) {
        report_past_end(pe, buffer, call);
        return false;
    }
    if (place.pe == pe->rank)
        remember(pe, (uintptr_t)buffer->address - at, block->bytes);
    return true;
}

/* A program without symbols has no objects to be told apart: there the segment is the bound, and further than a cache
 * line past an object nothing is said, since what lies there may have no symbol. */
static bool
judge_static(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call, struct fp_place place)
{
    const char *name;
    uint64_t start, size;
    bool inside = fp_static_object(pe->job->report, place.offset, &name, &start, &size);
    uint64_t at = place.offset - start;
    int64_t room = pe->job->pes[place.pe].static_hi - (const char *)buffer->address;
    bool past = inside ? buffer->bytes > size - at : (size > 0 && at - size < 64) || (int64_t)buffer->bytes > room;
    if (past) {
        report_past_end(pe, buffer, call);
        return false;
    }
    if (inside && place.pe == pe->rank)
        remember(pe, (uintptr_t)buffer->address - at, size);
    return true;
}

bool
fp_address_judge(struct fp_pe *pe, const struct fp_buffer *buffer, const shmem_call_t *call)
{
    bool symmetric = roles[buffer->role].symmetric;
    if (buffer->bytes == 0)
        return true;
    if ((uintptr_t)buffer->address < 4194304 && from_failed_allocation(pe, buffer, call))
        return false;
    if (!buffer->address) {
        report_null(pe, buffer, call);
        return false;
    }
    struct fp_place place = fp_place_of(pe->job, buffer->address);
    uintptr_t behind = (uintptr_t)buffer->address - (uintptr_t)pe->static_hi;
    if (place.region == FP_PRIVATE && symmetric && pe->static_hi && behind < 64)
        place = (struct fp_place){FP_STATIC, pe->rank, (uint64_t)((const char *)buffer->address - pe->static_lo)};
    if (place.region == FP_PRIVATE) {
        if (symmetric)
            report_private(pe, buffer, call);
        return !symmetric;
    }
    if (symmetric && place.pe != pe->rank) {
        report_foreign(pe, buffer, call, place.pe);
        return false;
    }
    return place.region == FP_HEAP ? judge_heap(pe, buffer, call, place) : judge_static(pe, buffer, call, place);
}

void
fp_address_misaligned(struct fp_pe *pe, const struct fp_buffer *buffer, size_t align, const shmem_call_t *call)
{
    struct fp_finding f;
    bool sized = buffer->type >= SHMEM_TYPE_BITS8 && buffer->type <= SHMEM_TYPE_BITS128;
    fp_address_finding(pe, buffer, call, FP_CLASS_BAD_ADDRESS, sized ? "E031, S 3.1" : "E030, S 3.1", &f);
    snprintf(f.message, sizeof f.message, "%s: %s is misaligned, %zu bytes off a multiple of %zu", call->name,
             fp_role_text(buffer->role), (size_t)((uintptr_t)buffer->address & (align - 1)), align);
    snprintf(f.repair, sizeof f.repair, "align the object to %zu bytes, or move it as bytes (mem routines)", align);
    fp_report_add(pe->job->report, &f);
}

void
fp_check_note_mapped(struct fp_pe *pe, int target)
{
    if (!pe->mapped_pes)
        pe->mapped_pes = calloc(((size_t)pe->job->npes + 63) / 64, sizeof *pe->mapped_pes);
    if (pe->mapped_pes)
        pe->mapped_pes[target / 64] |= UINT64_C(1) << (target % 64);
}
