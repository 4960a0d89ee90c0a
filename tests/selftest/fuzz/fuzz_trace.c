/* fuzz_trace.c -- everything that reads a trace, for libFuzzer (see ../test_fuzz.py).
 *
 * Behind checksums and compression random bytes go nowhere. So the first byte of an input says how the rest is meant:
 * below 8 as a file as it stands; else as blocks, each its type, two bytes of length, and the payload, which are packed
 * and summed here. Then a command reads the file; the byte modulo 8 says which.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "tools/trace.h"
#include "traces/format.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

static void
put(int file, const void *bytes, size_t size)
{
    if (write(file, bytes, size) != (ssize_t)size)
        abort();
}

static void
put_block(int file, unsigned char type, const void *payload, size_t size)
{
    static char packed[ZSTD_COMPRESSBOUND(1 << 16)];
    unsigned char head[TRACE_HEAD_BYTES] = {type};
    size_t stored = ZSTD_compress(packed, sizeof packed, payload, size, 1);
    for (int i = 0; i < 4; i++) {
        head[1 + i] = (unsigned char)(size >> (8 * i));
        head[5 + i] = (unsigned char)(stored >> (8 * i));
    }
    uint64_t sum = trace_block_sum(head, packed, stored);
    for (int i = 0; i < 8; i++)
        head[9 + i] = (unsigned char)(sum >> (8 * i));
    put(file, head, sizeof head);
    put(file, packed, stored);
}

static void
run(int (*command)(int, char **), char *first, char *second, char *third)
{
    char *words[] = {"fuzz", first, second, third, NULL};
    int count = 1;
    while (words[count])
        count++;
    command(count, words);
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
    static char path[64];
    static int file = -1;
    if (file < 0) {
        file = memfd_create("trace", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (file < 0 || ftruncate(file, 0) || lseek(file, 0, SEEK_SET))
        abort();
    if (size == 0)
        return 0;
    if (bytes[0] < 8) {
        put(file, bytes + 1, size - 1);
    } else {
        put(file, TRACE_MAGIC, TRACE_MAGIC_BYTES);
        for (size_t at = 1; at + 3 <= size;) {
            size_t length = bytes[at + 1] | (size_t)bytes[at + 2] << 8, left = size - at - 3;
            length = length < left ? length : left;
            put_block(file, bytes[at], bytes + at + 3, length);
            at += 3 + length;
        }
    }
    switch (bytes[0] % 8) {
    case 0:
        run(trace_print, path, NULL, NULL);
        break;
    case 1:
        run(trace_stats, path, NULL, NULL);
        break;
    case 2:
        run(trace_diff, path, path, NULL);
        break;
    case 3:
        run(trace_export, "--format=json", path, NULL);
        break;
    case 4:
        run(trace_export, "--format=perfetto", path, NULL);
        break;
    default:
        run(trace_export, "--format=html", path, NULL);
    }
    return 0;
}
