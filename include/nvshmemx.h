/* nvshmemx.h -- NVSHMEM's extensions: forms for warps and blocks, forms on a CUDA stream, collective launch, and the
 * other ways to start. See nvshmem.h.
 *
 * On-stream forms are enqueued and return: copies are the copy engine's, words and waits are small kernels, collectives
 * are copies between two meetings of one warp a PE. All of them go in the order of the stream, so quiet_on_stream has
 * nothing left to do. They need nvcc.
 */
#ifndef NVSHMEMX_H
#define NVSHMEMX_H

#include "nvshmem.h"

/* ---- Starting. All PEs come from the launcher (oshrun), so there is nothing to bootstrap. */
#define NVSHMEMX_INIT_WITH_MPI_COMM (1 << 1)
#define NVSHMEMX_INIT_WITH_SHMEM (1 << 2)
#define NVSHMEMX_INIT_WITH_UNIQUEID (1 << 3)
enum nvshmemx_status {
    NVSHMEMX_SUCCESS,
    NVSHMEMX_ERROR_INVALID_VALUE,
    NVSHMEMX_ERROR_OUT_OF_MEMORY,
    NVSHMEMX_ERROR_NOT_SUPPORTED,
    NVSHMEMX_ERROR_SYMMETRY,
    NVSHMEMX_ERROR_GPU_NOT_SELECTED,
    NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED,
    NVSHMEMX_ERROR_INTERNAL
};
enum { NVSHMEM_STATUS_NOT_INITIALIZED, NVSHMEM_STATUS_IS_BOOTSTRAPPED, NVSHMEM_STATUS_IS_INITIALIZED };
typedef struct nvshmemx_uniqueid {
    int version;
    char internal[124];
} nvshmemx_uniqueid_t;
typedef struct nvshmemx_init_attr {
    int version;
    void *mpi_comm;
    int rank, nranks;
} nvshmemx_init_attr_t;
#define NVSHMEMX_INIT_ATTR_INITIALIZER                                                                                 \
    {                                                                                                                  \
        0, NULL, 0, 0                                                                                                  \
    }
#define NVSHMEMX_UNIQUEID_INITIALIZER                                                                                  \
    {                                                                                                                  \
        0,                                                                                                             \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }

FP_NV_HOST int
nvshmemx_init_attr(unsigned flags, nvshmemx_init_attr_t *attributes)
{
    (void)flags, (void)attributes;
    nvshmem_init();
    return 0;
}
FP_NV_HOST int
nvshmemx_get_uniqueid(nvshmemx_uniqueid_t *id)
{
    memset(id, 0, sizeof *id);
    return 0;
}
FP_NV_HOST int
nvshmemx_set_attr_uniqueid_args(int rank, int nranks, const nvshmemx_uniqueid_t *id, nvshmemx_init_attr_t *attributes)
{
    (void)id;
    attributes->rank = rank;
    attributes->nranks = nranks;
    return 0;
}
FP_NV_HOST int
nvshmemx_hostlib_init_attr(unsigned flags, nvshmemx_init_attr_t *attributes)
{
    return nvshmemx_init_attr(flags, attributes);
}
FP_NV_HOST void
nvshmemx_hostlib_finalize(void)
{
    nvshmem_finalize();
}
FP_NV_HOST int
nvshmemx_init_status(void)
{
    int initialised = 0;
    shmem_query_initialized(&initialised);
    return initialised ? NVSHMEM_STATUS_IS_INITIALIZED : NVSHMEM_STATUS_NOT_INITIALIZED;
}
FP_NV_HOST void
nvshmemx_vendor_get_version_info(int *major, int *minor, int *patch)
{
    *major = *minor = 0, *patch = 0;
}
/* Any memory of CUDA's or of the host may be the caller's side of an operation: nothing has to be registered. */
FP_NV_HOST int
nvshmemx_buffer_register(void *address, size_t bytes)
{
    return address == NULL || bytes == 0 ? NVSHMEMX_ERROR_INVALID_VALUE : NVSHMEMX_SUCCESS;
}
FP_NV_HOST int
nvshmemx_buffer_unregister(void *address)
{
    return address == NULL ? NVSHMEMX_ERROR_INVALID_VALUE : NVSHMEMX_SUCCESS;
}
FP_NV_HOST void
nvshmemx_buffer_unregister_all(void)
{
}
/* Multicast is not used. */
FP_NV_HOST void *
nvshmemx_mc_ptr(nvshmem_team_t team, const void *address)
{
    (void)team, (void)address;
    return NULL;
}

#ifdef __CUDACC__
#include "nvshmemx_group.h"
#include "nvshmemx_stream.h"
#endif

#endif
