#!/usr/bin/env python3
"""--predict: the witness shows the race, the same run predicts the same, nothing of the further runs is seen."""
import os
import shlex
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from harness import tool  # noqa: E402

ARRIVALS = os.path.join(tool.ROOT, "tests", "wrong", "predict_arrivals.c")
SEED = ["-n", "3", "--seed", "3", "--chooser", "random"]

OUTPUT = """
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
static long lock;
static int x;
int
main(void)
{
    char line[64] = "";
    shmem_init();
    if (shmem_my_pe() == 0 && fgets(line, sizeof line, stdin))
        printf("read %s", line);
    if (shmem_my_pe() == 0) {
        shmem_int_p(&x, 5, 1);
        shmem_quiet();
    }
    shmem_set_lock(&lock);
    shmem_clear_lock(&lock);
    printf("PE %d %d\\n", shmem_my_pe(), shmem_my_pe() == 1 && x == 99);
    shmem_barrier_all();
    if (getenv("COUNT_RUNS")) {
        FILE *file = fopen(getenv("COUNT_RUNS"), "a");
        fputs("x", file);
        fclose(file);
    }
    shmem_finalize();
    return 0;
}
"""

INSIDE = """
#include <fencepost.h>
#include <shmem.h>
#include <stdio.h>
static int changes;
static void
pe_main(void *argument)
{
    shmem_init();
    int me = shmem_my_pe();
    long *lock = shmem_calloc(1, sizeof *lock);
    int *x = shmem_calloc(1, sizeof *x);
    changes++;
    if (me == 0) {
        shmem_int_p(x, 5, 1);
        shmem_quiet();
    }
    shmem_set_lock(lock);
    shmem_clear_lock(lock);
    if (me == 1)
        shmem_int_g(x, 1);
    shmem_barrier_all();
    shmem_free(x);
    shmem_free(lock);
    shmem_finalize();
}
int
main(int argc, char **argv)
{
    int predicted = 0, plain = 0;
    for (int seed = 1; seed <= 20; seed++) {
        fencepost_config_t config = {.npes = 2, .seed = (uint64_t)seed, .chooser = "random", .quiet = 1};
        config.pe_context = argc > 1 ? argv[1] : "fiber";
        fencepost_result_t *result = fencepost_run(pe_main, NULL, &config);
        int found = fencepost_finding_count(result);
        fencepost_result_free(result);
        config.predict = 1;
        result = fencepost_run(pe_main, NULL, &config);
        if (fencepost_finding_count(result) != 1 || fencepost_exit_status(result) != 66)
            printf("seed %d: %d findings\\n", seed, fencepost_finding_count(result));
        else if (fencepost_finding(result, 0)->predicted != !found)
            printf("seed %d: predicted %d, found without %d\\n", seed, fencepost_finding(result, 0)->predicted, found);
        else if (found)
            plain++;
        else
            predicted++;
        fencepost_result_free(result);
    }
    printf("%s %d\\n", predicted > 0 && plain > 0 ? "both" : "not both", changes);
    return 0;
}
"""


RARE = """
#include <shmem.h>
static long lock;
static int x;
int
main(void)
{
    shmem_init();
    int me = shmem_my_pe(), v = 3;
    if (me == 0) {
        shmem_int_put(&x, &v, 1, 2);
        shmem_quiet();
    }
    for (int i = 0; me == 1 && i < 5000; i++)
        shmem_int_g(&x, 1);
    if (me < 2) {
        shmem_set_lock(&lock);
        shmem_clear_lock(&lock);
    }
    if (me == 1)
        shmem_int_get(&v, &x, 1, 2);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
"""

CHANGES = """
#include <shmem.h>
#include <stdio.h>
static long lock;
static int x;
int
main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    FILE *file = me == 0 ? fopen("runs", "a+") : NULL;
    if (file) {
        fputs("x", file);
        for (long n = ftell(file); n > 0; n--)
            shmem_int_p(&x, 1, 0);
        fclose(file);
    }
    shmem_quiet();
    shmem_set_lock(&lock);
    shmem_clear_lock(&lock);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
"""


