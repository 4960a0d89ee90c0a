#!/usr/bin/env python3
"""A run is a pure function of program, input and seed: the same bytes come out again, in fibers and threads, under load,
from another folder, with another environment. And it is a function that depends on the seed."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import recorded, tool  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
SEEDS = ("1", "2", "77")


class Determinism(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.programs = []
        for source in ("mixed", "racy"):
            for hooks in ([], ["-fsanitize=shmem"]):
                out = os.path.join(cls.folder, source + ("-hooks" if hooks else ""))
                cls.programs.append(tool.compile_program(out, *hooks, "-O1", os.path.join(HERE, source + ".c")))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def same(self, one, other, what):
        self.assertEqual(one.differs(other), [], what)

    def test_same_seed_same_bytes(self):
        for program in self.programs:
            for chooser in ("random", "adversarial", "timed"):
                for seed in SEEDS:
                    options = ("-n", "5", "--seed", seed, "--chooser", chooser)
                    first = recorded.run(program, *options)
                    self.same(first, recorded.run(program, *options), f"{os.path.basename(program)} {options}")

    def test_other_seed_other_choices(self):
        traces = {recorded.run(self.programs[0], "-n", "5", "--chooser", "random", "--seed", str(s)).trace for s in range(1, 6)}
        self.assertEqual(len(traces), 5)

    def test_fiber_and_thread_are_the_same_run(self):
        for program in self.programs:
            for seed in SEEDS:
                runs = [recorded.run(program, "-n", "5", "--seed", seed, "--pe-context", kind) for kind in ("fiber", "thread")]
                self.same(*runs, f"{os.path.basename(program)} seed {seed}")

    def test_load_makes_no_difference(self):
        quiet = [recorded.run(self.programs[1], "-n", "5", "--pe-context", kind) for kind in ("fiber", "thread")]
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * (os.cpu_count() or 2))]
        try:
            loaded = [recorded.run(self.programs[1], "-n", "5", "--pe-context", kind) for kind in ("fiber", "thread")]
        finally:
            for process in busy:
                process.kill()
                process.wait()
        for one, other in zip(quiet, loaded):
            self.same(one, other, "under load")

    def test_environment_and_place_make_no_difference(self):
        elsewhere = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, elsewhere)
        copy = shutil.copy(self.programs[3], elsewhere)
        env = tool.environment(PADDING="x" * 5000, LANG="C", TZ="Asia/Tokyo", MALLOC_PERTURB_="85")
        one, other = recorded.run(self.programs[3], "-n", "2"), recorded.run(copy, "-n", "2", env=env)
        self.assertEqual([p for p in one.differs(other) if p in ("status", "stdout")], [])
        for part in ("stderr", "report"): # both name the program by its path
            here, there = getattr(one, part), getattr(other, part)
            if isinstance(here, str):
                here, there = here.encode(), there.encode()
            self.assertEqual(here.replace(self.programs[3].encode(), b"P"), there.replace(copy.encode(), b"P"))

    def test_without_address_randomisation_the_same(self):
        if not shutil.which("setarch"):
            self.skipTest("no setarch")
        program = self.programs[3]
        fixed = subprocess.run(["setarch", "-R", tool.tool("fencepost"), "run", "-n", "2", program], env=tool.environment(),
                               capture_output=True, text=True, check=False)
        if fixed.returncode not in (0, 66):
            self.skipTest("address randomisation cannot be switched off here")
        usual = tool.run([tool.tool("fencepost"), "run", "-n", "2", program])
        self.assertEqual((fixed.stdout, fixed.stderr), (usual.stdout, usual.stderr))


if __name__ == "__main__":
    tool.main()
