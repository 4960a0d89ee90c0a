/* hello.c -- start and end, for the time that these take. Compiled without SHMEM it is the bare program to compare
 * with. */
#ifndef BARE
#include <shmem.h>
#endif
#include <stdio.h>

int
main(void)
{
#ifndef BARE
    shmem_init();
    printf("hello from %d\n", shmem_my_pe());
    shmem_finalize();
#else
    printf("hello\n");
#endif
    return 0;
}