class Predict(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.fencepost = tool.tool("fencepost")

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_arrivals(self, name, *options):
        program = tool.compile_program(self.path("arrivals"), "-g", "-fsanitize=shmem", ARRIVALS)
        report = self.path(name + ".json")
        done = tool.run([self.fencepost, "run", *SEED, "--report", report, *options, program], cwd=self.folder)
        return program, done, tool.read_json(report)

    def test_the_witness_shows_the_race(self):
        _, done, report = self.run_arrivals("plain")
        self.assertEqual((done.returncode, report["findings"]), (0, []))
        program, done, report = self.run_arrivals("predicted", "--predict")
        self.assertEqual(done.returncode, 66, done.stderr)
        (finding,) = report["findings"]
        self.assertTrue(finding["predicted"])
        self.assertEqual(finding["witness"], "arrivals-predicted-1.fptrace")
        self.assertIn("fencepost replay arrivals-predicted-1.fptrace -- ", done.stderr)
        again = self.path("again.json")
        done = tool.run([self.fencepost, "replay", "--report", again, finding["witness"], "--", program],
                        cwd=self.folder)
        self.assertEqual(done.returncode, 66, done.stderr)
        (shown,) = tool.read_json(again)["findings"]
        self.assertNotIn("predicted", shown)
        for key in ("class", "rule", "message", "object", "accesses", "repair", "id"):
            self.assertEqual(shown[key], finding[key])

    def test_the_same_run_predicts_the_same(self):
        seen = []
        for context in ("fiber", "fiber", "thread"):
            _, done, report = self.run_arrivals("same", "--predict", "--pe-context", context)
            seen.append((report, done.stderr, tool.read_bytes(self.path("arrivals-predicted-1.fptrace"))))
        self.assertEqual(seen[0], seen[1])
        self.assertEqual(seen[0], seen[2])

    def test_the_trace_names_the_witness_and_is_the_run_s_own(self):
        trace = self.path("t.fptrace")
        program, done, report = self.run_arrivals("traced", "--predict", "--trace", trace)
        self.assertEqual(report["findings"][0]["witness"], trace + ".predicted-1")
        self.assertEqual(tool.run([self.fencepost, "replay", trace, "--", program]).returncode, 0)
        self.assertEqual(tool.run([self.fencepost, "replay", trace + ".predicted-1", "--", program]).returncode, 66)

    def test_nothing_of_the_further_runs_is_seen(self):
        source = tool.write(self.path("output.c"), OUTPUT)
        program = tool.compile_program(self.path("output"), "-g", "-fsanitize=shmem", source)
        lines = tool.write(self.path("lines"), "a line\n")
        predicted = 0
        for seed in range(1, 16):
            count = self.path(f"count{seed}")
            words = [self.fencepost, "run", "-n", "2", "--seed", str(seed), "--chooser", "random", "--predict", program]
            done = tool.run(["sh", "-c", f"{shlex.join(words)} < {shlex.quote(lines)}"], cwd=self.folder,
                            env=tool.environment(COUNT_RUNS=count))
            self.assertEqual(sorted(done.stdout.splitlines()), ["PE 0 0", "PE 1 0", "read a line"])
            self.assertEqual(done.returncode, 66)
            if "= predicted: " in done.stderr:
                predicted += 1
                self.assertGreaterEqual(os.path.getsize(count), 8)  # the run, without luck, a witness, its replay
        self.assertGreater(predicted, 0)

    def test_explore_predicts_from_the_first_runs(self):
        program = tool.compile_program(self.path("arrivals"), "-g", "-fsanitize=shmem", ARRIVALS)
        command = [self.fencepost, "explore", *SEED, "--runs", "1", "--jobs", "1"]
        self.assertEqual(tool.run([*command, "--predict=0", program], cwd=self.folder).returncode, 0)
        done = tool.run([*command, program], cwd=self.folder)
        self.assertEqual(done.returncode, 66, done.stderr)
        self.assertIn("= predicted: in this run ", done.stderr)
        replayed = tool.run([self.fencepost, "replay", self.path("arrivals-1.fptrace"), "--", program], cwd=self.folder)
        self.assertEqual(replayed.returncode, 66, replayed.stderr)
        self.assertNotIn("predicted", replayed.stderr)

    def test_what_chance_does_not_find(self):
        program = tool.compile_program(self.path("rare"), "-g", tool.write(self.path("rare.c"), RARE))
        command = [self.fencepost, "explore", "-n", "3", "--runs", "100", program]
        done = tool.run([*command[:-1], "--predict=0", program], cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = tool.run(command, cwd=self.folder)
        self.assertEqual(done.returncode, 66, done.stderr)
        self.assertIn("found by seed 1,", done.stderr)

    def test_a_program_that_does_something_else_each_time_is_not_judged(self):
        program = tool.compile_program(self.path("changes"), "-g", tool.write(self.path("changes.c"), CHANGES))
        done = tool.run([self.fencepost, "run", "-n", "2", "--predict", program], cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("prediction: the program does not repeat itself", done.stderr)

    def test_functions_of_a_unit_test(self):
        source = tool.write(self.path("inside.c"), INSIDE)
        program = tool.compile_program(self.path("inside"), "--backend=sim", "-g", source)
        for context in ("fiber", "thread"):
            done = tool.run([program, context])
            self.assertEqual((done.stdout, done.returncode), ("both 80\n", 0), done.stderr)


if __name__ == "__main__":
    tool.main()
