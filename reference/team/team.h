/* team.h -- teams: an ordered set of PEs, named by an index in the job.
 *
 * Index 0 is the world, 1 is SHMEM_TEAM_SHARED. A handle is index + 1. Everything that numbers PEs in a team (contexts,
 * collectives, translate_pe) asks here; backends do too, for a collective's members.
 */
#ifndef FP_TEAM_H
#define FP_TEAM_H

#include "reference/job.h"
#include "shmem.h"

enum { FP_TEAM_WORLD, FP_TEAM_SHARED, FP_TEAM_PREDEFINED };

/* Members, the world number of member `rank`, and the rank of a world PE (-1: no member). Precondition: the team
 * exists. */
int fp_team_size(const struct fp_job *job, int team);
int fp_team_world_pe(const struct fp_job *job, int team, int rank);
int fp_team_rank(const struct fp_job *job, int team, int world_pe);

/* The index that a handle names; -1 for SHMEM_TEAM_INVALID, and after a finding (E115) for what names no team. */
int fp_team_find(struct fp_pe *pe, shmem_team_t handle, const shmem_call_t *call);
shmem_team_t fp_team_handle(int team);

#endif
