/* child.h -- what processes that make runs in children have in common (server.c, predict_keeper.c). */
#ifndef SIM_CHILD_H
#define SIM_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* All bytes, or false. */
bool sim_whole_read(int fd, void *to, size_t bytes);
bool sim_whole_write(int fd, const void *from, size_t bytes);
/* Waits for the child, whose SIGCHLD is blocked. False: it takes longer. */
bool sim_child_ended(pid_t child, uint32_t timeout_ms, int *status);
void sim_child_kill(pid_t child, int *status);
/* The first, and the second where it takes longer. False: it had to. */
bool sim_child_await(pid_t child, uint32_t timeout_ms, int *status);

#endif
