#!/usr/bin/env python3
"""Every error class has its row in tests/wrong/CLASSES.md: programs that exist and expect it, or a reason."""
import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
WRONG = os.path.join(os.path.dirname(HERE), "wrong")
SPANS = ((1, 11), (20, 46), (60, 96), (110, 143), (150, 165), (170, 174), (180, 186), (190, 191), (200, 222))


def rows():
    with open(os.path.join(WRONG, "CLASSES.md"), encoding="utf-8") as file:
        for line in file:
            row = re.fullmatch(r"\| (E\d{3}) \| ([^|]+) \| ([^|]+) \|\n", line)
            if row:
                yield row.groups()
            elif line.startswith("| E"):
                raise AssertionError(f"cannot read the row: {line}")


class Classes(unittest.TestCase):
    def test_every_class_has_one_row(self):
        wanted = [f"E{n:03}" for low, high in SPANS for n in range(low, high + 1)]
        self.assertEqual([row[0] for row in rows()], wanted)

    def test_programs_exist_and_expect_the_class(self):
        for name, _, cell in rows():
            files = re.findall(r"`(\w+\.(?:c|cpp))`", cell)
            if not files:
                self.assertGreater(len(cell.split()), 4, f"{name}: a reason is a sentence")
                continue
            found_as = re.search(r"\[(\w+)\]", cell)
            wanted = found_as[1] if found_as else name
            for file in files:
                with open(os.path.join(WRONG, file), encoding="utf-8") as source:
                    head = source.read().partition("*/")[0]
                expects = f"EXPECT: {wanted}" if not wanted.startswith("E") else rf"EXPECT( some)?: .*rule={wanted}\b"
                self.assertRegex(head, expects, f"{name} in {file}")
                self.assertEqual(" (note)" in cell, f"note rule={wanted}" in head, f"{name} in {file}")

    def test_there_are_right_siblings(self):
        for file in {f for _, _, cell in rows() for f in re.findall(r"`(\w+\.c)`", cell)}:
            with open(os.path.join(WRONG, file), encoding="utf-8") as source:
                head = source.read().partition("*/")[0]
            if "EXPECT: clean" not in head:
                self.assertIn(file, WITHOUT_SIBLING)


# Whose right form is another program of this folder or of tests/correct.
WITHOUT_SIBLING = {"address_wrong.c", "usage.c", "free_wrong.c", "hangs.c", "mismatch.c", "teams_wrong.c",
                   "use_after_free.c", "uninit_travels.c"}

if __name__ == "__main__":
    sys.argv[1:] = [a for a in sys.argv[1:] if a.startswith("-")]
    unittest.main()
