/* observe_stub.c -- lets the simulator link until the race observer is here. */
#include "sim/event.h"
static void *
o(struct fp_job *j)
{
    return j;
}
static void
e(void *s, const struct sim_event *v)
{
}
static void
c(void *s)
{
}
const struct sim_observer sim_observer_race __attribute__((weak)) = {"race", o, e, NULL, c};
