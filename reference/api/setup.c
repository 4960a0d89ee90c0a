/* setup.c -- start, end and queries (9.1, 9.2).
 *
 * init and finalize are counted (semantics 1.19): every init synchronises all PEs, every finalize is a barrier, the
 * last one also says what the program left behind and ends the library. A later init starts it again. */
#include <stdarg.h>
#include <string.h>

#include "reference/api/ctx.h"
#include "reference/api/leaks.h"
#include "reference/api/lock.h"
#include "reference/check/check.h"
#include "reference/coll/coll.h"
#include "reference/team/team.h"

/* ---- init and finalize ---- */

static void pe_at_end(struct fp_pe *pe);

static void
init(int level, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter_any_state();

    if (pe == NULL) {
        fp_enter_slow(&call);
        return;
    }
    if (pe->init_count++ == 0) {
        fp_ctx_open(pe, &call);
        __atomic_store_n(&fp_pe_at_end, pe_at_end, __ATOMIC_RELAXED);
        pe->thread_level = level;
        pe->was_initialised = true;
        pe->finalised = false;
    }
    fp_coll_sync(pe, SHMEM_COLL_INIT, FP_TEAM_WORLD, &call);
    fp_leave(pe);
}

/* Other threads than the PE's own cannot call, so FUNNELED is the most there is. A second init keeps the first level
 * (A27). */
static int
init_thread(int requested, int *provided, shmem_call_t call)
{
    struct fp_pe *pe = fp_self;
    int nobody;

    if (pe != NULL && (provided == NULL || requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE)) {
        pe->in_runtime = true;
        fp_usage(FP_CLASS_USAGE, "E007, S 9.2.1", &call, "%s was given %s", call.name,
                 provided == NULL ? "a null pointer for the level provided" : "a thread level that does not exist");
        pe->in_runtime = false;
        requested = SHMEM_THREAD_SINGLE;
    }
    if (provided == NULL)
        provided = &nobody;
    init(requested < SHMEM_THREAD_FUNNELED ? requested : SHMEM_THREAD_FUNNELED, call);
    *provided = fp_self->thread_level;
    return 0;
}

static void
finalize(shmem_call_t call)
{
    struct fp_pe *pe = fp_self;

    if (pe != NULL && pe->init_count == 0 && pe->was_initialised) {
        pe->in_runtime = true;
        fp_usage(FP_CLASS_USAGE, "E004, S 9.1.4", &call, "%s was called more often than shmem_init", call.name);
        pe->in_runtime = false;
        return;
    }
    pe = fp_enter(&call);
    if (pe == NULL)
        return;
    pe->job->backend->quiet(pe->ctxs[0], &call);
    if (pe->init_count == 1) {
        fp_locks_close(pe);
        fp_ctx_close(pe, &call);
    }
    pe->job->backend->quiet(fp_ctx_internal(pe), &call);
    fp_coll_sync(pe, SHMEM_COLL_FINALIZE, FP_TEAM_WORLD, &call);
    if (--pe->init_count == 0) {
        pe->finalised = true;
        if (pe->rank == 0) {
            fp_match_unfinished(pe->job);
            fp_leaks_report(pe->job);
            fp_teams_finalize(pe->job);
        }
    }
    fp_leave(pe);
}

/* A PE's program has ended: what start_pes promised, then what is left behind. */
static void
pe_at_end(struct fp_pe *pe)
{
    if (pe->start_pes.name != NULL && pe->init_count > 0)
        finalize(pe->start_pes);
    fp_leaks_pe_end(pe);
}

static void
start_once(shmem_call_t call)
{
    if (fp_self != NULL && (fp_self->init_count > 0 || fp_self->start_pes.name != NULL))
        return;
    init(SHMEM_THREAD_SINGLE, call);
    fp_self->start_pes = call;
}

static void
query_thread(int *provided, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    *provided = pe->thread_level;
    fp_leave(pe);
}

FP_ROUTINE_IS(void, init, (void), init(SHMEM_THREAD_SINGLE, call))
FP_ROUTINE_IS(int, init_thread, (int requested, int *provided), return init_thread(requested, provided, call))
FP_ROUTINE_QUIETS(void, finalize, (void), finalize(call))
FP_OLD_ROUTINE_IS(void, start_pes, (int npes), start_once(call))
FP_ROUTINE_IS(void, query_thread, (int *provided), query_thread(provided, call))

