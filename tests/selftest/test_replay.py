#!/usr/bin/env python3
"""A trace shows its run again: the same output, the same findings, the same bytes; and only with the same program. A trace is a
file from anywhere, so what is wrong with one is told, and never a crash."""
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import recorded, tool  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))


class Replay(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.program = {}
        for source in ("mixed", "racy"):
            cls.program[source] = tool.compile_program(os.path.join(cls.folder, source), "-fsanitize=shmem", "-O1",
                                                       os.path.join(HERE, source + ".c"))
        first = recorded.run(cls.program["racy"], "-n", "2", "--seed", "9")
        cls.trace = cls.save(first.trace, "racy.fptrace")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def save(cls, trace, name):
        path = os.path.join(cls.folder, name)
        with open(path, "wb") as file:
            file.write(trace)
        return path

    def call(self, *words, status):
        done = tool.run([tool.tool("fencepost"), "replay", *words])
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}{done.stderr}")
        return done

    def test_replay_is_the_run(self):
        for source, npes in (("mixed", "5"), ("mixed", "1"), ("racy", "2")):
            for chooser in ("random", "adversarial", "timed", "uniform", "pct", "swarm"):
                for net in ("ideal", "ordered", "reorder"):
                    options = ("-n", npes, "--seed", "4", "--chooser", chooser, "--net", net)
                    with self.subTest(program=source, options=options):
                        first = recorded.run(self.program[source], *options)
                        trace = self.save(first.trace, "t.fptrace")
                        again = recorded.replay(trace, self.program[source])
                        self.assertEqual([p for p in first.differs(again) if p != "stderr"], [])

    def test_faults_are_recorded(self):
        for options in (("--stop-pe", "1:6"), ("--stall", "*:1"), ("--fail-alloc", "1"), ("--insert", "shmem_quiet@racy.c:14")):
            for source in ("mixed", "racy"):
                with self.subTest(program=source, options=options):
                    first = recorded.run(self.program[source], "-n", "3", "--seed", "4", *options)
                    again = recorded.replay(self.save(first.trace, "f.fptrace"), self.program[source])
                    self.assertEqual([p for p in first.differs(again) if p != "stderr"], [])
                    self.assertEqual(first.status, again.status)

    def test_finding_is_the_same(self):
        again = recorded.replay(self.trace, self.program["racy"])
        self.assertEqual(again.status, 66)
        self.assertIn(b'"race"', again.report)

    def test_replay_asks_no_chooser(self):
        env = tool.environment(FENCEPOST_SEED="12345", FENCEPOST_CHOOSER="random", FENCEPOST_NET="ideal", FENCEPOST_NPES="7")
        first = recorded.replay(self.trace, self.program["racy"])
        again = recorded.replay(self.trace, self.program["racy"], env=env)
        self.assertEqual(first.differs(again), [])

    def test_other_program_or_arguments_are_refused(self):
        self.assertIn("program", self.call(self.trace, "--", self.program["mixed"], status=64).stderr)
        self.assertIn("arguments", self.call(self.trace, "--", self.program["racy"], "more", status=64).stderr)

    def test_other_inputs_are_refused(self):
        source, program = os.path.join(self.folder, "reads.c"), os.path.join(self.folder, "reads")
        with open(source, "w", encoding="utf-8") as file:
            file.write("#include <shmem.h>\n#include <stdio.h>\nint main(int c, char **v) { int x = 0; shmem_init(); FILE *f = fopen(v[1], "
                       "\"r\"); if (f && fscanf(f, \"%d\", &x) == 1) printf(\"%d\\n\", x); shmem_finalize(); return 0; }\n")
        tool.compile_program(program, source)
        data = self.save(b"41", "data.txt")
        trace = self.save(recorded.run(program, "-n", "2", arguments=(data,)).trace, "reads.fptrace")
        self.assertEqual(self.call(trace, "--", program, data, status=0).stdout, "41\n41\n")
        self.save(b"42", "data.txt")
        self.assertIn("data.txt has changed", self.call(trace, "--", program, data, status=64).stderr)
        os.unlink(data)
        self.assertIn("data.txt cannot be read", self.call(trace, "--", program, data, status=64).stderr)

    def test_other_library_is_refused(self):
        source, program = os.path.join(self.folder, "lib.c"), os.path.join(self.folder, "uses")
        main = os.path.join(self.folder, "uses.c")
        for path, text in ((source, "int answer(void) { return ANSWER; }\n"),
                           (main, "#include <shmem.h>\n#include <stdio.h>\nint answer(void);\nint main(void) { shmem_init(); "
                                  "printf(\"%d\\n\", answer()); shmem_finalize(); return 0; }\n")):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        library = os.path.join(self.folder, "libanswer.so")
        tool.must(["cc", "-shared", "-fPIC", "-DANSWER=1", source, "-o", library])
        tool.compile_program(program, main, library, "-Wl,-rpath," + self.folder)
        trace = self.save(recorded.run(program, "-n", "2").trace, "uses.fptrace")
        self.call(trace, "--", program, status=0)
        tool.must(["cc", "-shared", "-fPIC", "-DANSWER=2", source, "-o", library])
        self.assertIn("library libanswer.so", self.call(trace, "--", program, status=64).stderr)

    def test_until(self):
        done = self.call("--until", "5", self.trace, "--", self.program["racy"], status=0)
        self.assertIn("stopped at record 5, PE", done.stderr)
        self.assertIn("no verdict", done.stderr)
        done = self.call("--until", "finding", self.trace, "--", self.program["racy"], status=66)
        self.assertRegex(done.stderr, r"stopped at record \d+, PE")
        self.assertIn("finding", self.call("--until", "0", self.trace, "--", self.program["racy"], status=64).stderr)

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_gdb(self):
        done = tool.run([tool.tool("fencepost"), "replay", "--gdb", "--until", "finding", self.trace, "--", self.program["racy"]],
                        stdin="run\nthread apply all backtrace\ncontinue\n")
        self.assertIn("SIGTRAP", done.stdout, done.stderr)
        self.assertRegex(done.stdout, r"Thread 2 [\s\S]*racy\.c:\d+")
        self.assertRegex(done.stdout, r"Thread 1 [\s\S]*racy\.c:\d+")

    def test_words_that_are_missing(self):
        self.assertIn("trace", self.call(status=64).stderr.lower())
        self.assertIn("--net", self.call(self.trace, "--net", "ideal", "--", self.program["racy"], status=64).stderr)
        self.assertIn("nothing.fptrace", self.call("nothing.fptrace", "--", self.program["racy"], status=65).stderr)

    def test_damaged_traces_are_told(self):
        good = tool.read_bytes(self.trace)
        damaged = {"empty": b"", "text": b"not a trace\n" * 50, "cut": good[:len(good) // 2], "head": good[:12]}
        for at in range(0, len(good), max(1, len(good) // 40)):
            damaged[f"flip{at}"] = good[:at] + bytes([good[at] ^ 0x41]) + good[at + 1:]
        for name, content in damaged.items():
            with self.subTest(damage=name):
                path = self.save(content, "bad.fptrace")
                done = tool.run([tool.tool("fencepost"), "replay", path, "--", self.program["racy"]])
                self.assertIn(done.returncode, (64, 65, 66), done.stderr)
                if done.returncode != 66:
                    self.assertIn("bad.fptrace", done.stderr)


if __name__ == "__main__":
    tool.main()
