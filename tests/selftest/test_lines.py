#!/usr/bin/env python3
"""Each race of tests/wrong is expected with both of its source lines, exactly: marks in the source, one statement each.

run_programs then fails when a report names other lines; here it is seen to that no program asks for less. A mark may
stand on several lines where the preprocessor leaves one of them.
"""
import glob
import os
import re
import subprocess
import sys
import unittest

TESTS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, TESTS)
from harness import expectation  # noqa: E402

# Classes of lifetime errors with one place only: what was freed or destroyed is told by the object or the message.
ONE_PLACE = ("E116", "E129", "E157", "E165")


def lines_left(path, flags):
    """Numbers of the file's lines of which the preprocessor leaves something."""
    out = subprocess.run(["cc", "-E", f"-I{os.path.join(os.path.dirname(TESTS), 'include')}", *flags, path],
                         stdout=subprocess.PIPE, text=True, check=True).stdout
    left, here, number = set(), False, 0
    for line in out.splitlines():
        marker = re.match(r'# (\d+) "(.*?)"', line)
        if marker:
            number, here = int(marker[1]) - 1, marker[2] == path
            continue
        number += 1
        if here and line.strip():
            left.add(number)
    return left


def statements(places, path, flags):
    """How many calls or expressions the places are: lines that follow each other are one."""
    lines = sorted(places)
    starts = [i for i, (file, n) in enumerate(lines) if i == 0 or (file, n - 1) != lines[i - 1]]
    if len(starts) > 1:
        left = lines_left(path, flags)
        starts = [i for i in starts if lines[i][1] in left]
    return len(starts)


class Lines(unittest.TestCase):
    def expectations(self):
        for path in sorted(glob.glob(os.path.join(TESTS, "wrong", "*.c")) + glob.glob(os.path.join(TESTS, "wrong", "*.cpp"))):
            for variant in expectation.parse(path)[0]:
                for finding in variant.findings:
                    yield f"{os.path.basename(path)} [{variant.name}]: {finding.text}", finding, path, variant.flags

    def test_races_name_two_lines(self):
        races = 0
        for where, finding, *_ in self.expectations():
            if finding.class_ == "race":
                self.assertGreaterEqual(len(finding.accesses), 2, where)
                races += 1
        print(f"{races} expected races, each with two lines", file=sys.stderr)
        self.assertGreater(races, 80)

    def test_lines_are_exact(self):
        for where, finding, path, flags in self.expectations():
            for places, _, _, _ in finding.accesses if finding.class_ in ("race", "lifetime", "uninit") else []:
                self.assertEqual(statements(places, path, flags), 1, f"{where}: a mark on several statements")

    def test_lifetimes_name_use_and_end(self):
        for where, finding, *_ in self.expectations():
            if finding.class_ == "lifetime" and finding.rule not in ONE_PLACE:
                self.assertGreaterEqual(len(finding.accesses), 2, where)

    def test_uninitialised_reads_name_use_and_allocation(self):
        for where, finding, *_ in self.expectations():
            if finding.class_ == "uninit":
                self.assertGreaterEqual(len(finding.accesses), 1, where)
                self.assertIsNotNone(finding.allocated, where)

    def test_crashes_leaks_and_mismatches_name_a_line(self):
        for where, finding, *_ in self.expectations():
            if finding.class_ in ("crash", "mismatch", "bad-address", "usage"):
                self.assertGreaterEqual(len(finding.accesses), 1, where)


if __name__ == "__main__":
    sys.argv[1:] = [a for a in sys.argv[1:] if a.startswith("-")]
    unittest.main()
