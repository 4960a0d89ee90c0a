/* records.h -- what happens in a run, as the records of its trace (traces/FORMAT.md). */
#ifndef SIM_RECORDS_H
#define SIM_RECORDS_H

struct sim;
struct sim_event;
struct sim_records;
struct fp_trace_writer;

/* Writes into `writer`, which stays the caller's. */
struct sim_records *sim_records_open(struct sim *sim, struct fp_trace_writer *writer);
void sim_records_event(struct sim_records *records, const struct sim_event *event);
/* Writes what belongs to the result: findings, where the call sites are, the names of static objects. */
void sim_records_close(struct sim_records *records);

#endif
