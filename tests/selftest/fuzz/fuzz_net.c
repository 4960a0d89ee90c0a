/* fuzz_net.c -- the reader of network files, for libFuzzer (see ../test_fuzz.py). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/net.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

static void
look(int result, struct sim_net *net, const char *error)
{
    uint64_t latency, jitter, bandwidth;
    if (result == 0) {
        for (int pe = 0; pe < 4; pe++)
            sim_net_pair(net, pe, 3 - pe, &latency, &jitter, &bandwidth);
        sim_net_free(net);
    } else if (!*error || strchr(error, '\n')) {
        abort(); /* what is wrong is one line */
    }
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
    char error[512] = "", *text = malloc(size + 1);
    struct sim_net net;
    if (!text)
        abort();
    memcpy(text, bytes, size);
    text[size] = '\0';
    look(sim_net_parse(&net, "text", text, error, sizeof error), &net, error);
    free(text);
    if (size % 64 != 0) /* a file takes longer */
        return 0;
    int file = memfd_create("net", 0);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size)
        abort();
    look(sim_net_load(&net, path, error, sizeof error), &net, error);
    close(file);
    return 0;
}
