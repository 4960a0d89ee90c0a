#!/usr/bin/env python3
"""The direct backend: many PEs on few cores, a job that cannot go on ends, runs inside a unit test end in every way."""
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

MANY = """#include <shmem.h>
#include <stdio.h>
static long count;
static double sum, mine;
int main(void)
{
    shmem_init();
    shmem_long_atomic_inc(&count, 0);
    for (int i = 0; i < 10; i++)
        shmem_barrier_all();
    mine = shmem_my_pe();
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
    if (shmem_my_pe() == 0)
        printf("%ld %g\\n", count, sum);
    shmem_finalize();
    return 0;
}
"""
LEAVES = """#include <shmem.h>
#include <stdlib.h>
static long flag;
int main(int argc, char **argv)
{
    shmem_init();
    if (shmem_my_pe() == 1)
        exit(3);
    if (argc > 1 && argv[1][0] == 'w' && shmem_my_pe() == 0)
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    shmem_finalize();
    return 0;
}
"""


class Direct(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def build(self, text):
        source = tool.write(os.path.join(self.folder, "p.c"), text)
        return tool.compile_program(os.path.join(self.folder, "p"), "--backend=direct", "-g", source)

    def test_many_pes(self):
        program = self.build(MANY)
        for n in (1, 64, 1024):
            done = tool.must([tool.tool("oshrun"), "-n", str(n), program], timeout=60)
            self.assertEqual(done.stdout, f"{n} {n * (n - 1) // 2:g}\n")

    def test_a_pe_that_leaves_is_not_waited_for(self):
        program = self.build(LEAVES)
        for how, rule in (("barrier", "E113"), ("wait", "E096")):
            done = tool.run([tool.tool("oshrun"), "-n", "4", program, how], timeout=60)
            self.assertEqual(done.returncode, 66, done.stderr)
            self.assertIn("3 of 4 PEs can never go on", done.stderr)
            self.assertIn("PE 1 has ended", done.stderr)
            self.assertIn(rule, done.stderr)

    def test_runs_inside_a_test_end_in_every_way(self):
        here = os.path.join(tool.ROOT, "tests", "selftest", "direct_ends.c")
        program = tool.compile_program(os.path.join(self.folder, "ends"), "--backend=direct", here)
        done = tool.must([program], timeout=60)
        self.assertEqual(done.stdout, "".join(f"{way}: 20\n" for way in range(5)))


if __name__ == "__main__":
    tool.main()
