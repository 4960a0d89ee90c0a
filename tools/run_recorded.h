/* run_recorded.h -- a run of a program of the direct or gpu backend that leaves a trace. */
#ifndef TOOLS_RUN_RECORDED_H
#define TOOLS_RUN_RECORDED_H

/* Runs the program with libfencepost_record.so before its library, and merges what the PEs recorded into `trace`. A
 * trace is written whatever the program's end was; the result is the program's exit status, or that of the merging
 * where the program's is 0. */
int run_recorded(const char *command, const char *path, char **argv, const char *trace);

#endif
