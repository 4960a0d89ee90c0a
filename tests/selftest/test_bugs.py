#!/usr/bin/env python3
"""The twelve seeded bugs of tests/bench/bugs.c: each is found by several choosers; PCT finds what needs a PE to stand still, a walk does not."""
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402


class Bugs(unittest.TestCase):
    def test_medians(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        program = tool.compile_program(os.path.join(folder, "bugs"), "-O1", os.path.join(tool.ROOT, "tests", "bench", "bugs.c"))
        lines = tool.must([program, "3"]).stdout.splitlines()
        self.assertEqual(lines[0].split()[-5:], ["random", "pct", "adversarial", "uniform", "swarm"])
        rows = {line[:44].strip(): line[44:].split() for line in lines[1:]}
        self.assertEqual(len(rows), 12)
        for name, (depth, *medians) in rows.items():
            self.assertIn(depth, "1234")
            self.assertGreaterEqual(sum(m != "-" for m in medians), 3, name)
            self.assertNotEqual(medians[1], "-", f"pct misses: {name}")
        window = rows["all steps of a PE in one window"]
        self.assertEqual((window[1], window[4]), ("-", "-"))


if __name__ == "__main__":
    tool.main()
