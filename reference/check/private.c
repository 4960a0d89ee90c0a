/* private.c -- what kind of private memory an address is, for the message that it is not symmetric. Slow: it reads the
 * process's map of memory, and is asked only when something is wrong. */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/check/address.h"
#include "reference/check/check.h"

struct mapping {
    uintptr_t lo, hi;
    char permissions[8], path[512];
};

static bool
find_mapping(uintptr_t at, struct mapping *found)
{
    char *line = NULL;
    size_t room = 0;
    bool is_there = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps)
        return false;
    while (!is_there && getline(&line, &room, maps) > 0) {
        found->path[0] = '\0';
        is_there = sscanf(line, "%lx-%lx %7s %*s %*s %*s %511[^\n]", &found->lo, &found->hi, found->permissions,
                          found->path) >= 3 &&
                   at >= found->lo && at < found->hi;
    }
    free(line);
    fclose(maps);
    return is_there;
}

/* Thread-locals lie at the end of a thread's stack, so they are said with it. */
static bool
on_stack(const struct fp_pe *pe, uintptr_t at, const struct mapping *mapping)
{
    pthread_attr_t attr;
    void *lo;
    size_t bytes;
    if (pe->has_thread && pthread_getattr_np(pe->thread, &attr) == 0) {
        bool got = pthread_attr_getstack(&attr, &lo, &bytes) == 0;
        pthread_attr_destroy(&attr);
        if (got)
            return at - (uintptr_t)lo < bytes;
    }
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return here >= mapping->lo && here < mapping->hi;
}

bool
fp_on_own_stack(struct fp_pe *pe, const void *address)
{
    struct mapping mapping;
    return find_mapping((uintptr_t)address, &mapping) && on_stack(pe, (uintptr_t)address, &mapping);
}

static bool
of_library(const void *address)
{
    struct dl_find_object found;
    return _dl_find_object((void *)(uintptr_t)address, &found) == 0 && found.dlfo_link_map->l_name &&
           strstr(found.dlfo_link_map->l_name, ".so");
}

const char *
fp_private_kind(struct fp_pe *pe, const void *address, enum fp_role role, const char **rule)
{
    struct mapping mapping;
    uintptr_t at = (uintptr_t)address;
    bool library = false, ours = false;
    *rule = role >= FP_ROLE_SIGNAL && role <= FP_ROLE_COLL_SOURCE ? "E043, S 3.1" : "E020, S 3.1";
    if (!find_mapping(at, &mapping))
        return "an address where no memory is";
    if (mapping.path[0] == '/') {
        library = strstr(mapping.path, ".so") != NULL;
        ours = !library;
    } else {
        library = of_library(address); /* zeroed variables are in no file */
    }
    if (on_stack(pe, at, &mapping) || strcmp(mapping.path, "[stack]") == 0) {
        *rule = "E042, S 3";
        return "a variable on the stack (or a thread-local)";
    }
    if (ours && mapping.permissions[1] != 'w') {
        *rule = "E046, S 3.1";
        return "read-only memory of the program";
    }
    if (library) {
        *rule = "E040, S 3";
        return "a variable of a shared library";
    }
    if (ours && pe->job->config.in_process)
        return "a global of the test program (not symmetric for PE functions)";
    return "private memory (malloc)";
}
