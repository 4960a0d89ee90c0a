/* bench.h -- what the figures share: a clock that is the machine's (the library gives a program simulated time), and
 * the most memory the process has had. */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline uint64_t
bench_now_ns(void)
{
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* 0 where the kernel does not tell. */
static inline double
bench_peak_mib(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    long kib = 0;
    while (status && fgets(line, sizeof line, status))
        sscanf(line, "VmHWM: %ld", &kib);
    if (status)
        fclose(status);
    return (double)kib / 1024;
}

#endif
