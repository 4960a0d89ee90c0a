/* calls_access.c -- what a call itself reads and writes: a structure that a function returns is stored into symmetric
 * memory, one passed by value is loaded from it, and __builtin_memcpy of a known size becomes moves. The put of PE 0 is
 * not ordered before any of them.
 *
 * VARIANT returned: -DHOW=1
 * RUN: --seeds 1..3
 * EXPECT: race object=there on=1 A=shmem_putmem@0 B=store@1
 *
 * VARIANT returned_O0: -DHOW=1 -O0
 * RUN: --seeds 1
 * EXPECT: race object=there on=1 A=shmem_putmem@0 B=store@1
 *
 * VARIANT small: -DHOW=2
 * RUN: --seeds 1
 * EXPECT: race object=there on=1 A=shmem_putmem@0 B=store@1
 *
 * VARIANT passed: -DHOW=3
 * RUN: --seeds 1..3
 * EXPECT: race object=there on=1 A=shmem_putmem@0 B=load@1
 *
 * VARIANT passed_small: -DHOW=4
 * RUN: --seeds 1
 * EXPECT: race object=there on=1 A=shmem_putmem@0 B=load@1
 *
 * VARIANT copied: -DHOW=5
 * RUN: --seeds 1
 * EXPECT: race object=there on=1 A=shmem_putmem@0 B=memcpy:read@1
 *
 * VARIANT set: -DHOW=6
 * RUN: --seeds 1
 * EXPECT: race object=there on=1 A=shmem_putmem@0 B=memset@1
 *
 * VARIANT compared_O0: -DHOW=7 -O0
 * RUN: --seeds 1
 * EXPECT: race object=there on=1 A=shmem_putmem@0 B=memcmp@1
 *
 * VARIANT beside: -DHOW=8
 * RUN: --seeds 1..3
 * EXPECT: clean
 *
 * VARIANT later: -DHOW=1 -DBARRIER
 * RUN: --seeds 1..3
 * EXPECT: clean
 */
#include <shmem.h>

struct large {
    long words[12];
};
struct small {
    long a, b;
};
static union {
    struct large large[2];
    struct small small[12];
} there;
static volatile long sink;

__attribute__((noipa)) struct large
make_large(long k)
{
    struct large made = {{k, k + 1}};
    return made;
}

__attribute__((noipa)) struct small
make_small(long k)
{
    return (struct small){k, k + 1};
}

__attribute__((noipa)) long
take_large(struct large given)
{
    return given.words[3];
}

__attribute__((noipa)) long
take_small(struct small given)
{
    return given.a + given.b;
}

static void
access_there(long k)
{
    struct large mine = make_large(k);
    (void)mine;
#if HOW == 1
    there.large[0] = make_large(k); // <- B
#elif HOW == 2
    there.small[k] = make_small(k); // <- B
#elif HOW == 3
    sink = take_large(there.large[0]); // <- B
#elif HOW == 4
    sink = take_small(there.small[k]); // <- B
#elif HOW == 5
    __builtin_memcpy(&mine, &there, 64); // <- B
#elif HOW == 6
    __builtin_memset(&there, 0, 64); // <- B
#elif HOW == 7
    sink = __builtin_memcmp(&there, &mine, 16); // <- B
#else
    there.large[1] = make_large(k); /* behind the put's bytes */
    sink = take_large(there.large[1]);
    __builtin_memset(&there.small[6], 0, 96);
#endif
    sink = take_large(mine);
}

int
main(void)
{
    shmem_init();
    struct large source = make_large(7);
    if (shmem_my_pe() == 0)
        shmem_putmem(&there, &source, sizeof source, 1); // <- A
#ifdef BARRIER
    shmem_barrier_all();
#endif
    if (shmem_my_pe() == 1)
        access_there(shmem_n_pes());
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
