/* environment.c -- setenv in one PE is not seen by another.
 *
 * All PEs start with the process's environment and share it until one of them changes it: that PE then has a copy of
 * its own, which getenv of that PE reads. The variable `environ` itself, and programs that a PE starts, keep the
 * process's environment.
 */
#include <errno.h>
#include <string.h>

#include "reference/launch/launch.h"

#define EXPORT __attribute__((visibility("default")))

/* Entries are "NAME=value"; those in `owned` were allocated here. putenv's belong to the program. */
struct fp_environment {
    char **entries;
    bool *owned;
    size_t count, capacity;
};

static struct fp_environment *
own(void)
{
    struct fp_pe *pe = fp_self;
    return pe && pe->libc ? pe->libc->environment : NULL;
}

static bool
names(const char *entry, const char *name, size_t length)
{
    return !strncmp(entry, name, length) && entry[length] == '=';
}

static bool
append(struct fp_environment *environment, char *entry, bool owned)
{
    if (environment->count == environment->capacity) {
        size_t capacity = 2 * environment->capacity + 16;
        char **entries = realloc(environment->entries, capacity * sizeof *entries);
        if (!entries)
            return false;
        environment->entries = entries;
        bool *flags = realloc(environment->owned, capacity * sizeof *flags);
        if (!flags)
            return false;
        environment->owned = flags;
        environment->capacity = capacity;
    }
    environment->entries[environment->count] = entry;
    environment->owned[environment->count++] = owned;
    return true;
}

static void
drop(struct fp_environment *environment, const char *name, size_t length)
{
    for (size_t i = 0; i < environment->count;) {
        if (!names(environment->entries[i], name, length)) {
            i++;
            continue;
        }
        if (environment->owned[i])
            free(environment->entries[i]);
        environment->count--;
        environment->entries[i] = environment->entries[environment->count];
        environment->owned[i] = environment->owned[environment->count];
    }
}

void
fp_environment_free(struct fp_environment *environment)
{
    if (!environment)
        return;
    for (size_t i = 0; i < environment->count; i++)
        if (environment->owned[i])
            free(environment->entries[i]);
    free(environment->entries);
    free(environment->owned);
    free(environment);
}

/* The PE's own environment, made now if it has none; NULL: the caller is no PE (then *process is true), or there is
 * no memory. */
static struct fp_environment *
to_change(bool *process)
{
    struct fp_pe *pe = fp_self;
    *process = !pe || !pe->libc || pe->in_runtime;
    if (*process)
        return NULL;
    if (pe->libc->environment)
        return pe->libc->environment;
    struct fp_environment *environment = calloc(1, sizeof *environment);
    if (!environment)
        return NULL;
    for (char **entry = environ; entry && *entry; entry++) {
        char *copy = strdup(*entry);
        if (!copy || !append(environment, copy, true)) {
            free(copy);
            fp_environment_free(environment);
            return NULL;
        }
    }
    return pe->libc->environment = environment;
}

static char *
look_up(const struct fp_environment *environment, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < environment->count; i++)
        if (names(environment->entries[i], name, length))
            return environment->entries[i] + length + 1;
    return NULL;
}

EXPORT char *
getenv(const char *name)
{
    const struct fp_environment *environment = own();
    return environment ? look_up(environment, name) : FP_REAL(getenv)(name);
}

EXPORT char *
secure_getenv(const char *name)
{
    const struct fp_environment *environment = own();
    return environment ? look_up(environment, name) : FP_REAL(secure_getenv)(name);
}

EXPORT int
setenv(const char *name, const char *value, int replace)
{
    bool process;
    struct fp_environment *environment = to_change(&process);
    if (process)
        return FP_REAL(setenv)(name, value, replace);
    if (!*name || strchr(name, '=')) {
        errno = EINVAL;
        return -1;
    }
    if (environment && !replace && look_up(environment, name))
        return 0;
    size_t length = strlen(name), bytes = length + strlen(value) + 2;
    char *entry = environment ? malloc(bytes) : NULL;
    if (!entry) {
        errno = ENOMEM;
        return -1;
    }
    snprintf(entry, bytes, "%s=%s", name, value);
    drop(environment, name, length);
    if (append(environment, entry, true))
        return 0;
    free(entry);
    errno = ENOMEM;
    return -1;
}

EXPORT int
unsetenv(const char *name)
{
    bool process;
    struct fp_environment *environment = to_change(&process);
    if (process)
        return FP_REAL(unsetenv)(name);
    if (!*name || strchr(name, '=')) {
        errno = EINVAL;
        return -1;
    }
    if (environment)
        drop(environment, name, strlen(name));
    return environment ? 0 : -1;
}

EXPORT int
putenv(char *entry)
{
    bool process;
    struct fp_environment *environment = to_change(&process);
    if (process)
        return FP_REAL(putenv)(entry);
    const char *equals = strchr(entry, '=');
    if (!equals)
        return unsetenv(entry);
    if (environment)
        drop(environment, entry, (size_t)(equals - entry));
    if (environment && append(environment, entry, false))
        return 0;
    errno = ENOMEM;
    return -1;
}

EXPORT int
clearenv(void)
{
    bool process;
    struct fp_environment *environment = to_change(&process);
    if (process)
        return FP_REAL(clearenv)();
    while (environment && environment->count > 0)
        if (environment->owned[--environment->count])
            free(environment->entries[environment->count]);
    return environment ? 0 : -1;
}
