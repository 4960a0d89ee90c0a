#!/usr/bin/env python3
"""A program that runs under another OpenSHMEM (Debian's Open MPI) is recorded there over the profiling interface, and judged here:
what printed the right answer by luck is reported, what is right stays clean. Skipped where Open MPI is not installed."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
SYSTEM = "/usr/bin"  # not the oshcc and oshrun of this build


def foreign(name):
    """The tool of Open MPI of this name, or None."""
    path = os.path.join(SYSTEM, name)
    target = os.path.realpath(path)
    return path if os.path.exists(path) and os.path.basename(target) in ("opal_wrapper", "mpirun.openmpi", "orterun", "prterun") else None


@unittest.skipUnless(foreign("oshcc") and foreign("oshrun"),
                     "Open MPI's OpenSHMEM is not installed (apt-get install libopenmpi-dev openmpi-bin)")
class Record(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.program = os.path.join(cls.folder, "elsewhere")
        tool.must([foreign("oshcc"), "-g", os.path.join(HERE, "elsewhere.c"), "-o", cls.program])
        cls.library = os.path.join(os.path.dirname(tool.BIN), "lib", "libfencepost_record.so")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def record(self, *arguments):
        for old in glob.glob(os.path.join(self.folder, "*.fptrace")):
            os.unlink(old)
        env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   FENCEPOST_RECORD=os.path.join(self.folder, "run"))
        command = [foreign("oshrun"), "-n", "2", "--oversubscribe", "-x", "LD_PRELOAD=" + self.library, self.program, *arguments]
        # Open MPI may fall over when it ends; what the program did before is recorded.
        done = subprocess.run(command, env=env, cwd=self.folder, capture_output=True, text=True, check=False, timeout=120)
        parts = sorted(glob.glob(os.path.join(self.folder, "run.*.fptrace")))
        self.assertEqual(len(parts), 2, done.stdout + done.stderr)
        trace = os.path.join(self.folder, "whole.fptrace")
        tool.must([tool.tool("fencepost"), "trace", "merge", trace, *reversed(parts)])
        return done, trace, parts

    def replay(self, trace, *words):
        return tool.run([tool.tool("fencepost"), "replay", *words, trace])

    def test_a_race_that_did_not_show(self):
        done, trace, _ = self.record()
        self.assertIn("sum 50", done.stdout)
        judged = self.replay(trace, "--net", "reorder")
        self.assertEqual(judged.returncode, 66, judged.stderr)
        self.assertIn("race: shmem_int_put by PE 0", judged.stderr)
        self.assertIn("shmem_int_get by PE 1", judged.stderr)
        self.assertRegex(judged.stderr, r"elsewhere\.c:17 in main")
        self.assertIn("object: data on PE 1", judged.stderr)
        self.assertIn("not in the recording: plain loads and stores", judged.stderr)

    def test_a_right_program_is_clean(self):
        _, trace, _ = self.record("fence")
        for words in (("--net", "ib-ndr"), ("--net", "reorder", "--chooser", "adversarial"), ("--net", "reorder", "--chooser", "random")):
            judged = self.replay(trace, *words)
            self.assertEqual(judged.returncode, 0, judged.stderr)
            self.assertRegex(judged.stderr, r"predicted [\d.]+ us, recorded [\d.]+ us \(measured")

    def test_one_command(self):
        env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", FENCEPOST_BIN=tool.BIN)
        command = [os.path.join(tool.ROOT, "tools", "elsewhere"), "--net", "reorder", self.program]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(done.returncode, 66, done.stderr)
        self.assertIn("race: shmem_int_put by PE 0", done.stderr)

    def test_wrong_parts_are_told(self):
        _, _, parts = self.record("fence")
        out = os.path.join(self.folder, "no.fptrace")
        for words, text in (((parts[0],), "of another run"), ((parts[0], parts[0]), "two of that PE"), ((self.program,), "not a Fencepost trace")):
            done = tool.run([tool.tool("fencepost"), "trace", "merge", out, *words])
            self.assertEqual((done.returncode, done.stderr.count("\n")), (65, 1), done.stderr)
            self.assertIn(text, done.stderr)
            self.assertFalse(os.path.exists(out))


if __name__ == "__main__":
    tool.main()
