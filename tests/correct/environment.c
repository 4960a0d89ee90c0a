/* environment.c -- setenv, putenv and unsetenv of a PE are its own.
 *
 * RUN: -n 1,3 --contexts fiber,thread --backends sim,direct
 * EXPECT: clean
 */
#define _DEFAULT_SOURCE
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char entry[] = "WHO=?";

int
main(void)
{
    char text[16];
    shmem_init();
    int me = shmem_my_pe();
    snprintf(text, sizeof text, "%d", me);
    setenv("DEVICE", text, 1);
    entry[4] = (char)('a' + me);
    putenv(entry);
    shmem_barrier_all();
    const char *device = getenv("DEVICE"), *who = getenv("WHO");
    if (!device || atoi(device) != me || !who || who[0] != 'a' + me || !getenv("PATH"))
        return 1;
    setenv("DEVICE", "other", 0);
    unsetenv("WHO");
    if (strcmp(getenv("DEVICE"), text) || getenv("WHO"))
        return 2;
    shmem_finalize();
    return 0;
}
