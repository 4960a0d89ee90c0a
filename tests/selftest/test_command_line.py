#!/usr/bin/env python3
"""What `fencepost` and `oshrun` say to words that are right, wrong and nearly right."""
import os
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

SHOW = """#include <shmem.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    shmem_init();
    for (int i = 1; i < argc; i++)
        printf("PE %d of %d: %s\\n", shmem_my_pe(), shmem_n_pes(), argv[i]);
    shmem_finalize();
    return argc > 2 ? 3 : 0;
}
"""


class CommandLine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.program = os.path.join(cls.folder, "prog")
        tool.compile_program(cls.program, tool.write(os.path.join(cls.folder, "prog.c"), SHOW))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def call(self, *words, status=0, name="fencepost", **more):
        done = tool.run([tool.tool(name), *words], cwd=self.folder, **more)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}{done.stderr}")
        return done

    def test_help_fits_a_screen(self):
        for words in (["--help"], ["run", "--help"], ["replay", "--help"]):
            lines = self.call(*words).stdout.splitlines()
            self.assertLessEqual(len(lines), 35)
            self.assertLessEqual(max(map(len, lines)), 120)
        self.assertIn("oshrun -n N", self.call("--help", name="oshrun").stdout)

    def test_version(self):
        self.assertRegex(self.call("--version").stdout, r"^fencepost \d+\.\d+\.\d+\n$")

    def test_both_spellings_of_options(self):
        for words in (["-n", "2"], ["-np", "2"], ["--npes=2"], ["--npes", "2"]):
            out = self.call("run", *words, "--seed=16", "./prog", "a").stdout
            self.assertEqual(sorted(out.splitlines()), ["PE 0 of 2: a", "PE 1 of 2: a"])

    def test_words_of_other_launchers(self):
        out = self.call("-np", "2", "--oversubscribe", "./prog", "a", name="oshrun").stdout
        self.assertEqual(len(out.splitlines()), 2)

    def test_arguments_of_the_program_are_its_own(self):
        out = self.call("run", "-n", "1", "./prog", "--seed", "--help", status=3).stdout
        self.assertEqual(out, "PE 0 of 1: --seed\nPE 0 of 1: --help\n")

    def test_variables_configure_a_program_started_by_hand(self):
        done = tool.run([self.program, "x"], env=tool.environment(FENCEPOST_NPES="3"))
        self.assertEqual(len(done.stdout.splitlines()), 3)

    def test_wrong_words(self):
        for words, text in ((["rnu"], "did you mean 'run'"), (["run", "--sede", "3", "./prog"], "did you mean '--seed'"),
                            (["run", "-n", "0", "./prog"], "at least one PE"), (["run", "--seed", "abc", "./prog"], "number"),
                            (["run", "-n"], "needs a value"), (["run"], "which program"), (["run", "-q", "./prog"], "unknown option '-q'"),
                            (["run", "prog"], "write ./prog"), (["run", "./nothing"], "No such file"), ([], "--help"),
                            (["run", "--net", "no-such-net", "./prog"], "no-such-net"),
                            (["run", "--chooser", "no-such-chooser", "./prog"], "no-such-chooser"),
                            (["run", "--rules", "no-such-rules", "./prog"], "no-such-rules")):
            self.assertIn(text, self.call(*words, status=64).stderr)

    def test_programs_that_cannot_run(self):
        script = tool.write(os.path.join(self.folder, "script"), "#!/bin/sh\n")
        os.chmod(script, 0o755)
        plain = tool.write(os.path.join(self.folder, "plain.c"), "int main(void)\n{\n    return 0;\n}\n")
        for words, name, text in ((["-pie"], "pie", "not linked with a Fencepost library"), (["-no-pie"], "fixed", "fixed address"),
                                  (["-shared", "-fPIC"], "shared.so", "shared library")):
            tool.must(["gcc", *words, plain, "-o", os.path.join(self.folder, name)])
            self.assertIn(text, self.call("run", "./" + name, status=64).stderr)
        self.assertIn("script", self.call("run", "./script", status=64).stderr)
        self.assertIn("not an executable", self.call("run", "./plain.c", status=64).stderr)


if __name__ == "__main__":
    tool.main()
