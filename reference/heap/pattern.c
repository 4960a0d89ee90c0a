/* pattern.c -- see pattern.h. */
#include "reference/heap/pattern.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE UINT64_C(4096)
#define FILE_MAX (UINT64_C(32) << 20) /* larger blocks map the file several times */

void
fp_pattern_open(struct fp_pattern *pattern, uint64_t seed)
{
    *pattern = (struct fp_pattern){.seed = seed, .fd = -1};
}

void
fp_pattern_close(struct fp_pattern *pattern)
{
    if (pattern->fd >= 0)
        close(pattern->fd);
    pattern->fd = -1;
}

uint64_t
fp_pattern_word(const struct fp_pattern *pattern, int rank)
{
    uint64_t word = (pattern->seed + 1) * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)rank * UINT64_C(0xD1B54A32D192ED03);
    word ^= word >> 29;
    return word * UINT64_C(0xBF58476D1CE4E5B9) | UINT64_C(0x0101010101010101); /* no byte is zero */
}

void
fp_pattern_fill(const struct fp_pattern *pattern, int rank, void *memory, uint64_t bytes)
{
    uint64_t word = fp_pattern_word(pattern, rank);
    unsigned char unit[64], *at = memory;
    for (size_t i = 0; i < sizeof unit; i += sizeof word)
        memcpy(unit + i, &word, sizeof word);
    for (; bytes >= sizeof unit; at += sizeof unit, bytes -= sizeof unit)
        memcpy(at, unit, sizeof unit);
    memcpy(at, unit, bytes);
}

bool
fp_pattern_prepare(struct fp_pattern *pattern)
{
    if (pattern->fd >= 0)
        return true;
    int fd = memfd_create("fencepost-pattern", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)FILE_MAX) != 0)
        goto failed;
    void *file = mmap(NULL, FILE_MAX, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (file == MAP_FAILED)
        goto failed;
    fp_pattern_fill(pattern, 0, file, FILE_MAX);
    munmap(file, FILE_MAX);
    pattern->fd = fd;
    return true;
failed:
    if (fd >= 0)
        close(fd);
    return false;
}

bool
fp_pattern_map(const struct fp_pattern *pattern, char *at, uint64_t bytes)
{
    if (pattern->fd < 0)
        return false;
    for (uint64_t done = 0; done < bytes; done += FILE_MAX) {
        uint64_t piece = bytes - done < FILE_MAX ? (bytes - done + PAGE - 1) & ~(PAGE - 1) : FILE_MAX;
        if (mmap(at + done, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, pattern->fd, 0) ==
            MAP_FAILED)
            return false;
    }
    return true;
}
