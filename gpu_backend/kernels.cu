/* kernels.cu -- all kernels of the backend, as one module. */
#include "gpu_backend/proxy.cu"
