/* team.h -- teams: an ordered set of PEs, named by an index in the job.
 *
 * Index 0 is the world, 1 is SHMEM_TEAM_SHARED, both all PEs in world order. A split takes every stride-th PE of its
 * parent, so each team is an arithmetic progression of world numbers: no lists of members anywhere. Indices are never
 * used again, so a stale handle is told from a wrong one. A handle is index + 1.
 *
 * Everything that numbers PEs in a team (contexts, collectives, translate_pe) asks here; backends do too, for a
 * collective's members. The active sets of the deprecated collectives are teams without a handle.
 */
#ifndef FP_TEAM_H
#define FP_TEAM_H

#include "reference/job.h"
#include "shmem.h"

/* How the call of a split is described: `hints` says which, `root` is size or xrange, the steps are start and
 * stride. */
enum { FP_SPLIT_STRIDED, FP_SPLIT_2D };

enum { FP_TEAM_WORLD, FP_TEAM_SHARED, FP_TEAM_PREDEFINED };

/* All but the predefined ones. What is decided at the birth stays; `gone` is the set of members that destroyed it. */
struct fp_team {
    int index, parent;
    int domain;              /* the predefined team it descends from: AMOs of two domains are not atomic (1.12) */
    int start, stride, size; /* in world numbering */
    bool active_set;
    bool configured; /* by the first member that took it; guarded by the table's lock, like all below */
    int num_contexts;
    uint32_t signals; /* first of its `size` words in the pool: reference/coll/channel.c */
    uint64_t stamp;   /* signals of its collectives are larger */
    int ngone;
    uint64_t *gone; /* by rank */
    shmem_call_t created; /* as called by created_pe: the first member, when it has taken the team */
    int created_pe;
};

/* Members, the world number of member `rank`, and the rank of a world PE (-1: no member). Precondition: the team
 * exists. */
int fp_team_size(const struct fp_job *job, int team);
int fp_team_world_pe(const struct fp_job *job, int team, int rank);
int fp_team_rank(const struct fp_job *job, int team, int world_pe);
int fp_team_domain(const struct fp_job *job, int team);
/* NULL for the predefined ones. */
const struct fp_team *fp_team_get(const struct fp_job *job, int team);

/* The index that a handle names; -1 for SHMEM_TEAM_INVALID, and after a finding for what names no team (E115), a team
 * of others (E114), or a destroyed one (E116). */
int fp_team_find(struct fp_pe *pe, shmem_team_t handle, const shmem_call_t *call);
shmem_team_t fp_team_handle(int team);

/* ---- table.c: how teams come and go ---- */

struct fp_teams *fp_teams_open(struct fp_job *job);
void fp_teams_close(struct fp_teams *teams);
/* Nobody has made a team: as after fp_teams_open. */
bool fp_teams_untouched(const struct fp_teams *teams);

/* One team that a split makes: in the numbering of its parent. */
struct fp_split_part {
    int start, stride, size;
};
/* The teams that split number `seq` of `parent` makes, decided once for all members: the index of the first, the
 * others follow it; -1: there is no room, and none is made. Each member calls once. */
int fp_teams_split(struct fp_pe *pe, int parent, uint64_t seq, const struct fp_split_part *parts, int nparts,
                   const shmem_call_t *call);
/* Member `pe` asks for so many contexts; false: another member asked for another number (E123). */
bool fp_team_configure(struct fp_pe *pe, int team, int num_contexts, const shmem_call_t *call);
/* The calling member has destroyed the team, in its collective `seq`. */
void fp_team_leave(struct fp_pe *pe, int team, uint64_t seq);
/* The team of an active set; made when it is first asked for. */
int fp_team_active(struct fp_pe *pe, int start, int stride, int size);
/* At the last finalize, by one PE for all: reports the teams that are left (E134); from now on they are destroyed. */
void fp_teams_finalize(struct fp_job *job);

/* Words of the library's heap that the signals of all teams share. */
static inline size_t
fp_team_pool_words(int npes)
{
    const size_t words = (size_t)npes * (npes <= 1024 ? 32 : 8);

    return words < 8000 ? 8000 : words;
}

#endif
