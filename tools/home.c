/* home.c -- where this Fencepost is installed (see home.h). */
#include "tools/home.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

/* From bin/ to the libraries; the build says where the package puts them (lib, lib64, lib/x86_64-linux-gnu). */
#ifndef HOME_LIB_FROM_BIN
#define HOME_LIB_FROM_BIN "../lib"
#endif

static void
set_folder(char *into, const char *bin, const char *way)
{
    char path[HOME_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", bin, way);
    /* What is not there keeps its long spelling, for the message that will say so. */
    if (!realpath(path, into))
        memcpy(into, path, sizeof path);
}

void
home_find(struct home *home)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) {
        fprintf(stderr, "fencepost: cannot read /proc/self/exe: %s\n", strerror(errno));
        exit(EX_OSERR);
    }
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    memcpy(home->bin, self, strlen(self) + 1);
    set_folder(home->lib, self, HOME_LIB_FROM_BIN);
    set_folder(home->include, self, "../include/fencepost");
    set_folder(home->share, self, "../share/fencepost");
}

bool
home_library(const struct home *home, const char *backend, char *path, size_t size)
{
    int length = snprintf(path, size, "%s/libfencepost_%s.so", home->lib, backend);
    return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}
