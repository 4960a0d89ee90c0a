/* worker.h -- a process that has loaded the program and runs it on request (sim/server.h). */
#ifndef TOOLS_WORKER_H
#define TOOLS_WORKER_H

#include "sim/server.h"

struct worker {
    int socket;
    int pid;
    int output; /* what the last run wrote on standard output and error */
    bool busy;
    struct server_request request; /* the one being worked on */
    double since;                  /* when it was sent, s */
    uint64_t left;                 /* runs of the range behind this request's */
    char report[SERVER_PATH_MAX];
};

/* Starts the program. 0, or an exit status after saying why. */
int worker_start(struct worker *worker, const char *command, const char *folder, int number, const char *path,
                 char **argv);
/* False when the worker has gone (what it wrote is in its output). */
bool worker_send(struct worker *worker, const struct server_request *request);
bool worker_receive(struct worker *worker, struct server_reply *reply);
/* What the last run wrote; to be freed. */
char *worker_output(const struct worker *worker);
void worker_stop(struct worker *worker);
double seconds_now(void);

#endif
