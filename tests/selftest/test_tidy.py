#!/usr/bin/env python3
"""House rules as a test: rules that are not run are wishes.

File length, words that have no place in finished code, and calls that would let the machine's clock or chance into a
deterministic run. Functions longer than a screen and a half are listed, not refused.
"""
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import expectation, tool  # noqa: E402

LINES_MAX = 600
COLUMNS_MAX = 120
FUNCTION_LINES = 100
CODE = (".c", ".h", ".S", ".cu", ".cuh", ".cpp", ".py")
UNFINISHED = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" + "XX", "not impl" + "emented")) + r")\b")
MACHINE = re.compile(r"(?<![\w.])/(home|root|work|Users)/\w")
# In sim/ time is the simulated clock and chance is the chooser. The one reason that a file has to be here stands beside it.
BANNED = ("rand", "srand", "random", "drand48", "time", "gettimeofday", "clock_gettime", "clock", "pthread_cond_wait", "usleep", "nanosleep",
          "sleep", "getpid", "qsort_r")
MAY = {}


def files():
    try:
        listed = subprocess.run(["git", "ls-files"], cwd=tool.ROOT, capture_output=True, text=True, check=False).stdout.split()
    except FileNotFoundError:
        listed = []
    if listed:
        return listed
    found = []
    for where, folders, names in os.walk(tool.ROOT):  # a source package, or a machine without git
        folders[:] = [f for f in folders if not f.startswith((".", "build"))]
        found += [os.path.relpath(os.path.join(where, n), tool.ROOT) for n in names]
    return found


def text_of(name):
    with open(os.path.join(tool.ROOT, name), encoding="utf-8", errors="replace") as file:
        return file.read()


def without_comments(text):
    """Comments and strings blanked, lines kept."""
    def blank(match):
        return "\n" * match[0].count("\n")
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


class Tidy(unittest.TestCase):
    def setUp(self):
        self.code = [f for f in files() if f.endswith(CODE) and os.path.exists(os.path.join(tool.ROOT, f))]
        self.assertGreater(len(self.code), 10)

    def test_no_long_files(self):
        long = [f"{f}: {n} lines" for f in self.code if (n := text_of(f).count("\n")) > LINES_MAX]
        self.assertEqual(long, [], f"more than {LINES_MAX} lines: more than one idea?")

    def test_no_long_lines(self):
        long = []
        for name in self.code:
            if name.endswith(".py") or name.startswith("tests/unit/"):  # tables of events, a case a row
                continue
            long += [f"{name}:{i}" for i, line in enumerate(text_of(name).splitlines(), 1)
                     if len(line) > COLUMNS_MAX and not expectation.DIRECTIVE.match(line.lstrip("/* "))]
        self.assertEqual(long, [], f"more than {COLUMNS_MAX} columns")

    def test_nothing_unfinished_and_nothing_of_one_machine(self):
        wrong = []
        for name in files():
            if name.endswith(CODE + (".md", ".txt", ".sh", ".cmake")) and os.path.exists(os.path.join(tool.ROOT, name)):
                for number, line in enumerate(text_of(name).splitlines(), 1):
                    if UNFINISHED.search(line) or MACHINE.search(line):
                        wrong.append(f"{name}:{number}: {line.strip()}")
        self.assertEqual(wrong, [])

    def test_simulator_calls_no_clock_and_no_chance(self):
        wrong = []
        call = re.compile(r"(?<![\w.>])(" + "|".join(BANNED) + r")\s*\(")
        for name in self.code:
            if not name.startswith("sim/"):
                continue
            for number, line in enumerate(without_comments(text_of(name)).splitlines(), 1):
                found = call.search(line)
                if found and found[1] not in MAY.get(name, ()):
                    wrong.append(f"{name}:{number}: {found[1]}")
        self.assertEqual(wrong, [])

    def test_long_functions_are_listed(self):
        for name in self.code:
            if not name.endswith(".c"):
                continue
            start = None
            for number, line in enumerate(text_of(name).splitlines(), 1):
                if line.startswith("{"):
                    start = number
                elif line.startswith("}") and start:
                    if number - start > FUNCTION_LINES:
                        print(f"note: {name}:{start}: a function of {number - start} lines", file=sys.stderr)
                    start = None


if __name__ == "__main__":
    tool.main()
