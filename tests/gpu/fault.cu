/* fault.cu -- what goes wrong on a GPU ends the job with one line: a kernel that writes where nothing is (argument
 * kernel), more memory than there is (memory), a PE that leaves while another waits for it (leaves). */
#include <nvshmem.h>
#include <stdio.h>
#include <string.h>

__global__ void
astray(int *nowhere)
{
    *nowhere = 1;
}

int
main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    nvshmem_init();
    long *word = (long *)nvshmem_calloc(1, sizeof *word);
    if (!strcmp(what, "kernel") && nvshmem_my_pe() == 1)
        astray<<<1, 1>>>((int *)64);
    if (!strcmp(what, "memory"))
        for (int i = 0; i < 64; i++)
            nvshmem_malloc((size_t)8 << 30);
    if (!strcmp(what, "leaves") && nvshmem_my_pe() == 1)
        return 3;
    shmem_long_wait_until(word, SHMEM_CMP_EQ, 1);
    nvshmem_finalize();
    return 0;
}
