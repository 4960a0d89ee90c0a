#!/usr/bin/env python3
"""The CUDA backend without a GPU: its host side against a driver of ours (tests/gpu/fake_cuda.c), and what it says where
something is missing. What needs a GPU is in tests/gpu."""
import glob
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

TOUCHES = """#include <shmem.h>
int main(void)
{
    shmem_init();
    long *x = shmem_malloc(sizeof *x);
    if (shmem_my_pe() == 1)
        *x = 1;
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
"""
WAITS = """#include <shmem.h>
int main(void)
{
    shmem_init();
    long *x = shmem_calloc(1, sizeof *x);
    if (shmem_my_pe() == 1)
        shmem_global_exit(5);
    shmem_long_wait_until(x, SHMEM_CMP_EQ, 1);
    shmem_finalize();
    return 0;
}
"""
LEAVES = """#include <shmem.h>
#include <stdlib.h>
int main(void)
{
    shmem_init();
    long *x = shmem_calloc(1, sizeof *x);
    if (shmem_my_pe() == 1)
        exit(3);
    if (shmem_my_pe() == 0)
        shmem_long_wait_until(x, SHMEM_CMP_EQ, 1);
    shmem_finalize();
    return 0;
}
"""


class Gpu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fake = os.path.join(os.path.dirname(tool.BIN), "tests", "fake_cuda")
        if not os.path.exists(os.path.join(cls.fake, "libcuda.so.1")):
            raise unittest.SkipTest("built without the CUDA backend")
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def build(self, name, text):
        source = tool.write(os.path.join(self.folder, name + ".c"), text)
        return tool.compile_program(os.path.join(self.folder, name), "--backend=gpu", "-g", source)

    def run_on_fake(self, n, program, **variables):
        return tool.run([tool.tool("oshrun"), "-n", str(n), "--no-footer", program], timeout=60,
                        env=tool.environment(LD_LIBRARY_PATH=self.fake, **variables))

    def test_conformance(self):
        for source in sorted(glob.glob(os.path.join(tool.ROOT, "tests", "conformance", "*.c"))):
            name = os.path.basename(source)[:-2]
            program = tool.compile_program(os.path.join(self.folder, name), "--backend=gpu", source)
            with self.subTest(program=name):
                done = self.run_on_fake(3, program, FENCEPOST_FAKE_OPEN="1", FENCEPOST_FAKE_GPUS="2")
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_no_memory_is_touched_by_the_processor(self):
        source = os.path.join(tool.ROOT, "tests", "gpu", "host_api.c")
        program = tool.compile_program(os.path.join(self.folder, "host_api"), "--backend=gpu", source)
        for n in (1, 2, 4):
            done = self.run_on_fake(n, program)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_touch_is_a_crash_with_its_line(self):
        done = self.run_on_fake(2, self.build("touches", TOUCHES))
        self.assertIn("memory of a GPU, which the CPU may not touch in main", done.stderr)
        self.assertIn("touches.c:7", done.stderr)
        self.assertNotEqual(done.returncode, 0)

    def test_an_end_ends_all(self):
        self.assertEqual(self.run_on_fake(2, self.build("waits", WAITS)).returncode, 5)

    def test_who_is_left_alone_is_told(self):
        done = self.run_on_fake(3, self.build("leaves", LEAVES))
        self.assertIn("can never go on", done.stderr)
        self.assertIn("PE 0 waits in shmem_long_wait_until", done.stderr)
        self.assertEqual(done.returncode, 66)

    def test_one_line_says_what_is_missing(self):
        program = self.build("waits", WAITS)
        for text, variables in (
                ("no CUDA GPU here", {"FENCEPOST_FAKE_FAULT": "cuInit=100"}),
                ("no CUDA GPU here", {"FENCEPOST_FAKE_GPUS": "0"}),
                ("does not start", {"FENCEPOST_FAKE_FAULT": "cuInit=803"}),
                ("too old: it is for CUDA 11.4", {"FENCEPOST_FAKE_VERSION": "11040"}),
                ("an architecture that this Fencepost was not built for", {"FENCEPOST_FAKE_FAULT": "cuModuleLoadData=209"}),
                ("no access to the memory of GPU", {"FENCEPOST_FAKE_STRANGERS": "1", "FENCEPOST_FAKE_GPUS": "2"}),
                ("left for the heap of PE 0", {"FENCEPOST_FAKE_FAULT": "cuMemCreate=2"}),
                ("GPU has not enough memory", {"FENCEPOST_FAKE_FAULT": "cuMemHostAlloc=2"}),
                ("cannot start the proxy kernel", {"FENCEPOST_FAKE_FAULT": "cuLaunchKernel=1"}),
                ("a kernel has failed", {"FENCEPOST_FAKE_FAULT": "cuStreamQuery=700"})):
            with self.subTest(text=text):
                done = self.run_on_fake(2, program, **variables)
                if "kernel" in text and done.returncode == 5:
                    continue  # the other PE was faster
                self.assertEqual(done.returncode, 71, done.stderr)
                self.assertIn(text, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_without_a_driver(self):
        if shutil.which("nvidia-smi"):
            self.skipTest("there is a driver")
        done = tool.run([tool.tool("oshrun"), "-n", "2", self.build("waits", WAITS)])
        self.assertEqual(done.returncode, 71)
        self.assertIn("no CUDA driver", done.stderr)


if __name__ == "__main__":
    tool.main()
