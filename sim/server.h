/* server.h -- many runs of one program: the process that has loaded the program forks a child for each run.
 *
 * `fencepost explore` starts the program with the number of a socket in FENCEPOST_SERVER. When everything is loaded and
 * before PE 0 begins, sim_serve answers requests: it forks, the child runs the program as the request says, and the
 * reply tells how the first run ended that was not clean. Both sides are of one version, so the messages are plain
 * structs; their sizes follow the socket's number, and a library that has others refuses to serve.
 */
#ifndef SIM_SERVER_H
#define SIM_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#define SERVER_VARIABLE "FENCEPOST_SERVER"
#define SERVER_VALUE "%d:%zu:%zu" /* socket, sizes of request and reply */
#define SERVER_PATH_MAX 512
#define SERVER_CHOOSERS_MAX 8
#define SERVER_UNSEEN_MAX 512

enum server_kind {
    SERVER_SAMPLE, /* runs number first, first + step ...: seed + number, choosers in turn */
    SERVER_SEARCH, /* executions of an exhaustive search, which goes on from request to request */
    SERVER_AGAIN,  /* the last execution of the search once more, for its trace */
    SERVER_GUIDED  /* one run with the choices of `guide` as far as they fit */
};

struct server_request {
    uint32_t kind;
    uint64_t first, step, count; /* SEARCH: count alone */
    uint64_t seed;
    char choosers[SERVER_CHOOSERS_MAX][16];
    uint32_t nchoosers;
    uint32_t timeout_ms;          /* of one run */
    uint64_t predicts;            /* SAMPLE: runs with lower numbers predict, which may take ten times as long */
    char report[SERVER_PATH_MAX]; /* written by runs with findings */
    char trace[SERVER_PATH_MAX];  /* "" or written by every run */
    char guide[SERVER_PATH_MAX];
};

struct server_reply {
    uint64_t ran;                       /* runs that were made */
    uint64_t last;                      /* number of the last run: the one that was not clean, if any */
    int status;                         /* of it, as waitpid tells */
    bool timed_out;                     /* it was killed */
    uint64_t choices, operations;       /* of it */
    uint64_t executions, repeats, left; /* SEARCH: so far */
    bool complete, too_long, astray;
    char unseen[SERVER_UNSEEN_MAX]; /* what the runs did not look at, phrases with line feeds between them */
};

struct sim;
/* Serves until the other side closes the socket, and exits. Returns in each child, ready to run. */
void sim_serve(struct sim *sim);
/* In a child, at its end. */
void sim_served_end(struct sim *sim);
/* In a child whose run is over and found nothing, before it predicts. */
void sim_served_clean(struct sim *sim);
/* The variable is there. */
bool sim_is_server(void);

#endif
