/* race.c -- the race observer: events come in, knowledge moves, accesses are compared. See race.h for the parts. */
#include "sim/observe/race.h"

#include <stdlib.h>
#include <string.h>

#include "reference/heap/heap.h"

void *
race_alloc(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        fp_env_fail("out of memory for the race checker: run fewer PEs, or with --no-check");
    return memory;
}

static void *
race_open(struct fp_job *job)
{
    struct race *race = race_alloc(sizeof *race);
    enum fp_rules rules = job->config.rules;

    *race = (struct race){.job = job, .rules = rules};
    for (enum fp_edge edge = 0; edge < FP_EDGE_COUNT; edge++)
        for (enum fp_order_class x = 0; x < FP_ORDER_COUNT; x++)
            race->order[edge][x] = fp_order_laters(rules, edge, x);
    race->publish = race_orders(race, FP_EDGE_PUBLISH, FP_ORDER_STORE, FP_ORDER_AMO);
    race->causal = race_orders(race, FP_EDGE_CAUSAL, FP_ORDER_PUT_NBI, FP_ORDER_STORE);
    race->entry = race_orders(race, FP_EDGE_ENTRY, FP_ORDER_COLL, FP_ORDER_COLL);
    race->put_flags = race_orders(race, FP_EDGE_READS, FP_ORDER_PUT, FP_ORDER_WAIT);
    for (int i = 0; i < FP_ORDER_COUNT; i++) {
        race->covered[i] = sim_order_fence_covers_earlier(rules, (enum fp_order_class)i);
        race->behind[i] = sim_order_fence_covers_later(rules, (enum fp_order_class)i);
    }
    race->internal_bytes = fp_heap_internal_bytes(job->npes);
    clock_pool_open(&race->pool, job->npes);
    shadow_open(race);
    race->pes = race_alloc((size_t)job->npes * sizeof *race->pes);
    memset(race->pes, 0, (size_t)job->npes * sizeof *race->pes);
    struct clock *nothing = clock_new(&race->pool);
    for (int i = 0; i < job->npes; i++) {
        race->pes[i].clock = clock_ref(nothing);
        race->pes[i].now = 1;
    }
    clock_drop(&race->pool, nothing);
    return race;
}

static void
race_event(void *self, const struct sim_event *event)
{
    struct race *race = self;

    switch (event->kind) {
    case SIM_EV_ISSUE:
        race_on_issue(race, event);
        break;
    case SIM_EV_READ:
    case SIM_EV_WRITE:
        race_on_data(race, event);
        break;
    case SIM_EV_RMW:
        race_on_rmw(race, event);
        break;
    case SIM_EV_RETURN:
        race_on_return(race, event);
        break;
    case SIM_EV_FENCE:
        race_on_fence(race, event);
        break;
    case SIM_EV_QUIET:
    case SIM_EV_PE_QUIET:
        race_on_quiet(race, event);
        break;
    case SIM_EV_SYNC_ENTER:
    case SIM_EV_SYNC_LEAVE:
    case SIM_EV_COLL_ENTER:
    case SIM_EV_COLL_LEAVE:
    case SIM_EV_LOCK_SET:
    case SIM_EV_LOCK_CLEAR:
    case SIM_EV_ATOMIC:
        meet_event(race, event);
        break;
    case SIM_EV_WAIT:
        race_on_wait(race, event);
        break;
    case SIM_EV_BORN:
    case SIM_EV_DIED:
        race_on_block(race, event);
        break;
    case SIM_EV_LOAD:
    case SIM_EV_STORE:
        race_on_plain(race, event);
        break;
    case SIM_EV_PE_END:
        break;
    }
}

static void
race_forget(void *self, struct sim_op *so)
{
    struct race_op *op = so->note[0];
    (void)self;
    if (!op)
        return;
    so->note[0] = NULL;
    race_op_forget(op);
}

static void
race_close(void *self)
{
    struct race *race = self;

    race_report_end(race);
    private_close(race);
    meet_close(race);
    history_close(race);
    for (int i = 0; i < race->job->npes; i++)
        race_pe_close(race, &race->pes[i]);
    shadow_close(race);
    race_report_close(race);
    clock_pool_close(&race->pool);
    for (struct race_op *chunk = race->op_chunks, *next; chunk; chunk = next) {
        next = chunk[0].pending_next;
        free(chunk);
    }
    free(race->pes);
    free(race);
}

const struct sim_observer sim_observer_race = {
    .name = "race", .open = race_open, .event = race_event, .forget = race_forget, .close = race_close};
