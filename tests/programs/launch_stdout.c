/* Lines are written whole, whatever they are put together from and whoever else writes meanwhile; the last line
 * need not end.
 *
 * RUN: -n 3 --seeds 1 --choosers random --contexts fiber,thread
 * RUN: -n 3 --seeds 1 --backends direct
 * EXPECT: clean
 * STDOUT: PE 0: printf putchar putc fputs fwrite 42 %
 * STDOUT: PE 1: printf putchar putc fputs fwrite 42 %
 * STDOUT: PE 2: printf putchar putc fputs fwrite 42 %
 * STDOUT: puts
 * STDOUT: puts
 * STDOUT: puts
 * STDOUT: wide 0
 * STDOUT: wide 1
 * STDOUT: wide 2
 * STDOUT: last
 *
 * VARIANT label: -DLABEL
 * RUN: -n 2 --seeds 1 --choosers random --options --label
 * EXPECT: clean
 * STDOUT: [PE 0] PE 0: printf putchar putc fputs fwrite 42 %
 * STDOUT: [PE 1] PE 1: printf putchar putc fputs fwrite 42 %
 * STDOUT: [PE 0] puts
 * STDOUT: [PE 1] puts
 * STDOUT: [PE 0] wide 0
 * STDOUT: [PE 1] wide 1
 * STDOUT: [PE 0] last
 *
 * VARIANT unfinished: -DUNFINISHED
 * RUN: -n 2 --seeds 1 --choosers random --status 5
 * EXPECT: clean
 * STDOUT: PE 0: printf putchar putc fputs fwrite 42 %
 * STDOUT: PE 1: printf putchar putc fputs fwrite 42 %
 * STDOUT: puts
 * STDOUT: puts
 * STDOUT: wide 0
 * STDOUT: wide 1
 * STDOUT: last
 */
#include <shmem.h>
#include <stdio.h>
#include <wchar.h>

int
main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("PE %d: ", me);
    shmem_barrier_all();
    fprintf(stdout, "printf ");
    fflush(stdout);
    shmem_barrier_all();
    for (const char *c = "putchar "; *c; c++) {
        putchar(*c);
        shmem_barrier_all();
    }
    for (const char *c = "putc "; *c; c++)
        putc_unlocked(*c, stdout);
    shmem_barrier_all();
    fputs("fputs ", stdout);
    fflush(NULL);
    shmem_barrier_all();
    fwrite("fwrite", 1, 6, stdout);
    shmem_barrier_all();
    printf(" %d %%\n", 42);
    puts("puts");
    shmem_barrier_all();
    wprintf(L"wide %d", me);
    shmem_barrier_all();
    fputws(L"\n", stdout);
    shmem_barrier_all();
    if (me == 0)
        printf("last");
    shmem_barrier_all();
#ifdef UNFINISHED
    if (me == 1)
        shmem_global_exit(5);
    shmem_barrier_all();
#endif
    shmem_finalize();
    return 0;
}
