#!/usr/bin/env python3
"""fencepost run --verify-determinism: a program that is a function of its input passes, one that is not is told where and why."""
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

SOURCE = """#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
static long x;
int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe();
    uint64_t times = 3, tag = 0;
    if (argc > 1 && !strcmp(argv[1], "chance"))
        getrandom(&tag, sizeof tag, 0);
    if (argc > 1 && !strcmp(argv[1], "addresses"))
        tag = (uintptr_t)&times >> 12;
    for (uint64_t i = 0; i < times + tag % 61; i++)
        shmem_long_atomic_inc(&x, 1 - me);
    shmem_finalize();
    return 0;
}
"""


class Verify(unittest.TestCase):
    def test_verify(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        program = tool.compile_program(os.path.join(folder, "prog"), "-O1", tool.write(os.path.join(folder, "prog.c"), SOURCE))
        for words, status, texts in (((), 0, ("deterministic",)), (("chance",), 65, ("choice", "likely cause", "random device")),
                                     (("addresses",), 65, ("likely cause", "addresses"))):
            with self.subTest(words=words):
                # Chance may agree once in a while; not three times.
                for _ in range(3):
                    done = tool.run([tool.tool("fencepost"), "run", "-n", "2", "--verify-determinism", program, *words])
                    if done.returncode == status:
                        break
                self.assertEqual(done.returncode, status, done.stderr)
                for text in texts:
                    self.assertIn(text, done.stderr)


if __name__ == "__main__":
    tool.main()
