/* output.c -- the standard output of a PE.
 *
 * A PE's output goes through a FILE of its own whose cookie keeps the current line back until it is whole, and then
 * writes it with one system call: lines of different PEs do not mix, and their order is the order in which the PEs
 * ran. The last, unfinished line follows when the PE ends, however it ends. A single PE needs no such care: fflush
 * writes what there is.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "reference/launch/launch.h"

#define LINE_BYTES_MAX ((size_t)16 << 20) /* longer lines are written in pieces */
#define FILE_BUFFER_BYTES 1024
#define RESCUE_TRIES_MAX 20 /* milliseconds */

struct fp_output {
    struct fp_pe *pe;
    FILE *file;
    char buffer[FILE_BUFFER_BYTES];
    char *line; /* what has been printed and not been written; ends without a newline */
    size_t used, capacity;
    bool line_begun; /* a piece of the current line has been written */
    bool eager;      /* write unfinished lines */
};

/* ---- Writing lines */

static int
write_all(const char *bytes, size_t n)
{
    while (n) {
        ssize_t written = write(STDOUT_FILENO, bytes, n);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return -1;
        bytes += written;
        n -= (size_t)written;
    }
    return 0;
}

/* With --label: every line of `bytes` behind "[PE k] ". */
static int
write_labelled(struct fp_output *output, const char *bytes, size_t n)
{
    char label[32];
    size_t nlabel = (size_t)snprintf(label, sizeof label, "[PE %d] ", output->pe->rank), lines = 1, used = 0;
    for (size_t i = 0; i < n; i++)
        lines += bytes[i] == '\n';
    char *text = malloc(n + lines * nlabel);
    if (!text)
        return write_all(bytes, n);
    bool begun = output->line_begun;
    for (size_t i = 0; i < n; i++) {
        if (!begun) {
            memcpy(text + used, label, nlabel);
            used += nlabel;
        }
        text[used++] = bytes[i];
        begun = bytes[i] != '\n';
    }
    int result = write_all(text, used);
    free(text);
    return result;
}

/* Writes the first n bytes that are kept. */
static int
output_write(struct fp_output *output, size_t n)
{
    if (!n)
        return 0;
    int result = output->pe->job->config.label ? write_labelled(output, output->line, n) : write_all(output->line, n);
    output->line_begun = output->line[n - 1] != '\n';
    output->used -= n;
    memmove(output->line, output->line + n, output->used);
    return result;
}

static ssize_t
output_cookie_write(void *cookie, const char *bytes, size_t n)
{
    struct fp_output *output = cookie;
    if (output->used + n > output->capacity) {
        size_t capacity = 2 * (output->used + n) + 256;
        char *line = realloc(output->line, capacity);
        if (!line)
            return 0;
        output->line = line;
        output->capacity = capacity;
    }
    memcpy(output->line + output->used, bytes, n);
    output->used += n;
    const char *newline = memrchr(output->line + output->used - n, '\n', n);
    size_t whole = newline ? (size_t)(newline + 1 - output->line) : 0;
    if (output->used - whole > LINE_BYTES_MAX)
        whole = output->used;
    return output_write(output, whole) ? 0 : (ssize_t)n;
}

static struct fp_output *
output_make(struct fp_pe *pe)
{
    struct fp_output *output = calloc(1, sizeof *output);
    if (!output)
        fp_env_fail("out of memory");
    output->pe = pe;
    output->eager = pe->job->npes == 1;
    output->file = fopencookie(output, "w", (cookie_io_functions_t){.write = output_cookie_write});
    if (!output->file)
        fp_env_fail("out of memory");
    FP_REAL(setvbuf)(output->file, output->buffer, _IOLBF, sizeof output->buffer);
    return output;
}

void
fp_output_flush(struct fp_pe *pe, bool last)
{
    struct fp_output *output = pe->libc ? pe->libc->output : NULL;
    if (!output)
        return;
    flockfile(output->file);
    FP_REAL(fflush_unlocked)(output->file);
    if (last || output->eager)
        output_write(output, output->used);
    funlockfile(output->file);
}

/* At a sudden end, by whichever thread ends the job: the PE may be printing meanwhile (direct), or be stuck in it. The
 * file's lock guards the kept line as well. */
void
fp_output_rescue(struct fp_pe *pe)
{
    struct fp_output *output = pe->libc ? pe->libc->output : NULL;
    if (!output)
        return;
    for (int try = 0; ftrylockfile(output->file); try++) {
        if (try == RESCUE_TRIES_MAX)
            return;
        syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    FP_REAL(fflush_unlocked)(output->file);
    output_write(output, output->used);
    funlockfile(output->file);
}

void
fp_output_free(struct fp_output *output)
{
    if (!output)
        return;
    FP_REAL(fclose)(output->file);
    free(output->line);
    free(output);
}

/* ---- Whose stream */

FILE *
fp_output_stream(FILE *stream, const void *caller)
{
    if (stream != stdout)
        return stream;
    struct fp_pe *pe = fp_self ? fp_self : fp_worker_of;
    if (!pe || pe->in_runtime || !pe->libc || pe->phase != FP_PE_RUNNING || fp_is_own_code(caller))
        return stream;
    if (!pe->libc->output) {
        static int lock; /* threads of the program may come here first, at once */
        while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
            ;
        if (!pe->libc->output)
            pe->libc->output = output_make(pe);
        __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    }
    return pe->libc->output->file;
}

int
fp_output_sync(FILE *stream)
{
    struct fp_pe *pe = fp_self ? fp_self : fp_worker_of;
    struct fp_output *output = pe && pe->libc ? pe->libc->output : NULL;
    int result = FP_REAL(fflush)(stream);
    if (output && output->file == stream && output->eager && output_write(output, output->used))
        result = EOF;
    return result;
}
