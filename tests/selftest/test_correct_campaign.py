#!/usr/bin/env python3
"""No false alarm: a sample of the campaign over tests/correct (selftest/correct_campaign is all of it, by hand)."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

TESTS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
BIN = os.path.realpath(sys.argv.pop(1)) if len(sys.argv) > 1 else None
WRONG = """/* RUN: -n 2
 * EXPECT: clean
 */
#include <shmem.h>
static int x;
int main(void) { shmem_init(); shmem_int_p(&x, 1, 0); shmem_finalize(); }
"""


def campaign(*arguments):
    done = subprocess.run([sys.executable, os.path.join(TESTS, "run_programs"), "--bin", BIN, "--campaign", *arguments],
                          stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout


class Campaign(unittest.TestCase):
    def test_a_sample(self):
        status, out = campaign("1..4", "--part", "0/36", os.path.join(TESTS, "correct"))
        self.assertEqual(status, 0, out)
        count = re.search(r"campaign: (\d+) programs, 4 seeds, 3 networks, 6 choosers, part 0/36: (\d+) runs, 0 variants failed", out)
        self.assertTrue(count, out)
        self.assertGreaterEqual(int(count[1]), 100)
        self.assertGreaterEqual(int(count[2]), 2 * int(count[1]))

    def test_what_is_found_fails(self):
        with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
            file.write(WRONG)
            file.flush()
            status, out = campaign("1", "--keep-going", file.name)
        self.assertNotEqual(status, 0)
        self.assertIn("18 runs, 1 variants failed", out)
        self.assertEqual(out.count("finding not expected: race"), 18)


if __name__ == "__main__":
    unittest.main()
