#!/usr/bin/env python3
"""fencepost explore: finds, tells once, keeps a trace that replays; the same with any number of workers; resumes, joins shards."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

SOURCE = """#include <assert.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static long data, flag, counter;
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "right";
    shmem_init();
    int me = shmem_my_pe();
    if (!strcmp(what, "counter") && me > 0) {
        shmem_long_atomic_inc(&counter, 0);
    } else if (!strcmp(what, "counter")) {
        shmem_long_wait_until(&counter, SHMEM_CMP_GE, 1);
        assert(shmem_long_atomic_fetch(&counter, 0) == 2);
    } else if (me == 0) {
        shmem_long_p(&data, 42, 1);
        if (strcmp(what, "racy"))
            shmem_fence();
        shmem_long_atomic_set(&flag, 1, 1);
    } else if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        if (data != 42 && !strcmp(what, "racy"))
            puts("old");
    }
    while (!strcmp(what, "endless") && me == 1)
        ;
    shmem_finalize();
    return !strcmp(what, "status") && me == 1 ? 3 : 0;
}
"""


class Explore(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        source = tool.write(os.path.join(cls.folder, "prog.c"), SOURCE)
        cls.program = tool.compile_program(os.path.join(cls.folder, "prog"), "-g", "-O1", "-fsanitize=shmem", source)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def explore(self, *words, status, env=None):
        done = tool.run([tool.tool("fencepost"), "explore", "--traces", self.folder, *words], env=env)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}{done.stderr}")
        return done.stderr

    def report(self, *words, status, name="report.json", env=None):
        self.explore("--report", self.path(name), *words, status=status, env=env)
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def test_clean(self):
        self.assertIn("60 runs", self.explore("-n", "2", "--runs", "60", self.program, status=0))

    def test_first_finding_is_the_same_with_any_number_of_workers(self):
        seen = set()
        for jobs in ("1", "3"):
            report = self.report("-n", "3", "--jobs", jobs, "--runs", "200", "--no-check", self.program, "counter", status=66)
            first = min(report["findings"], key=lambda f: f["number"])
            seen.add((first["class"], first["seed"], first["chooser"]))
        self.assertEqual(len(seen), 1, seen)
        self.assertEqual(next(iter(seen))[0], "crash")

    def test_collects_once_and_the_trace_replays(self):
        report = self.report("-n", "2", "--runs", "40", "--collect", "--junit", self.path("j.xml"), "--sarif", self.path("s.json"),
                             self.program, "racy", status=66)
        self.assertEqual([f["class"] for f in report["findings"]], ["race"])
        self.assertEqual(report["findings"][0]["runs"], 40)
        done = tool.run([tool.tool("fencepost"), "replay", report["trace"], "--", self.program, "racy"])
        self.assertEqual(done.returncode, 66, done.stderr)
        suite = xml.etree.ElementTree.parse(self.path("j.xml")).getroot().find("testsuite")
        self.assertEqual(suite.get("failures"), "1")
        with open(self.path("s.json"), encoding="utf-8") as file:
            sarif = json.load(file)
        result = sarif["runs"][0]["results"][0]
        self.assertEqual((sarif["version"], result["ruleId"]), ("2.1.0", "race"))
        self.assertEqual(result["locations"][0]["physicalLocation"]["region"]["startLine"], 18)

    def test_status_and_endless_loop_are_findings(self):
        report = self.report("-n", "2", "--runs", "5", self.program, "status", status=66)
        self.assertIn("status 3", " ".join(f["message"] for f in report["findings"]))
        report = self.report("-n", "2", "--runs", "1", "--timeout", "1", self.program, "endless", status=66)
        self.assertEqual(report["findings"][0]["class"], "timeout")

    def test_exhaustive(self):
        # The fence leaves one order of everything that depends on one another (tests/unit/test_search.c argues it).
        self.assertIn("complete: 1 executions", self.explore("-n", "2", "--exhaustive", self.program, status=0))
        report = self.report("-n", "2", "--exhaustive", "--collect", self.program, "racy", status=66)
        self.assertTrue(report["campaign"]["complete"])
        self.assertEqual(report["campaign"]["executions"], 2)
        done = tool.run([tool.tool("fencepost"), "replay", report["trace"], "--", self.program, "racy"])
        self.assertEqual(done.returncode, 66, done.stderr)
        report = self.report("-n", "3", "--exhaustive", "--collect", "--no-check", self.program, "counter", status=66)
        self.assertTrue(report["campaign"]["complete"])
        self.assertEqual([f["class"] for f in report["findings"]], ["crash"])

    def test_resume_makes_no_run_twice(self):
        state = self.path("state.json")
        self.explore("-n", "2", "--runs", "30", "--collect", "--resume", state, self.program, "racy", status=66)
        self.explore("-n", "2", "--runs", "50", "--collect", "--resume", state, self.program, "racy", status=66)
        with open(state, encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual((report["campaign"]["runs"], report["findings"][0]["runs"]), (50, 50))
        self.assertIn("another", self.explore("-n", "3", "--resume", state, self.program, "racy", status=64))

    def test_shards_join_to_the_whole(self):
        whole = self.report("-n", "3", "--runs", "40", "--collect", "--no-check", self.program, "counter", status=66)
        parts = []
        for rank in range(2):
            env = tool.environment(SLURM_PROCID=str(rank), SLURM_NTASKS="2")
            parts.append(self.path(f"part.{rank + 1}.json"))
            tool.run([tool.tool("fencepost"), "explore", "--traces", self.folder, "-n", "3", "--runs", "40", "--collect", "--no-check",
                      "--report", self.path("part.json"), self.program, "counter"], env=env)
        joined = self.report("--merge", *parts, status=66, name="joined.json")
        self.assertEqual(joined["campaign"]["runs"], whole["campaign"]["runs"])
        self.assertEqual([(f["class"], f["seed"], f["runs"]) for f in joined["findings"]],
                         [(f["class"], f["seed"], f["runs"]) for f in whole["findings"]])

    def test_interrupt_leaves_a_summary(self):
        command = [tool.tool("fencepost"), "explore", "-n", "2", "--time", "10m", "--report", self.path("cut.json"), self.program]
        process = subprocess.Popen(command, env=tool.environment(), stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, stderr)
        self.assertIn("interrupted", stderr)
        with open(self.path("cut.json"), encoding="utf-8") as file:
            self.assertGreater(json.load(file)["campaign"]["runs"], 0)

    def test_wrong_words_are_told(self):
        self.assertIn("--shard", self.explore("--shard", "3/2", self.program, status=64))
        self.assertIn("--runs", self.explore("--runs", "many", self.program, status=64))
        self.assertIn("--jobs", self.explore("--job", "3", self.program, status=64))


if __name__ == "__main__":
    tool.main()
