/* recorder.c -- answers to the recorder, see include/fencepost_recorder.h. */
#include "fencepost_recorder.h"
#include "reference/job.h"
#include "reference/launch/image.h"
#include "reference/launch/launch.h"
#include "reference/report/state.h"
#include "shmem_backend.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT const char *
fencepost_backend_name(void)
{
    return fp_backend->name;
}

EXPORT int
fencepost_place(const void *address, uint64_t *offset)
{
    *offset = 0;
    if (!fp_self || !address)
        return FP_PRIVATE;
    struct fp_place place = fp_place_of(fp_self->job, address);
    if (place.region != FP_PRIVATE)
        *offset = place.offset;
    return place.region;
}

EXPORT void
fencepost_statics(uint64_t *address, uint64_t *bytes)
{
    *address = *bytes = 0;
    if (!fp_self || !fp_self->image)
        return;
    *address = (uint64_t)(fp_self->static_lo - fp_self->image->base);
    *bytes = (uint64_t)(fp_self->static_hi - fp_self->static_lo);
}

EXPORT uint64_t
fencepost_site(const void *return_address)
{
    return fp_self ? fp_site_of(fp_self->job, fp_self->rank, return_address) : 0;
}

EXPORT void
fencepost_called_from(const void *return_address)
{
    fp_called_from = return_address;
}

EXPORT void
fencepost_at_end(void (*function)(void))
{
    fp_process_at_end = function;
}
