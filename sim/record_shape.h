/* record_shape.h -- shapes of the records of a trace: what many records have in common (traces/FORMAT.md). */
#ifndef SIM_RECORD_SHAPE_H
#define SIM_RECORD_SHAPE_H

#include "reference/report/report.h"
#include "traces/trace.h"

struct sim_event;
struct sim_shapes;

struct sim_shapes *sim_shapes_open(struct fp_trace_writer *writer);
/* The shape of an event; told to the writer when it is new. */
uint32_t sim_shape_of(struct sim_shapes *shapes, const struct sim_event *event);
/* The shape of records that no call makes. */
uint32_t sim_shape_plain(struct sim_shapes *shapes, enum fp_trace_event event);
/* One more site that the result explains. */
void sim_shapes_add_site(struct sim_shapes *shapes, fp_site_t site);
/* Writes `site` keys of the result: those of all shapes and the added ones, in order. */
void sim_shapes_tell_sites(struct sim_shapes *shapes, struct fp_report *report);
void sim_shapes_close(struct sim_shapes *shapes);

#endif
