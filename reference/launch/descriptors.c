/* descriptors.c -- a program that closes every descriptor closes its own.
 *
 * The trace, the channel of a search and the like are open files of the same process. What the launcher holds when the
 * program starts is what has FD_CLOEXEC then: nothing inherited can have it. The program's close, close_range and
 * closefrom leave those alone, and dup2 onto one fails. Standard error that the program has closed is opened again to
 * tell what was found.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reference/launch/launch.h"

enum { OWN_MAX = 32, LOOKED_AT = 256 };

static struct own {
    int fd;
    dev_t device;
    ino_t inode;
} own[OWN_MAX];
static int nown;
static int messages = -1; /* another descriptor of standard error */

void
fp_descriptors_keep(void)
{
    struct stat status;
    messages = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    nown = 0;
    for (int fd = 3; fd < LOOKED_AT && nown < OWN_MAX; fd++) {
        int flags = fcntl(fd, F_GETFD);
        if (flags >= 0 && (flags & FD_CLOEXEC) && !fstat(fd, &status))
            own[nown++] = (struct own){fd, status.st_dev, status.st_ino};
    }
}

void
fp_descriptors_restore(void)
{
    if (messages >= 0 && fcntl(STDERR_FILENO, F_GETFD) < 0)
        FP_REAL(dup2)(messages, STDERR_FILENO);
}

/* Still the same file: the number may have been given back and be the program's by now. */
static bool
is_own(int fd)
{
    struct stat status;
    if (!fp_job_now || fp_job_now->config.in_process || !fp_is_job_process())
        return false;
    for (int i = 0; i < nown; i++)
        if (own[i].fd == fd)
            return !fstat(fd, &status) && status.st_dev == own[i].device && status.st_ino == own[i].inode;
    return false;
}

/* The lowest of ours in a range, or -1. */
static int
own_from(unsigned first, unsigned last)
{
    for (int i = 0; i < nown; i++)
        if ((unsigned)own[i].fd >= first && (unsigned)own[i].fd <= last && is_own(own[i].fd))
            return own[i].fd;
    return -1;
}

FP_EXPORT int
close(int fd)
{
    if (nown && fp_caller_pe() && is_own(fd)) {
        errno = EBADF;
        return -1;
    }
    return FP_REAL(close)(fd);
}

static int
others_close(unsigned first, unsigned last, int flags)
{
    int kept;
    while ((kept = own_from(first, last)) >= 0) {
        if ((unsigned)kept > first && FP_REAL(close_range)(first, (unsigned)kept - 1, flags))
            return -1;
        first = (unsigned)kept + 1;
        if (first > last)
            return 0;
    }
    return FP_REAL(close_range)(first, last, flags);
}

FP_EXPORT int
close_range(unsigned first, unsigned last, int flags)
{
    return fp_caller_pe() ? others_close(first, last, flags) : FP_REAL(close_range)(first, last, flags);
}

FP_EXPORT void
closefrom(int lowest)
{
    if (fp_caller_pe())
        others_close(lowest < 0 ? 0 : (unsigned)lowest, ~0u, 0);
    else
        FP_REAL(closefrom)(lowest);
}

FP_EXPORT int
dup2(int from, int to)
{
    if (nown && fp_caller_pe() && is_own(to)) {
        errno = EBUSY;
        return -1;
    }
    return FP_REAL(dup2)(from, to);
}

FP_EXPORT int
dup3(int from, int to, int flags)
{
    if (nown && fp_caller_pe() && is_own(to)) {
        errno = EBUSY;
        return -1;
    }
    return FP_REAL(dup3)(from, to, flags);
}
