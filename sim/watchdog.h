/* watchdog.h -- notices a PE that spins on a plain load in a program compiled without hooks. */
#ifndef SIM_WATCHDOG_H
#define SIM_WATCHDOG_H

#include <signal.h>

/* Looks at the thread that runs; PEs with a thread of their own let it in. */
#define SIM_WATCHDOG_SIGNAL (SIGRTMAX - 1)

struct sim;
struct sim_watchdog;

/* Starts watching, on a thread of its own; NULL where config.watchdog_s is 0 or no thread can be had. The calling
 * thread is the one that runs PE 0 (and every fiber). */
struct sim_watchdog *sim_watchdog_start(struct sim *sim);
void sim_watchdog_stop(struct sim_watchdog *watchdog);

#endif
