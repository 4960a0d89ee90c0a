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
        cls.bare = tool.compile_program(os.path.join(cls.folder, "bare"), "-g", source)

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

    def test_what_was_not_looked_at_is_told(self):
        for words in (["--runs", "20"], ["--exhaustive"]):
            report = self.report("-n", "2", *words, self.bare, status=0)
            self.assertIn("plain loads and stores", " ".join(report["footer"]["unseen"]))
            self.assertIn("not checked: plain loads", self.explore("-n", "2", *words, self.bare, status=0))
            self.assertEqual(self.report("-n", "2", *words, self.program, status=0)["footer"]["unseen"], [])

    def test_a_search_that_did_not_end_is_not_clean(self):
        report = self.report("-n", "3", "--exhaustive", "--runs", "1", self.bare, status=0)
        self.assertEqual((report["verdict"], report["campaign"]["complete"]), ("incomplete", False))

    def test_a_finding_of_a_search_is_repeated_by_its_trace_alone(self):
        told = self.explore("-n", "2", "--exhaustive", self.program, "racy", status=66)
        self.assertIn("again: fencepost replay", told)
        self.assertNotIn("again: fencepost run", told)

    def test_an_endless_run_takes_no_longer_than_allowed(self):
        before = time.monotonic()
        told = self.explore("-n", "2", "--runs", "1", "--timeout", "2", self.program, "endless", status=66)
        self.assertLess(time.monotonic() - before, 15)
        self.assertIn("again: fencepost run -n 2 --seed 1 --chooser adversarial", told)

    def test_a_run_that_cannot_end_its_trace_has_none(self):
        source = tool.write(self.path("killed.c"), "#include <shmem.h>\n#include <signal.h>\n#include <unistd.h>\nint main(void)\n{\n"
                            "    shmem_init();\n    kill(getpid(), SIGKILL);\n}\n")
        tool.write(self.path("killed-1.fptrace"), "of an older campaign")
        report = self.report("-n", "1", tool.compile_program(self.path("killed"), source), status=66)
        self.assertEqual((report["findings"][0]["class"], report["findings"][0]["trace"]), ("crash", ""))
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("killed-1")], [])

    def test_names_with_strange_characters(self):
        folder = self.path("a <b> & 'c'")
        os.mkdir(folder)
        program = tool.compile_program(os.path.join(folder, 'd"e'), "-g", "-fsanitize=shmem",
                                       tool.write(os.path.join(folder, "f g.c"), SOURCE))
        told = self.explore("-n", "2", "--junit", self.path("j.xml"), "--sarif", self.path("s.json"), program, "racy", status=66)
        again = told.split("again: ")[-1].split("\n")[0].replace("fencepost", tool.tool("fencepost"), 1)
        self.assertEqual(tool.run(["sh", "-c", again]).returncode, 66, again)
        suite = xml.etree.ElementTree.parse(self.path("j.xml")).getroot().find("testsuite")
        self.assertIn('a <b> & \'c\'/d"e', suite.get("name"))
        with open(self.path("s.json"), encoding="utf-8") as file:
            uri = json.load(file)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertTrue(uri.endswith("a%20%3Cb%3E%20&%20'c'/f%20g.c"), uri)

    def test_bytes_that_are_no_text(self):
        source = self.path("bytes.c")
        tool.write(source, '#include <shmem.h>\n#include <stdio.h>\nint main(void)\n{\n    shmem_init();\n'
                   '    puts("\\377 \\303\\244 \\355\\240\\200 \\1");\n    shmem_finalize();\n    return 3;\n}\n')
        program = tool.compile_program(self.path("bytes"), source)
        report = self.report("-n", "1", "--junit", self.path("j.xml"), "--sarif", self.path("s.json"), program, status=66)
        self.assertIn("? \u00e4 ???", report["findings"][0]["message"])
        failure = xml.etree.ElementTree.parse(self.path("j.xml")).getroot().find("testsuite/testcase/failure")
        self.assertIn("? \u00e4 ???", failure.get("message"))

    def test_what_is_no_regular_file_is_not_replaced(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
            self.explore("-n", "2", "--runs", "5", "--report", pipe, self.program, status=0)
            self.assertEqual(json.loads(reader.stdout.read())["verdict"], "clean")

    def test_each_shard_is_joined_once(self):
        parts = [self.path(f"third{i}.json") for i in (1, 2)]
        for i, part in enumerate(parts):
            self.explore("-n", "2", "--runs", "9", "--shard", f"{i + 1}/3", "--report", part, self.program, status=0)
        self.assertIn("second time", self.explore("--merge", parts[0], parts[0], status=64))
        joined = self.path("two_thirds.json")
        self.assertIn("shard 3 of 3 is missing", self.explore("--report", joined, "--merge", *parts, status=0))
        with open(joined, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["verdict"], "incomplete")

    def test_a_library_of_another_version_does_not_serve(self):
        # Messages of another size would be waited for without end.
        for value in ("9", "9:16:16"):
            run = subprocess.run([self.program], env=dict(os.environ, FENCEPOST_NPES="2", FENCEPOST_SERVER=value),
                                 stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(run.returncode, 71, run.stderr)
            self.assertIn("another version of Fencepost", run.stderr)

    def test_wrong_words_are_told(self):
        for words in (["--chooser", "none"], ["--traces", self.path("none")], ["--report", self.path("none/r")]):
            self.assertIn("none", self.explore(*words, self.program, status=64))
        self.assertIn("--shard", self.explore("--shard", "3/2", self.program, status=64))
        self.assertIn("--runs", self.explore("--runs", "many", self.program, status=64))
        self.assertIn("--jobs", self.explore("--job", "3", self.program, status=64))


if __name__ == "__main__":
    tool.main()
