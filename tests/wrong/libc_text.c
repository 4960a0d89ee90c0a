/* libc_text.c -- text in symmetric memory that libc prints or turns into a number while a put may still write it.
 *
 * VARIANT puts: -DHOW=1
 * RUN: --seeds 1..2 --hooks yes,no
 * EXPECT: race object=text on=1 A=shmem_putmem@0 B=puts:read@1
 *
 * VARIANT fputs: -DHOW=2
 * RUN: --seeds 1
 * EXPECT: race object=text on=1 A=shmem_putmem@0 B=fputs:read@1
 *
 * VARIANT number: -DHOW=3
 * RUN: --seeds 1 --hooks yes,no
 * EXPECT: race object=text on=1 A=shmem_putmem@0 B=strtol:read@1
 *
 * VARIANT whole: -DHOW=4
 * RUN: --seeds 1
 * EXPECT: race object=text on=1 A=shmem_putmem@0 B:read@1
 *
 * VARIANT real: -DHOW=5
 * RUN: --seeds 1
 * EXPECT: race object=text on=1 A=shmem_putmem@0 B=strtod:read@1
 *
 * VARIANT beside: -DHOW=6
 * RUN: --seeds 1..2
 * EXPECT: clean
 *
 * VARIANT later: -DHOW=3 -DBARRIER
 * RUN: --seeds 1..2
 * EXPECT: clean
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static char text[40] = "123 one two three";
char number[8] = "45678";
static volatile long sink;

int
main(int argc, char **argv)
{
    shmem_init();
    char *end = NULL;
    (void)argc, (void)argv;
    if (shmem_my_pe() == 0)
        shmem_putmem(text + 3, "4", 1, 1); // <- A
#ifdef BARRIER
    shmem_barrier_all();
#endif
    if (shmem_my_pe() == 1) {
#if HOW == 1
        puts(text); // <- B
#elif HOW == 2
        fputs(text, stderr); // <- B
#elif HOW == 3
        sink = strtol(text, &end, 10); // <- B
#elif HOW == 4
        sink = atoi(text); // <- B
#elif HOW == 5
        sink = (long)strtod(text, NULL); // <- B
#else
        sink = strtol(number, &end, 10) + atoi(text + 4) + atoi("17");
        puts(text + 4);
#endif
    }
    shmem_barrier_all();
    shmem_finalize();
    return end == text;
}
