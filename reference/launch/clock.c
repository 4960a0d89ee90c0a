/* clock.c -- time is the PE's simulated clock.
 *
 * A program that times itself stays deterministic: reading a clock gives the PE's simulated time, sleeping
 * advances it. Reading costs a little simulated time too, as it does on a machine, so that a loop that waits for a
 * clock comes to an end. CLOCK_REALTIME starts at a fixed moment (the start of 2020), clocks without an origin at 0.
 *
 * The machine's clock is used with --real-time, by backends that have no clock, by threads that are not PEs,
 * before and after a PE's life, and by Fencepost itself.
 */
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "reference/launch/launch.h"

#define NS_PER_S UINT64_C(1000000000)
#define EPOCH_S UINT64_C(1577836800)

int
fp_real_clock(clockid_t clock, struct timespec *time)
{
    return FP_REAL(clock_gettime)(clock, time);
}

/* The PE whose simulated clock the caller means, or NULL. */
static struct fp_pe *
clock_owner(const void *caller)
{
    struct fp_pe *pe = fp_caller_pe_at(caller);
    if (!pe || pe->phase != FP_PE_RUNNING || pe->job->config.real_time || !pe->job->backend->now)
        return NULL;
    return pe;
}

#define CLOCK_OWNER() clock_owner(__builtin_return_address(0))

static void
clock_advance(struct fp_pe *pe, uint64_t ns)
{
    if (pe->job->backend->advance)
        pe->job->backend->advance(pe, ns);
}

static uint64_t
clock_read(struct fp_pe *pe)
{
    return pe->job->backend->now(pe);
}

static bool
is_wall_clock(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM ||
           clock == CLOCK_TAI;
}

static uint64_t
clock_origin_ns(clockid_t clock)
{
    return is_wall_clock(clock) ? EPOCH_S * NS_PER_S : 0;
}

/* ---- Reading */

FP_EXPORT int
clock_gettime(clockid_t clock, struct timespec *time)
{
    struct fp_pe *pe = CLOCK_OWNER();
    if (!pe)
        return FP_REAL(clock_gettime)(clock, time);
    uint64_t ns = clock_origin_ns(clock) + clock_read(pe);
    *time = (struct timespec){.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
    return 0;
}

FP_EXPORT int
timespec_get(struct timespec *time, int base)
{
    struct fp_pe *pe = CLOCK_OWNER();
    if (!pe || base != TIME_UTC)
        return FP_REAL(timespec_get)(time, base);
    uint64_t ns = EPOCH_S * NS_PER_S + clock_read(pe);
    *time = (struct timespec){.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
    return base;
}

FP_EXPORT int
gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    struct fp_pe *pe = CLOCK_OWNER();
    if (!pe)
        return FP_REAL(gettimeofday)(time, zone);
    uint64_t us = (EPOCH_S * NS_PER_S + clock_read(pe)) / 1000;
    *time = (struct timeval){.tv_sec = (time_t)(us / 1000000), .tv_usec = (suseconds_t)(us % 1000000)};
    if (zone)
        *(struct timezone *)zone = (struct timezone){0};
    return 0;
}

FP_EXPORT time_t
time(time_t *where)
{
    struct fp_pe *pe = CLOCK_OWNER();
    if (!pe)
        return FP_REAL(time)(where);
    time_t now = (time_t)(EPOCH_S + clock_read(pe) / NS_PER_S);
    if (where)
        *where = now;
    return now;
}

FP_EXPORT clock_t
clock(void)
{
    struct fp_pe *pe = CLOCK_OWNER();
    return pe ? (clock_t)(clock_read(pe) / (NS_PER_S / CLOCKS_PER_SEC)) : FP_REAL(clock)();
}

/* ---- Sleeping */

static bool
timespec_valid(const struct timespec *time)
{
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < (long)NS_PER_S;
}

FP_EXPORT int
clock_nanosleep(clockid_t clock, int flags, const struct timespec *request, struct timespec *remain)
{
    struct fp_pe *pe = CLOCK_OWNER();
    if (!pe)
        return FP_REAL(clock_nanosleep)(clock, flags, request, remain);
    if (!timespec_valid(request))
        return EINVAL;
    uint64_t ns = (uint64_t)request->tv_sec * NS_PER_S + (uint64_t)request->tv_nsec;
    if (flags & TIMER_ABSTIME) {
        uint64_t now = clock_origin_ns(clock) + pe->job->backend->now(pe);
        ns = ns > now ? ns - now : 0;
    }
    clock_advance(pe, ns);
    return 0;
}

FP_EXPORT int
nanosleep(const struct timespec *request, struct timespec *remain)
{
    struct fp_pe *pe = CLOCK_OWNER();
    if (!pe)
        return FP_REAL(nanosleep)(request, remain);
    if (!timespec_valid(request)) {
        errno = EINVAL;
        return -1;
    }
    clock_advance(pe, (uint64_t)request->tv_sec * NS_PER_S + (uint64_t)request->tv_nsec);
    return 0;
}

FP_EXPORT int
usleep(useconds_t us)
{
    struct fp_pe *pe = CLOCK_OWNER();
    if (!pe)
        return FP_REAL(usleep)(us);
    clock_advance(pe, (uint64_t)us * 1000);
    return 0;
}

FP_EXPORT unsigned
sleep(unsigned seconds)
{
    struct fp_pe *pe = CLOCK_OWNER();
    if (!pe)
        return FP_REAL(sleep)(seconds);
    clock_advance(pe, seconds * NS_PER_S);
    return 0;
}
