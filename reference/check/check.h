/* check.h -- arguments judged before a backend sees them. Belongs to every backend.
 *
 * Checking wraps: fp_checked_table(table) gives a table of the same shape whose entries judge the descriptor (null,
 * symmetric, one live block or object, alignment, overlap: E020 to E046, E025, E026) and then call the plain table. The
 * front end is told which of the two to use when the job starts; no other code asks whether checking is on.
 *
 * An operation with a fatal fault (it would touch memory that is not its to touch) is reported and *not carried out*:
 * reads yield zero bytes, fetched values are 0, nothing is written.
 */
#ifndef FP_CHECK_H
#define FP_CHECK_H

#include "reference/job.h"
#include "reference/report/report.h"

const shmem_backend_t *fp_checked_table(struct fp_job *job, const shmem_backend_t *plain);

/* The calling PE asked for the address of PE `target`'s copy (shmem_ptr, shmem_team_ptr) and got it: such an address is
 * told apart from one that another PE sent (E022, E021). */
void fp_check_note_mapped(struct fp_pe *pe, int target);

/* The address lies in the stack (or the thread-locals) of the calling PE. Slow. */
bool fp_on_own_stack(struct fp_pe *pe, const void *address);
/* Plain accesses of `pe` to the copy of PE `target` are its right: it is its own, or it asked for the mapping. */
static inline bool
fp_check_may_touch(const struct fp_pe *pe, int target)
{
    return target == pe->rank || (pe->mapped_pes && pe->mapped_pes[target / 64] >> (target % 64) & 1);
}

/* Fills f->object from an address in PE `pe`'s copy (block, static object, or nothing) and its offset in it. */
void fp_describe_object(struct fp_job *job, struct fp_finding *f, const void *address);
/* A usage finding about one call: class_, rule, message as printf. The site and PE are the caller's. */
void fp_usage(enum fp_class class_, const char *rule, const shmem_call_t *call, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for what is legal and still worth a word; does nothing without --notes. */
#define fp_note(rule, call, ...) fp_usage(FP_CLASS_NOTE, rule, call, __VA_ARGS__)
/* A plain access hit a dead block or another PE's memory in a forbidden way: reports it (lifetime, bad-address). True
 * if it was a fault. Used by the hooks and by the SIGSEGV handler. */
bool fp_check_plain(struct fp_job *job, const void *address, size_t bytes, bool write, const char *name,
                    const void *site);

/* match.h's part: every collective is compared with what the other members called as number `seq`, as it arrives. */
struct fp_match *fp_match_open(struct fp_job *job);
void fp_match_close(struct fp_match *match);
/* Numbers the call (c->seq) and compares. A PE whose call differs from another's is held in backend->sync until every
 * member has come, so that the finding lists them all; then the job ends. False: the job is ending, do nothing more. */
bool fp_match_enter(struct fp_job *job, shmem_coll_t *c);
/* The calling PE made a heap call that does nothing (size 0, a null pointer): others may have made one that does. */
void fp_match_skipped(struct fp_job *job, bool is_free, const shmem_call_t *call);
/* At the last finalize, by one PE for all: calls that some members of a team never made (E113). */
void fp_match_unfinished(struct fp_job *job);
/* For a backend in which nobody can move: if PEs are held because of a difference, reports it and ends the job. */
void fp_match_pending_mismatch(struct fp_job *job);

#endif
