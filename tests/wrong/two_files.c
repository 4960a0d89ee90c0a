/* two_files.c -- the put stands in one file, the read in another: the repair names both with their files.
 *
 * SOURCES: two_files/reader.c
 * RUN: -n 2 --seeds 1..5
 * EXPECT: race object=box on=1 rule=E061 repair~"two_files.c:" repair~"reader.c:" A=shmem_int_p@0 B=load@1
 */
#include <shmem.h>

int box;
int reader(void);

int
main(void)
{
    int seen = 0;
    shmem_init();
    if (shmem_my_pe() == 0)
        shmem_int_p(&box, 1, 1); // <- A
    else
        seen = reader();
    shmem_finalize();
    return seen > 1;
}
