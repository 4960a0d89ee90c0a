/* test_race.c -- the race observer against the litmus rows of semantics section 5 and the cases of the field.
 *
 * Each row is a script (fake_net.h) with its verdict under `strict` and under `common`: clean,
     or the class of error that must be reported.
 * It runs with deliveries at once, as late as legal, and by chance: the verdict must be the same every time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "race_rows.h"

static bool
has_rule(const char *rule)
{
    for (int i = 0; i < fp_report_count(job.report); i++)
        if (!strncmp(fp_report_get(job.report, i, NULL)->rule, rule, 4))
            return true;
    return false;
}

static int
run_row(const struct row *row, enum fp_rules rules, enum policy how, uint64_t seed)
{
    const char *want = rules == FP_RULES_STRICT ? row->strict : row->common;

    net_open(rules, how, seed, !row->unhooked);
    row->script();
    int count = net_close();
    bool good = want ? has_rule(want) : count == 0;
    if (!good || getenv("SHOW")) {
        print_message("%s %s policy %d seed %d: want %s\n", row->name, rules == FP_RULES_STRICT ? "strict" : "common",
                      (int)how, (int)seed, want ? want : "clean");
        for (int i = 0; i < count; i++) {
            const struct fp_finding *f = fp_report_get(job.report, i, NULL);
            print_message("    %s: %s\n        repair: %s\n", f->rule, f->message, f->repair);
        }
    }
    net_free();
    return !good;
}

static void
litmus(void **state)
{
    int bad = 0;
    const char *only = getenv("ONLY");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int rules = FP_RULES_STRICT; rules <= FP_RULES_COMMON; rules++) {
            if (only && strcmp(only, rows[i].name))
                continue;
            bad += run_row(&rows[i], (enum fp_rules)rules, AT_ONCE, 0);
            bad += run_row(&rows[i], (enum fp_rules)rules, LATE, 0);
            for (uint64_t seed = 1; seed <= 8 && !only; seed++)
                bad += run_row(&rows[i], (enum fp_rules)rules, CHANCE, seed);
        }
    assert_int_equal(bad, 0);
}

/* ---- Cost: printed, not judged ---------------------------------------------------------------------------------- */

static double
seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void
bench_put(const char *what, size_t bytes, int places, int times)
{
    struct sim_op op = {
        .origin = 0, .target = 1, .kind = SHMEM_OP_PUT, .type = SHMEM_TYPE_long, .ctx = &ctxs[0][0], .elem_bytes = 8};
    struct fp_place place = place_of(1, 0);
    struct sim_event event = {.pe = 0, .op = &op, .bytes = bytes, .name = "shmem_long_put", .site = 77};
    op.bytes = bytes;
    op.call.name = event.name;
    double start = seconds();
    for (int i = 0; i < times; i++) {
        op.id = ++op_ids;
        op.note[0] = NULL;
        event.kind = SIM_EV_ISSUE;
        event.address = NULL;
        event.nblocks = 1;
        event.block_bytes = bytes;
        event.remote = pes[1].heap_base + place.offset + (bytes == 8 ? (size_t)(i % places) * 8 : 0);
        sim_observer_race.event(observer, &event);
        event.remote = NULL;
        event.kind = SIM_EV_READ;
        event.address = privates;
        event.place = (struct fp_place){.region = FP_PRIVATE};
        sim_observer_race.event(observer, &event);
        event.kind = SIM_EV_WRITE;
        event.place = place;
        event.place.offset += bytes == 8 ? (uint64_t)(i % places) * 8 : 0;
        event.address = privates;
        sim_observer_race.event(observer, &event);
        sim_observer_race.forget(observer, &op);
        if (i % places == places - 1 || bytes > 8)
            emit((struct sim_event){
                .kind = SIM_EV_QUIET, .pe = 0, .ctx = &ctxs[0][0], .name = "shmem_quiet", .site = 78});
    }
    double each = (seconds() - start) / times * 1e9;
    print_message("%s: %.0f ns a put, %.2f ns a granule\n", what, each, each / ((double)bytes / 8));
}

static void
bench_plain(void)
{
    struct sim_event event = {.kind = SIM_EV_STORE, .pe = 1, .bytes = 8, .name = "store", .site = 79};
    double start = seconds();
    int times = 4000000;
    for (int i = 0; i < times; i++) {
        event.place = place_of(1, 0);
        event.place.offset += (uint64_t)(i % 65536) * 8;
        event.address = privates;
        sim_observer_race.event(observer, &event);
    }
    print_message("plain store: %.1f ns\n", (seconds() - start) / times * 1e9);
}

static void
cost(void **state)
{
    net_open(FP_RULES_COMMON, LATE, 0, true);
    bench_put("8-byte put, 64 places", 8, 64, 1000000);
    bench_put("8-byte put, 8192 places", 8, 8192, 1000000);
    net_close();
    net_free();
    net_open(FP_RULES_COMMON, LATE, 0, true);
    bench_put("512 KiB put", 512 << 10, 1, 100);
    net_close();
    net_free();
    net_open(FP_RULES_COMMON, LATE, 0, true);
    bench_plain();
    double start = seconds();
    for (int i = 0; i < 20000; i++)
        B;
    print_message("barrier of %d PEs: %.0f ns a PE\n", NET_PES, (seconds() - start) / 20000 / NET_PES * 1e9);
    start = seconds();
    for (int i = 0; i < 300000; i++)
        afadd(i % NET_PES, 0, X, 1);
    print_message("fetch_add by turns: %.0f ns\n", (seconds() - start) / 300000 * 1e9);
    net_close();
    net_free();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(litmus), cmocka_unit_test(cost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
