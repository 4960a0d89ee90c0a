/* inputs.c -- the files that a program opens for reading, for the trace of its run.
 *
 * A recorded run is a function of the program, its arguments and what it read. The calls by which the program's own
 * code opens files are seen (they are rebound in its images); what a library opens for it is not. Only regular files
 * count, and not those that the run itself has opened for writing before.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "reference/launch/inputs.h"
#include "reference/launch/launch.h"

struct input {
    struct input *next;
    bool written;
    uint64_t hash, bytes;
    char path[];
};

static struct {
    pthread_mutex_t lock;
    struct input *first, **last;
} inputs = {.lock = PTHREAD_MUTEX_INITIALIZER, .last = &inputs.first};

/* The hash of a regular file; false: it is none, or cannot be read. */
static bool
hash_file(const char *path, uint64_t *hash, uint64_t *bytes)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    XXH64_state_t *state = XXH64_createState();
    bool good = fd >= 0 && state && fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    if (good) {
        char buffer[65536];
        ssize_t got;
        XXH64_reset(state, 0);
        *bytes = 0;
        while ((got = read(fd, buffer, sizeof buffer)) > 0) {
            XXH64_update(state, buffer, (size_t)got);
            *bytes += (uint64_t)got;
        }
        *hash = XXH64_digest(state);
        good = got == 0;
    }
    XXH64_freeState(state);
    if (fd >= 0)
        close(fd);
    return good;
}

static void
note(const char *path, bool writes)
{
    struct fp_pe *pe = fp_self;
    if (!pe || !path || pe->in_runtime || !pe->job->config.trace[0])
        return;
    if (!strncmp(path, "/proc/", 6) || !strncmp(path, "/sys/", 5) || !strncmp(path, "/dev/", 5))
        return;
    int error = errno;
    pe->in_runtime = true;
    pthread_mutex_lock(&inputs.lock);
    struct input *input = inputs.first;
    while (input && strcmp(input->path, path))
        input = input->next;
    uint64_t hash = 0, bytes = 0;
    if (!input && (writes || hash_file(path, &hash, &bytes)) && (input = malloc(sizeof *input + strlen(path) + 1))) {
        *input = (struct input){.written = writes, .hash = hash, .bytes = bytes};
        strcpy(input->path, path);
        *inputs.last = input;
        inputs.last = &input->next;
    }
    pthread_mutex_unlock(&inputs.lock);
    pe->in_runtime = false;
    errno = error;
}

void
fp_inputs_each(void (*each)(void *self, const char *path, uint64_t hash, uint64_t bytes), void *self)
{
    pthread_mutex_lock(&inputs.lock);
    for (const struct input *input = inputs.first; input; input = input->next)
        if (!input->written)
            each(self, input->path, input->hash, input->bytes);
    pthread_mutex_unlock(&inputs.lock);
}

/* ---- What stands in for libc's calls in the program
 * -------------------------------------------------------------------- */

static FILE *
inputs_fopen(const char *path, const char *mode)
{
    note(path, mode && (strpbrk(mode, "wa") || !strncmp(mode, "r+", 2)));
    return fopen(path, mode);
}

static FILE *
inputs_freopen(const char *path, const char *mode, FILE *stream)
{
    note(path, mode && strpbrk(mode, "wa"));
    return freopen(path, mode, stream);
}

static bool
writes(int flags)
{
    return (flags & O_ACCMODE) != O_RDONLY;
}

static int
inputs_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    note(path, writes(flags));
    return open(path, flags, mode);
}

static int
inputs_openat(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (folder == AT_FDCWD || (path && *path == '/'))
        note(path, writes(flags));
    return openat(folder, path, flags, mode);
}

const struct fp_rebind fp_rebind_inputs[] = {
    {"fopen", (void *)inputs_fopen},     {"fopen64", (void *)inputs_fopen},
    {"freopen", (void *)inputs_freopen}, {"open", (void *)inputs_open},
    {"open64", (void *)inputs_open},     {"openat", (void *)inputs_openat},
    {"openat64", (void *)inputs_openat}, {NULL, NULL},
};
