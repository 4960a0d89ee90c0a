/* Time is simulated: an hour of sleep takes no time, clocks agree with each other and tell the same in every run.
 * With --real-time they are the machine's.
 *
 * RUN: -n 2 --seeds 1 --choosers random --contexts fiber,thread
 * EXPECT: clean
 * STDOUT: ok
 * STDOUT: ok
 *
 * VARIANT real: -DREAL
 * RUN: -n 2 --seeds 1 --choosers random --options --real-time
 * RUN: -n 2 --backends direct
 * EXPECT: clean
 * STDOUT: ok
 * STDOUT: ok
 */
#include <shmem.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static double
now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int
main(void)
{
    struct timespec nap = {.tv_sec = 0, .tv_nsec = 2000000};
    struct timeval day;
    double begin, wall_begin, slept;

    shmem_init();
    begin = now(CLOCK_MONOTONIC);
    wall_begin = now(CLOCK_REALTIME);
    nanosleep(&nap, NULL);
    usleep(3000);
#ifdef REAL
    double want = 0.005;
    int epoch_ok = wall_begin > 1.6e9;
#else
    double want = 3600.005;
    int epoch_ok = wall_begin >= 1577836800 && wall_begin < 1577836801 && begin < 1;
    sleep(3600);
#endif
    slept = now(CLOCK_MONOTONIC) - begin;
    gettimeofday(&day, NULL);
    double wall = (double)day.tv_sec + 1e-6 * (double)day.tv_usec - wall_begin;
    time_t seconds = time(NULL);
    int ok = epoch_ok && slept >= want && slept < want + 5 && wall >= want - 1e-5 && wall < want + 5 &&
             seconds - day.tv_sec <= 1;
    double until = now(CLOCK_MONOTONIC) + 0.0001;
    while (now(CLOCK_MONOTONIC) < until)
        continue;
    shmem_barrier_all();
    if (ok)
        printf("ok\n");
    else
        printf("begin %f wall %f: %f %f\n", begin, wall_begin, slept, wall);
    shmem_finalize();
    return !ok;
}
