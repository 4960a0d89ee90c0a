#!/usr/bin/env python3
"""fencepost litmus: what it says about a test, random tests, and tests as programs under the simulator."""
import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

SUITE = os.path.join(tool.ROOT, "tests", "litmus")
RIGHT = "name t\npes 2\ninit x, f\nPE 0 | PE 1\nput(x@1, 1) | wait(f == 1)\nfence | r = ld(x)\naset(f@1, 1) |\nfinal r == 0\n"


def litmus(*words):
    return tool.run([tool.tool("fencepost"), "litmus", *words], timeout=500)


class Litmus(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, text, name="t.litmus"):
        return tool.write(os.path.join(self.folder.name, name), text)

    def test_a_right_expectation(self):
        done = litmus(self.write(RIGHT + "expect sc: r=1\n"))
        self.assertEqual((done.returncode, done.stdout), (0, "litmus: 1 test, 3 checks, 0 not as expected\n"))

    def test_a_wrong_expectation_names_its_line(self):
        path = self.write(RIGHT + "expect common weak: r=0; r=1\n")
        done = litmus(path)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{path}:9: common: expected weak, found sc\n", done.stdout)
        self.assertIn("outcome expected, but impossible: r=0", done.stdout)

    def test_no_expectation_is_not_as_expected(self):
        self.assertEqual(litmus(self.write(RIGHT)).returncode, 1)

    def test_a_mistake_in_the_file(self):
        path = self.write("name t\npes 2\nPE 0\nputt(x@1, 1)\n")
        done = litmus(path)
        self.assertEqual(done.returncode, 65)
        self.assertEqual(done.stderr, f"{path}:4:1: there is no operation 'putt'\n")

    def test_wrong_usage(self):
        for words, text in (((), "which tests?"), (("--shwo", "x"), "did you mean '--show'"), (("--rules", "lax", "x"), "no profile"),
                            (("--backend", "mpi", "x"), "no backend"), (("--generate", "some"), "takes a number"), (("--seed",), "needs a value")):
            done = litmus(*words)
            self.assertEqual(done.returncode, 64, words)
            self.assertIn(text, done.stderr)
        self.assertEqual(litmus("/no/such/file").returncode, 66)
        with tempfile.TemporaryDirectory() as empty:
            self.assertEqual(litmus(empty).returncode, 66)
        self.assertEqual(litmus("--help").returncode, 0)

    def test_show_has_an_execution_for_each_outcome_and_for_the_race(self):
        done = litmus("--show", "--rules", "common", self.write(RIGHT.replace("fence", "     ") + "expect racy: r=0; r=1\n"))
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"t \(common\): racy, 2 outcomes")
        self.assertRegex(done.stdout, r"r=0   \(no interleaving\)   \(r == 0\)\n +1  PE 0  aset\(f@1, 1\) +executes: f@1 0 -> 1")
        self.assertRegex(done.stdout, r"race on x@1: nothing orders put\(x@1, 1\) of PE 0 \(line 5\) and r = ld\(x\) of PE 1 \(line 6\)")

    def test_print_expect_can_be_pasted(self):
        lines = litmus("--print-expect", self.write(RIGHT)).stdout
        self.assertEqual(litmus(self.write(RIGHT + lines)).returncode, 0)

    def test_generated_tests_repeat_and_are_right(self):
        folders = [os.path.join(self.folder.name, name) for name in "ab"]
        for folder in folders:
            self.assertEqual(litmus("--generate", "40", "--seed", "9", "--out", folder).returncode, 0)
        for name in sorted(os.listdir(folders[0])):
            self.assertEqual(*(tool.read_bytes(os.path.join(folder, name)) for folder in folders))
        done = litmus(folders[0])
        self.assertEqual((done.returncode, done.stdout), (0, "litmus: 40 tests, 120 checks, 0 not as expected\n"))

    def test_every_file_of_the_suite_names_itself(self):
        seen = 0
        for where, _, names in os.walk(SUITE):
            for name in names:
                if name.endswith(".litmus"):
                    seen += 1
                    with open(os.path.join(where, name), encoding="utf-8") as file:
                        self.assertEqual(re.search(r"^name (\S+)$", file.read(), re.M)[1] + ".litmus", name)
        self.assertGreater(seen, 250)

    def test_the_simulator_stays_inside_the_model(self):
        for part in ("message", "signals", "relations"):
            done = litmus("--backend", "sim", "--runs", "4", "--rules", "strict,common", os.path.join(SUITE, part))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_direct_backend_stays_inside_the_model(self):
        done = litmus("--backend", "direct", "--runs", "3", "--rules", "common", os.path.join(SUITE, "signals"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    tool.main()
