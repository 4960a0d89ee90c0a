/* insert.h -- calls that are made as if they stood in the program (--insert). */
#ifndef SIM_INSERT_H
#define SIM_INSERT_H

struct fp_pe;
struct sim;

/* Reads config.insert; nothing where there is none. 0, or -1 after saying what is wrong. */
int sim_insert_open(struct sim *sim);
void sim_insert_close(struct sim *sim);
/* The PE is about to make a call, or an access, at `site`. */
void sim_insert_before(struct fp_pe *pe, const void *site);

#endif
