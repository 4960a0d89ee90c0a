/* child.c -- messages to and from processes that make runs, and waiting for those runs. See child.h. */
#include "sim/child.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool
sim_whole_read(int fd, void *to, size_t bytes)
{
    for (size_t got = 0; got < bytes;) {
        ssize_t n = read(fd, (char *)to + got, bytes - got);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        got += n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool
sim_whole_write(int fd, const void *from, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t n = send(fd, (const char *)from + done, bytes - done, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool
sim_child_ended(pid_t child, uint32_t timeout_ms, int *status)
{
    struct timespec time = {.tv_sec = timeout_ms / 1000, .tv_nsec = (long)(timeout_ms % 1000) * 1000000};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    while (waitpid(child, status, WNOHANG) == 0) {
        if (sigtimedwait(&set, NULL, &time) < 0 && errno == EAGAIN)
            return false;
    }
    return true;
}

void
sim_child_kill(pid_t child, int *status)
{
    kill(child, SIGKILL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        ;
}

bool
sim_child_await(pid_t child, uint32_t timeout_ms, int *status)
{
    bool ended = sim_child_ended(child, timeout_ms, status);
    if (!ended)
        sim_child_kill(child, status);
    return ended;
}