FP_ROUTINE(void, query_initialized, (int *initialized))
{
    *initialized = fp_self != NULL && fp_self->init_count > 0;
}

static SHMEM_NORETURN void
global_exit(int status, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        pe = fp_enter_any_state();
    pe->job->exit_pe = pe->rank;
    pe->job->exit_call = call;
    fp_job_abort(pe->job, status);
}

FP_EXPORT SHMEM_NORETURN void pshmem_global_exit(int status);
extern FP_EXPORT SHMEM_NORETURN void shmem_global_exit(int status) __attribute__((weak, alias("pshmem_global_exit")));
void
pshmem_global_exit(int status)
{
    global_exit(status, FP_CALL(global_exit));
}

/* ---- queries ---- */

static int
my_pe(shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return 0;
    fp_leave(pe);
    return pe->rank;
}

static int
n_pes(shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return 0;
    fp_leave(pe);
    return pe->job->npes;
}

static int
pe_accessible(int pe_number, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return 0;
    fp_leave(pe);
    return pe_number >= 0 && pe_number < pe->job->npes;
}

/* PE `world_pe`'s copy of the caller's object at `address`; NULL where there is none. Any address and number may be
 * asked about. */
static void *
copy_at(struct fp_pe *pe, const void *address, int world_pe)
{
    struct fp_place place;

    if (address == NULL || world_pe < 0 || world_pe >= pe->job->npes)
        return NULL;
    place = fp_place_of(pe->job, address);
    if (place.region == FP_PRIVATE || place.pe != pe->rank)
        return NULL;
    return fp_translate(pe->job, address, pe->rank, world_pe);
}

static void *
ptr(shmem_team_t handle, const void *dest, int pe_in_team, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);
    void *copy = NULL;

    if (pe == NULL)
        return NULL;
    const int team = fp_team_find(pe, handle, &call);
    if (team >= 0 && pe_in_team >= 0 && pe_in_team < fp_team_size(pe->job, team))
        copy = copy_at(pe, dest, fp_team_world_pe(pe->job, team, pe_in_team));
    if (copy != NULL && copy != dest && fp_place_of(pe->job, copy).region == FP_STATIC)
        pe->job->watch_all = true;
    if (copy != NULL && copy != dest)
        fp_check_note_mapped(pe, fp_team_world_pe(pe->job, team, pe_in_team));
    fp_leave(pe);
    return copy;
}

static int
addr_accessible(const void *address, int pe_number, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);
    bool reachable;

    if (pe == NULL)
        return 0;
    reachable = copy_at(pe, address, pe_number) != NULL;
    fp_leave(pe);
    return reachable;
}

static void
info_get_version(int *major, int *minor, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    *major = SHMEM_MAJOR_VERSION;
    *minor = SHMEM_MINOR_VERSION;
    fp_leave(pe);
}

static void
info_get_name(char *name, shmem_call_t call)
{
    struct fp_pe *pe = fp_enter(&call);

    if (pe == NULL)
        return;
    _Static_assert(sizeof SHMEM_VENDOR_STRING <= SHMEM_MAX_NAME_LEN, "S 6: the vendor string fits");
    memcpy(name, SHMEM_VENDOR_STRING, sizeof SHMEM_VENDOR_STRING);
    fp_leave(pe);
}

FP_ROUTINE_IS(int, my_pe, (void), return my_pe(call))
FP_ROUTINE_IS(int, n_pes, (void), return n_pes(call))
FP_OLD_ROUTINE_IS(int, _my_pe, (void), return my_pe(call))
FP_OLD_ROUTINE_IS(int, _num_pes, (void), return n_pes(call))
FP_ROUTINE_IS(int, pe_accessible, (int pe), return pe_accessible(pe, call))
FP_ROUTINE_IS(int, addr_accessible, (const void *addr, int pe), return addr_accessible(addr, pe, call))
FP_ROUTINE_IS(void *, ptr, (const void *dest, int pe), return ptr(SHMEM_TEAM_WORLD, dest, pe, call))
FP_ROUTINE_IS(void *, team_ptr, (shmem_team_t team, const void *dest, int pe), return ptr(team, dest, pe, call))
FP_ROUTINE_IS(void, info_get_version, (int *major, int *minor), info_get_version(major, minor, call))
FP_ROUTINE_IS(void, info_get_name, (char *name), info_get_name(name, call))

/* Levels mean something to a tool that interposes this routine, nothing here (10). */
FP_ROUTINE(void, pcontrol, (int level, ...))
{
    (void)level;
}
