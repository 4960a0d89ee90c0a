#!/usr/bin/env python3
"""The compiler wrapper, with gcc and clang: every way in which a build calls a compiler."""
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
extern char **environ;
int counter;
int main(int argc, char **argv)
{
    (void)argv;
    shmem_init();
    counter++;
    fprintf(stdout, "%s %d %d\\n", TEXT, argc, environ != 0 && counter == 1);
    shmem_finalize();
    return 0;
}
"""


class Wrapper:
    """The tests, run once for each compiler."""
    cc = None

    def setUp(self):
        if not shutil.which(self.cc):
            self.skipTest(f"{self.cc} is not installed")
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        tool.write(os.path.join(self.folder, "a.c"), SOURCE)

    def oshcc(self, *words, wrapper="oshcc", status=0, stdin=None):
        done = tool.run([tool.tool(wrapper), *words], cwd=self.folder, env=tool.environment(OSHCC_CC=self.cc), stdin=stdin)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}{done.stderr}")
        return done

    def output(self, program="./a.out", *words):
        return tool.must([tool.tool("fencepost"), "run", "-n", "1", program, *words], cwd=self.folder).stdout

    def readelf(self, option, name):
        return subprocess.run(["readelf", option, "-W", os.path.join(self.folder, name)], capture_output=True, text=True,
                              check=True).stdout

    def test_one_command(self):
        for hooks in ([], ["-fsanitize=shmem"]):
            for level in ("-O0", "-O2"):
                self.oshcc(*hooks, level, "-Wall", "-Wextra", "-Werror", "-DTEXT=\"x\"", "a.c")
                self.assertEqual(self.output(), "x 1 1\n")
                self.assertIn("PIE", self.readelf("-d", "a.out"))
                self.assertNotIn("COPY", self.readelf("-r", "a.out"))
                needed = [l for l in self.readelf("-d", "a.out").splitlines() if "NEEDED" in l]
                self.assertIn("libfencepost_sim", needed[0], "our library comes first")
                self.assertFalse([l for l in needed if "tsan" in l], needed)

    def test_hooks_instrument_and_plain_does_not(self):
        for hooks, want in (([], False), (["-fsanitize=shmem"], True)):
            self.oshcc(*hooks, "-c", "-DTEXT=\"x\"", "a.c")
            self.assertEqual("__tsan_" in self.readelf("-s", "a.o"), want)

    def test_hooks_leave_loops_with_the_plugin_and_stay_without(self):
        tool.write(os.path.join(self.folder, "loop.c"), "void\nclear(int *a, int n)\n{\n"
                   "    for (int i = 0; i < n; i++)\n        a[i] = 0;\n}\n")
        home = os.path.join(os.path.dirname(tool.BIN), "lib", "hooks-gcc.version")
        for wish, want in (("", os.path.exists(home)), ("no", False)):
            environment = dict(tool.environment(), OSHCC_PLUGIN=wish, OSHCC_CC="gcc")
            command = [tool.tool("oshcc"), "-fsanitize=shmem", "-O1", "-c", "loop.c"]
            shown = subprocess.run(command + ["--show"], cwd=self.folder, env=environment, capture_output=True, text=True, check=True)
            if wish == "" and "another gcc" in shown.stderr:
                self.skipTest(shown.stderr)
            self.assertIn("outside of inner loops" if want else "at each load and store", shown.stderr)
            self.assertEqual("-fplugin=" in shown.stdout, want)
            subprocess.run(command, cwd=self.folder, env=environment, check=True)
            symbols = self.readelf("-s", "loop.o")
            self.assertEqual(("__fencepost_loop" in symbols, "__tsan_write4" in symbols), (want, not want))

    def test_quotes_and_spaces(self):
        tool.write(os.path.join(self.folder, "b c.c"), SOURCE)
        self.oshcc("-DTEXT=\"it's a 'b' $HOME\"", "b c.c", "-o", "d e")
        self.assertEqual(self.output("./d e", "1", "2"), "it's a 'b' $HOME 3 1\n")

    def test_objects_then_link(self):
        tool.write(os.path.join(self.folder, "b.c"), "int twice(int x)\n{\n    return 2 * x;\n}\n")
        self.oshcc("-fsanitize=shmem", "-Werror", "-c", "-DTEXT=\"two\"", "a.c", "b.c")
        self.oshcc("-fsanitize=shmem", "-Werror", "a.o", "b.o", "-o", "p")
        self.assertEqual(self.output("./p"), "two 1 1\n")
        self.oshcc("-Werror", "a.o", "b.o", "-o", "q")
        self.assertEqual(self.output("./q"), "two 1 1\n")

    def test_stages(self):
        self.assertIn("shmem_init", self.oshcc("-E", "-fsanitize=shmem", "-DTEXT=\"x\"", "a.c").stdout)
        self.oshcc("-S", "-fsanitize=shmem", "-DTEXT=\"x\"", "a.c")
        self.assertIn("__tsan_write4", tool.read_bytes(os.path.join(self.folder, "a.s")).decode())
        self.assertIn("shmem.h", self.oshcc("-M", "-fsanitize=shmem", "a.c").stdout)
        self.oshcc("-MD", "-MF", "a.d", "-MT", "target", "-c", "-DTEXT=\"x\"", "a.c")
        self.assertIn("target:", tool.read_bytes(os.path.join(self.folder, "a.d")).decode())

    def test_shared_library_names_no_backend_unless_asked(self):
        tool.write(os.path.join(self.folder, "b.c"), "#include <shmem.h>\nint me(void)\n{\n    return shmem_my_pe();\n}\n")
        self.oshcc("-shared", "-fPIC", "b.c", "-o", "libb.so")
        self.assertNotIn("fencepost", self.readelf("-d", "libb.so"))
        self.oshcc("-shared", "-fPIC", "--backend=direct", "b.c", "-o", "libb.so")
        self.assertIn("libfencepost_direct", self.readelf("-d", "libb.so"))

    def test_response_files(self):
        tool.write(os.path.join(self.folder, "inner"), "-o p\n")
        tool.write(os.path.join(self.folder, "words"), "-fsanitize=shmem '-DTEXT=\"from a file\"'\n a.c @inner")
        self.oshcc("@words")
        self.assertEqual(self.output("./p"), "from a file 1 1\n")

    def test_stdin_and_language(self):
        self.oshcc("-x", "c++", "-DTEXT=\"stdin\"", "-", wrapper="oshc++", stdin=SOURCE)
        self.assertEqual(self.output(), "stdin 1 1\n")

    def test_cxx(self):
        tool.write(os.path.join(self.folder, "a.cpp"),
                   "#include <shmem.h>\n#include <iostream>\nint main()\n{\n    shmem_init();\n"
                   "    std::cout << \"cxx \" << shmem_n_pes() << std::endl;\n    shmem_finalize();\n}\n")
        for wrapper in ("oshc++", "oshCC"):
            self.oshcc("-fsanitize=shmem", "-O2", "-Wall", "-Wextra", "-Werror", "a.cpp", wrapper=wrapper)
            self.assertEqual(self.output(), "cxx 1\n")
            self.assertNotIn("COPY", self.readelf("-r", "a.out"))

    def test_openmp_passes_through(self):
        self.assertIn("-fopenmp", self.oshcc("--show", "-fopenmp", "a.c").stdout)

    def test_backend_direct(self):
        for words in (["--backend=direct"], ["--backend", "direct"]):
            self.oshcc(*words, "-DTEXT=\"x\"", "a.c")
            self.assertIn("libfencepost_direct", self.readelf("-d", "a.out"))

    def test_debugging_information(self):
        def has(*words):
            return "-g" in self.oshcc("--show", *words, "a.c").stdout.split()
        self.assertTrue(has())
        self.assertTrue(has("-O2"))
        self.assertFalse(has("-g0"))
        self.assertFalse(has("-ggdb3"))

    def test_refusals(self):
        for words, text in ((["-static"], "dynamically"), (["-no-pie"], "position-independent"), (["-fno-pic"], "position-independent"),
                            (["--backend=mpi"], "no such backend"), (["-fsanitize=thread"], "-fsanitize=shmem")):
            self.assertIn(text, self.oshcc(*words, "a.c", status=64).stderr)
        if not os.path.exists(os.path.join(os.path.dirname(tool.BIN), "lib", "libfencepost_gpu.so")):
            self.assertIn("FENCEPOST_GPU", self.oshcc("--backend=gpu", "a.c", status=64).stderr)

    def test_other_sanitizers_stay(self):
        self.assertIn("-fsanitize=undefined", self.oshcc("--show", "-fsanitize=shmem,undefined", "-c", "a.c").stdout.split())

    def test_questions_go_to_the_compiler(self):
        self.assertIn("clang" if "clang" in self.cc else "gcc", self.oshcc("--version").stdout)
        self.assertTrue(self.oshcc("-dumpmachine").stdout.strip())


class Gcc(Wrapper, unittest.TestCase):
    cc = "gcc"


class Clang(Wrapper, unittest.TestCase):
    cc = "clang"


class NoCompiler(unittest.TestCase):
    def test_missing_compiler_is_told(self):
        done = tool.run([tool.tool("oshcc"), "a.c"], env=tool.environment(OSHCC_CC="no-such-compiler"))
        self.assertEqual(done.returncode, 69)
        self.assertIn("OSHCC_CC", done.stderr)

    def test_wrapper_named_as_compiler_does_not_call_itself(self):
        done = tool.run([tool.tool("oshcc"), "--show", "a.c"], env=tool.environment(CC=tool.tool("oshcc")))
        self.assertTrue(done.stdout.startswith("gcc "), done.stdout)


if __name__ == "__main__":
    tool.main()
