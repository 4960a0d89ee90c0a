/* driver.h -- the CUDA driver, opened when a job starts.
 *
 * Nothing is linked: on a machine without a driver a program still starts, and says in one line what is missing. All
 * calls go through gpu_driver; the rows are the only list of what is used.
 */
#ifndef GPU_DRIVER_H
#define GPU_DRIVER_H

#include <cuda.h>
#include <stdbool.h>

#define GPU_DRIVER_ROWS(X)                                                                                             \
    X(cuInit)                                                                                                          \
    X(cuDriverGetVersion)                                                                                              \
    X(cuGetErrorString)                                                                                                \
    X(cuDeviceGetCount)                                                                                                \
    X(cuDeviceGet)                                                                                                     \
    X(cuDeviceGetName)                                                                                                 \
    X(cuDeviceGetAttribute)                                                                                            \
    X(cuDeviceTotalMem)                                                                                                \
    X(cuDeviceCanAccessPeer)                                                                                           \
    X(cuDeviceGetP2PAttribute)                                                                                         \
    X(cuDevicePrimaryCtxRetain)                                                                                        \
    X(cuDevicePrimaryCtxRelease)                                                                                       \
    X(cuCtxGetCurrent)                                                                                                 \
    X(cuCtxSetCurrent)                                                                                                 \
    X(cuMemGetAllocationGranularity)                                                                                   \
    X(cuMemAddressReserve)                                                                                             \
    X(cuMemAddressFree)                                                                                                \
    X(cuMemCreate)                                                                                                     \
    X(cuMemRelease)                                                                                                    \
    X(cuMemMap)                                                                                                        \
    X(cuMemUnmap)                                                                                                      \
    X(cuMemSetAccess)                                                                                                  \
    X(cuMemAlloc)                                                                                                      \
    X(cuMemFree)                                                                                                       \
    X(cuMemHostAlloc)                                                                                                  \
    X(cuMemFreeHost)                                                                                                   \
    X(cuMemHostGetDevicePointer)                                                                                       \
    X(cuMemcpyAsync)                                                                                                   \
    X(cuMemsetD8Async)                                                                                                 \
    X(cuPointerGetAttributes)                                                                                          \
    X(cuStreamCreateWithPriority)                                                                                      \
    X(cuCtxGetStreamPriorityRange)                                                                                     \
    X(cuStreamDestroy)                                                                                                 \
    X(cuStreamSynchronize)                                                                                             \
    X(cuStreamQuery)                                                                                                   \
    X(cuModuleLoadData)                                                                                                \
    X(cuModuleUnload)                                                                                                  \
    X(cuModuleGetFunction)                                                                                             \
    X(cuLaunchKernel)                                                                                                  \
    X(cuLaunchCooperativeKernel)

struct gpu_driver {
#define GPU_DRIVER_MEMBER(name) __typeof__(name) *name;
    GPU_DRIVER_ROWS(GPU_DRIVER_MEMBER)
#undef GPU_DRIVER_MEMBER
};
extern struct gpu_driver gpu_driver;

/* Opens the driver and initialises it; later calls do nothing. False after saying why in one line. */
bool gpu_driver_open(void);
/* What went wrong, in the driver's words. */
const char *gpu_error_text(CUresult result);
/* Ends the job (status 71) with one line when result is an error: "cannot WHAT: ...". A kernel that has failed spoils
 * every later call, so that is what is said then. */
void gpu_check(CUresult result, const char *what);

#endif
