#!/usr/bin/env python3
"""fencepost shrink: a long run with a finding becomes a short one with the same finding, and its trace replays."""
import json
import os
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

# Every PE makes noise; the assertion of PE 0 needs PE 1 to read x between two steps of PE 0.
SOURCE = """#include <assert.h>
#include <shmem.h>
static long x, noise;
int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int i = 0; i < 5; i++)
        shmem_long_atomic_inc(&noise, (me + 1) % n);
    if (me == 0) {
        shmem_long_atomic_set(&x, 1, 0);
        shmem_quiet();
        shmem_long_atomic_set(&x, 0, 0);
        shmem_quiet();
    } else if (me == 1) {
        assert(shmem_long_atomic_fetch(&x, 0) == 0);
    }
    shmem_finalize();
    return 0;
}
"""


class Shrink(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        source = tool.write(os.path.join(cls.folder, "prog.c"), SOURCE)
        cls.program = tool.compile_program(os.path.join(cls.folder, "prog"), "-g", "-O1", "-fsanitize=shmem", source)
        cls.trace = os.path.join(cls.folder, "prog-1.fptrace")
        done = tool.run([tool.tool("fencepost"), "explore", "-n", "4", "--chooser", "random", "--traces", cls.folder, cls.program])
        assert done.returncode == 66, done.stderr

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_fewest_choices_and_pes(self):
        out = os.path.join(self.folder, "min.fptrace")
        done = tool.run([tool.tool("fencepost"), "shrink", "--output", out, self.trace, "--", self.program])
        self.assertEqual(done.returncode, 0, done.stderr)
        after, before = (int(n) for n in re.search(r"(\d+) choices matter, of (\d+)", done.stderr).groups())
        self.assertLess(after, before)
        # To PE 1 and back, and the deliveries in between: fewer than the noise alone has.
        self.assertLessEqual(after, 6, done.stderr)
        self.assertIn("2 PEs instead of 4", done.stderr)
        report = os.path.join(self.folder, "min.json")
        again = tool.run([tool.tool("fencepost"), "replay", "--report", report, out, "--", self.program])
        self.assertNotIn(again.returncode, (0, 64, 65), again.stderr)
        with open(report, encoding="utf-8") as file:
            self.assertEqual([f["class"] for f in json.load(file)["findings"]], ["crash"])

    def test_a_block_whose_size_depends_on_the_number_of_pes(self):
        source = tool.write(os.path.join(self.folder, "block.c"), """#include <shmem.h>
int main(void)
{
    shmem_init();
    long *block = shmem_calloc((size_t)shmem_n_pes(), sizeof *block);
    shmem_long_p(block, 1, (shmem_my_pe() + 1) % shmem_n_pes());
    volatile long seen = *block;
    shmem_barrier_all();
    shmem_free(block);
    shmem_finalize();
    return seen < 0;
}
""")
        program = tool.compile_program(os.path.join(self.folder, "block"), "-g", "-fsanitize=shmem", source)
        trace = os.path.join(self.folder, "block.fptrace")
        tool.run([tool.tool("fencepost"), "run", "-n", "6", "--trace", trace, program])
        done = tool.run([tool.tool("fencepost"), "shrink", trace, "--", program])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, "[12] PEs instead of 6")

    def test_what_cannot_be_shrunk_is_told(self):
        clean = os.path.join(self.folder, "clean.fptrace")
        tool.run([tool.tool("fencepost"), "run", "-n", "1", "--trace", clean, self.program])
        done = tool.run([tool.tool("fencepost"), "shrink", clean, "--", self.program])
        self.assertEqual(done.returncode, 65, done.stderr)
        self.assertIn("no finding", done.stderr)
        self.assertEqual(tool.run([tool.tool("fencepost"), "shrink", clean]).returncode, 64)


if __name__ == "__main__":
    tool.main()
