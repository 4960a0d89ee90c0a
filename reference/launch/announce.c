/* announce.c -- the standard's environment variables that make a program say something when it starts (S 8).
 *
 * SHMEM_VERSION: which library; SHMEM_INFO: what the environment can set; SHMEM_DEBUG: how this run is set. The older
 * names SMA_... count where the new one is not set. What they print goes to stderr: stdout is the program's. */
#include <string.h>

#include "fencepost_options.h"
#include "reference/launch/launch.h"
#include "shmem.h"

static const struct variable {
    const char *name, *old, *help;
} variables[] = {
    {"SHMEM_VERSION", "SMA_VERSION", "any value: print the version of the library at the start"},
    {"SHMEM_INFO", "SMA_INFO", "any value: print this list at the start"},
    {"SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE", "bytes of each symmetric heap, with k, m, g or t (64m, 1.5G)"},
    {"SHMEM_DEBUG", "SMA_DEBUG", "any value: print how the run is set"},
};

static bool
is_set(const char *name)
{
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (strcmp(variables[i].name, name) == 0)
            return getenv(name) != NULL || getenv(variables[i].old) != NULL;
    FP_BUG("%s is no variable of the standard", name);
}

static void
say_info(void)
{
    fprintf(stderr, "Environment variables of OpenSHMEM (the deprecated SMA_ names count where SHMEM_ is not set):\n");
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        fprintf(stderr, "  %-22s %s\n", variables[i].name, variables[i].help);
    fprintf(stderr, "Environment variables of Fencepost:\n");
#define SAY_OPTION(id, flag, variable, kind, default_, argument, help)                                                 \
    fprintf(stderr, "  %-22s %s%s%s\n", variable, help, *default_ ? "; default " : "", default_);
    FENCEPOST_OPTIONS(SAY_OPTION)
#undef SAY_OPTION
}

static void
say_run(const struct fp_config *config)
{
    fprintf(stderr, "fencepost: debug: backend %s, %d PEs, symmetric heap of %zu bytes, seed %llu\n", fp_backend->name,
            config->npes, config->heap_bytes, (unsigned long long)config->seed);
    fprintf(stderr, "fencepost: debug: net %s, chooser %s, rules %s, heap %s, PE context %s, checks %s\n", config->net,
            config->chooser, config->rules_name, config->heap, config->pe_context, config->check ? "on" : "off");
}

void
fp_announce(const struct fp_config *config)
{
    if (is_set("SHMEM_VERSION"))
        fprintf(stderr, "%s, OpenSHMEM %d.%d\n", SHMEM_VENDOR_STRING, SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION);
    if (is_set("SHMEM_INFO"))
        say_info();
    if (is_set("SHMEM_DEBUG"))
        say_run(config);
}
