#!/usr/bin/env python3
"""An installation can be moved and used: oshcc in its bin, the CMake package with both backends, the pkg-config files."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

SOURCE = """#include <shmem.h>
#include <stdio.h>
int main(void)
{
    shmem_init();
    printf("%d of %d\\n", shmem_my_pe(), shmem_n_pes());
    shmem_finalize();
    return 0;
}
"""
CMAKE = """cmake_minimum_required(VERSION 3.25)
project(user C CXX)
find_package(Fencepost 0.1 REQUIRED)
foreach(backend sim direct)
    add_executable(prog_${backend} prog.c)
    target_link_libraries(prog_${backend} PRIVATE Fencepost::${backend})
endforeach()
add_executable(prog_pic prog.c)
set_target_properties(prog_pic PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(prog_pic PRIVATE Fencepost::sim)
enable_testing()
fencepost_add_test(NAME explored PROGRAM prog_sim PES 3 RUNS 20)
fencepost_add_test(NAME searched PROGRAM prog_sim EXHAUSTIVE)
add_library(part SHARED prog.c)
target_link_libraries(part PRIVATE Fencepost::sim)
"""


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        build = os.path.dirname(tool.BIN)
        tool.must(["cmake", "--install", build, "--prefix", os.path.join(cls.folder, "first")])
        # Moved after installation: nothing may remember the first place.
        cls.prefix = shutil.move(os.path.join(cls.folder, "first"), os.path.join(cls.folder, "second place"))
        cls.source = tool.write(os.path.join(cls.folder, "prog.c"), SOURCE)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def installed(self, *parts):
        return os.path.join(self.prefix, *parts)

    def find(self, name):
        for where, _, names in os.walk(self.prefix):
            if name in names:
                return os.path.join(where, name)
        self.fail(f"{name} is not installed")

    def runs(self, program, launcher=None):
        out = tool.must([launcher or self.installed("bin", "oshrun"), "-n", "2", program]).stdout
        self.assertEqual(sorted(out.splitlines()), ["0 of 2", "1 of 2"])

    def test_wrapper_and_launcher(self):
        for wrapper, words in (("oshcc", ["-fsanitize=shmem", self.source]), ("oshc++", ["-x", "c++", self.source]),
                               ("oshCC", ["--backend=direct", "-x", "c++", self.source])):
            out = os.path.join(self.folder, "by-" + wrapper)
            tool.must([self.installed("bin", wrapper), *words, "-o", out])
            self.runs(out)

    def test_program_of_the_build_folder_runs_under_the_installed_launcher(self):
        out = tool.compile_program(os.path.join(self.folder, "of-build"), self.source)
        self.runs(out)

    def test_cmake_package(self):
        user, build = os.path.join(self.folder, "user"), os.path.join(self.folder, "user-build")
        os.makedirs(user)
        shutil.copy(self.source, user)
        tool.write(os.path.join(user, "CMakeLists.txt"), CMAKE)
        tool.must(["cmake", "-S", user, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}"])
        tool.must(["cmake", "--build", build])
        tested = tool.must(["ctest", "--test-dir", build]).stdout
        self.assertIn("0 tests failed out of 2", tested)
        for name in ("prog_sim", "prog_direct", "prog_pic"):
            program = os.path.join(build, name)
            self.runs(program)
            self.assertNotIn("COPY", subprocess.run(["readelf", "-rW", program], capture_output=True, text=True, check=True).stdout)

    def test_pkg_config(self):
        for backend in ("sim", "direct"):
            folder = os.path.dirname(self.find(f"fencepost-{backend}.pc"))
            flags = tool.must(["pkg-config", "--cflags", "--libs", f"fencepost-{backend}"],
                              env=tool.environment(PKG_CONFIG_PATH=folder)).stdout
            out = os.path.join(self.folder, "pc-" + backend)
            # As a shell reads them: the place has a space in its name.
            tool.must(["sh", "-c", f"gcc '{self.source}' {flags.strip()} -o '{out}'"])
            self.runs(out)


if __name__ == "__main__":
    tool.main()
