#!/usr/bin/env python3
"""How programs are started and end: what cannot be run is refused with what to do, many PEs start quickly, signals and
closed pipes behave as usual, PEs inside a test program, getopt as libc's."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
PLAIN = """#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static char data[DATA] = {1};
int main(int argc, char **argv)
{
    shmem_init();
    if (argc > 1 && shmem_my_pe() == 1) {
        printf("waiting");
        fflush(stdout);
        write(2, "ready\\n", 6);
        for (;;)
            pause();
    }
    for (int i = 0; argc > 2 && i < 100000; i++)
        puts("a line of text that goes nowhere");
    shmem_barrier_all();
    int ok = data[0] == 1;
    shmem_finalize();
    return !ok;
}
"""


class Launch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.source = tool.write(cls.path("plain.c"), PLAIN)
        cls.program = tool.compile_program(cls.path("plain"), "-w", "-DDATA=64", cls.source)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    def fails(self, command, status, *texts, **environment):
        done = tool.run(command, cwd=self.folder, env=tool.environment(**environment))
        self.assertEqual(done.returncode, status, done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, "one message")

    def test_not_position_independent(self):
        """oshcc refuses to make one; others may."""
        library = os.path.join(os.path.dirname(tool.BIN), "lib")
        program = self.path("fixed")
        subprocess.run([os.environ.get("CC", "cc"), "-w", "-DDATA=64", "-no-pie", "-fno-pie", self.source, "-o",
                        program, "-I" + self.include(), "-L" + library, "-lfencepost_sim", "-Wl,-rpath," + library],
                       check=True)
        self.fails([program], 64, "not position-independent", FENCEPOST_NPES="2")
        tool.must([program], env=tool.environment(FENCEPOST_NPES="1"))

    def test_through_the_loader(self):
        loader = "/lib64/ld-linux-x86-64.so.2"
        self.fails([loader, self.program], 64, "start it directly", FENCEPOST_NPES="2")

    def test_wrong_configuration(self):
        self.fails([self.program], 64, "not a number", FENCEPOST_NPES="many")
        self.fails([self.program], 64, "SHMEM_SYMMETRIC_SIZE", SHMEM_SYMMETRIC_SIZE="much")
        self.fails([self.program], 64, "none of strict, common, nv", FENCEPOST_RULES="lax")

    def test_copied_variable_of_a_library(self):
        """Compiled without -fPIC the program has its own copy of the variable: refused, unless nobody changes it."""
        library = tool.write(self.path("part.c"), "int changing = 1; const int fixed = 2;")
        user = tool.write(self.path("user.c"), "#include <shmem.h>\nextern int NAME;\n"
                          "int main(void) { shmem_init(); int x = NAME; shmem_finalize(); return x - VALUE; }")
        cc = os.environ.get("CC", "cc")
        shared = self.path("libpart.so")
        subprocess.run([cc, "-shared", "-fPIC", library, "-o", shared], check=True)
        for name, value, status in (("changing", 1, 64), ("fixed", 2, 0)):
            parts = self.path(name + ".o")
            subprocess.run([cc, "-fPIE", f"-DNAME={name}", f"-DVALUE={value}", "-c", user, "-o", parts,
                            "-I" + self.include()], check=True)
            program = tool.compile_program(self.path("user_" + name), parts, shared, "-Wl,-rpath," + self.folder)
            if status:
                self.fails([program], status, "private copy of the variable changing", "-fPIC", FENCEPOST_NPES="2")
            else:
                tool.must([program], env=tool.environment(FENCEPOST_NPES="2"))

    @staticmethod
    def include():
        return os.path.join(tool.ROOT, "include")

    def test_many(self):
        for data in (64, 3000000):
            program = tool.compile_program(self.path("many"), "-w", f"-DDATA={data}", self.source)
            begin = time.monotonic()
            tool.must([tool.tool("fencepost"), "run", "-n", "300", program])
            self.assertLess(time.monotonic() - begin, 30, "not far from a second on any machine")

    def test_too_many_for_the_limit(self):
        command = f"ulimit -n 600; exec {self.program}"
        done = tool.run(["bash", "-c", command], env=tool.environment(FENCEPOST_NPES="1000"))
        self.assertEqual(done.returncode, 71)
        self.assertIn("ulimit -Hn", done.stderr)

    def test_signals(self):
        for context in ("fiber", "thread"):
            for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
                env = tool.environment(FENCEPOST_NPES="2", FENCEPOST_PE_CONTEXT=context)
                with subprocess.Popen([self.program, "wait"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      text=True) as process:
                    self.assertEqual(process.stderr.readline(), "ready\n")
                    process.send_signal(number)
                    out, _ = process.communicate(timeout=60)
                self.assertEqual((process.returncode, out), (status, "waiting"))

    def test_closed_pipe(self):
        env = tool.environment(FENCEPOST_NPES="1", FENCEPOST_NO_FOOTER="1")
        for context in ("fiber", "thread"):
            env["FENCEPOST_PE_CONTEXT"] = context
            with subprocess.Popen([self.program, "x", "y"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  restore_signals=True) as process:
                process.stdout.readline()
                process.stdout.close()
                self.assertEqual(process.wait(timeout=60), 128 + signal.SIGPIPE)

    def test_in_process(self):
        for backend, context, runs in (("sim", "fiber", 100), ("sim", "thread", 20), ("direct", "thread", 20)):
            program = tool.compile_program(self.path("inprocess"), f"--backend={backend}", "-g",
                                           os.path.join(HERE, "inprocess.c"))
            done = tool.must([program, context, str(runs)])
            self.assertEqual(done.stdout, "ok\n")

    def test_getopt(self):
        program = tool.compile_program(self.path("options"), "-w", os.path.join(HERE, "getopt_like_libc.c"))
        done = tool.must([tool.tool("fencepost"), "run", "-n", "1", program])
        self.assertTrue(done.stdout.startswith("same"), done.stdout)


if __name__ == "__main__":
    tool.main()
