/* worker.c -- see worker.h. */
#include "tools/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#define OUTPUT_MAX ((off_t)1 << 20)

double
seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void
become_program(const struct worker *worker, int socket, const char *path, char **argv)
{
    char value[64];
    int nothing = open("/dev/null", O_RDONLY);
    snprintf(value, sizeof value, SERVER_VALUE, socket, sizeof(struct server_request), sizeof(struct server_reply));
    setenv(SERVER_VARIABLE, value, 1);
    setenv("LD_BIND_NOW", "1", 1); /* or each child would look up its symbols anew; taken back by the server */
    dup2(nothing, STDIN_FILENO);
    dup2(worker->output, STDOUT_FILENO);
    dup2(worker->output, STDERR_FILENO);
    signal(SIGINT, SIG_IGN); /* Ctrl-C reaches the whole group, and the summary is still to be written */
    execv(path, argv);
    fprintf(stderr, "cannot start %s: %s\n", path, strerror(errno));
    _exit(EX_OSERR);
}

int
worker_start(struct worker *worker, const char *command, const char *folder, int number, const char *path, char **argv)
{
    int ends[2];
    *worker = (struct worker){.socket = -1, .output = -1};
    snprintf(worker->report, sizeof worker->report, "%s/report-%d.json", folder, number);
    char output[SERVER_PATH_MAX + 32];
    snprintf(output, sizeof output, "%s/output-%d", folder, number);
    worker->output = open(output, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (worker->output < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) {
        fprintf(stderr, "%s: cannot start a worker: %s\n", command, strerror(errno));
        return EX_OSERR;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    worker->pid = fork();
    if (worker->pid == 0)
        become_program(worker, ends[1], path, argv);
    close(ends[1]);
    worker->socket = ends[0];
    if (worker->pid > 0)
        return 0;
    fprintf(stderr, "%s: cannot fork: %s\n", command, strerror(errno));
    return EX_OSERR;
}

bool
worker_send(struct worker *worker, const struct server_request *request)
{
    worker->request = *request;
    worker->busy = true;
    worker->since = seconds_now();
    unlink(worker->report);
    return send(worker->socket, request, sizeof *request, MSG_NOSIGNAL) == (ssize_t)sizeof *request;
}

bool
worker_receive(struct worker *worker, struct server_reply *reply)
{
    size_t got = 0;
    while (got < sizeof *reply) {
        ssize_t n = read(worker->socket, (char *)reply + got, sizeof *reply - got);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        got += n > 0 ? (size_t)n : 0;
    }
    worker->busy = false;
    return true;
}

char *
worker_output(const struct worker *worker)
{
    struct stat status;
    off_t size = fstat(worker->output, &status) ? 0 : status.st_size < OUTPUT_MAX ? status.st_size : OUTPUT_MAX;
    char *text = calloc(1, (size_t)size + 1);
    if (text && pread(worker->output, text, (size_t)size, 0) < 0)
        *text = '\0';
    return text;
}

void
worker_stop(struct worker *worker)
{
    if (worker->socket >= 0)
        close(worker->socket);
    if (worker->output >= 0)
        close(worker->output);
    if (worker->pid > 0) {
        if (worker->busy)
            kill(worker->pid, SIGKILL);
        while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    worker->socket = worker->output = -1;
    worker->pid = 0;
}
