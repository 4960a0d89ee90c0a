/* record.h -- the trace of a run as it happens, and the digest of its events. */
#ifndef SIM_RECORD_H
#define SIM_RECORD_H

#include <stdint.h>

struct sim;
struct sim_event;
struct sim_record;

/* Opens the trace file and writes its header; NULL after saying why. */
struct sim_record *sim_record_open(struct sim *sim, const char *path);
void sim_record_choice(struct sim_record *record, unsigned kind, uint32_t bound, uint32_t answer);
void sim_record_event(struct sim_record *record, const struct sim_event *event);
/* Writes the result and ends the file. */
int sim_record_close(struct sim *sim, struct sim_record *record);

/* Says whether the header of a trace fits this run; otherwise one line in `error`. */
struct fp_trace_reader;
int sim_record_fits(struct sim *sim, const struct fp_trace_reader *trace, char *error, int error_size);

#endif
