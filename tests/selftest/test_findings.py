#!/usr/bin/env python3
"""What the user does with findings: identities that last, lists of suppressions, stopping at the first."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

BIN = os.path.realpath(sys.argv.pop(1)) if len(sys.argv) > 1 else None

PROGRAM = """#include <shmem.h>
static long a[8], b[8];
%s
static void writes(void) { shmem_long_p(&a[1], 1, 1); }
static void writes_b(void) { shmem_long_p(&b[1], 1, 1); }
int main(void) {
    volatile long seen = 0;
    shmem_init();
    if (shmem_my_pe() == 0) {
        writes();
        writes_b();
    } else {
        seen = a[1];
        seen += b[1];
    }
    shmem_finalize();
    return 0;
}
"""


class Findings(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.build("")

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def build(self, more):
        with open(self.path("p.c"), "w", encoding="utf-8") as file:
            file.write(PROGRAM % more)
        subprocess.run([os.path.join(BIN, "oshcc"), "-fsanitize=shmem", "p.c", "-o", "p"], cwd=self.folder.name, check=True)

    def run_it(self, *options):
        done = subprocess.run([os.path.join(BIN, "oshrun"), "-n", "2", "--report", "r.json", *options, "./p"],
                              cwd=self.folder.name, capture_output=True, text=True, check=False)
        report = None
        if os.path.exists(self.path("r.json")):
            with open(self.path("r.json"), encoding="utf-8") as file:
                report = json.load(file)
            os.unlink(self.path("r.json"))
        return done, report

    def suppressions(self, text):
        with open(self.path("list"), "w", encoding="utf-8") as file:
            file.write(text)

    def test_identity_lasts(self):
        _, report = self.run_it()
        before = {f["object"]["name"]: f["id"] for f in report["findings"]}
        self.assertEqual(set(before), {"a", "b"})
        self.assertNotEqual(before["a"], before["b"])
        self.build("/* lines\n * that push\n * the others down */\n")
        _, report = self.run_it("--seed", "7", "--chooser", "random")
        self.assertEqual({f["object"]["name"]: f["id"] for f in report["findings"]}, before)

    def test_suppressed_by_place_and_object(self):
        self.suppressions("# known\nrace function=writes_b file=p.c\n")
        done, report = self.run_it("--suppress", "list")
        self.assertEqual([f["object"]["name"] for f in report["findings"]], ["a"])
        self.assertEqual(report["footer"]["suppressed"], 1)
        self.assertIn("1 finding suppressed by list", done.stderr)
        self.suppressions("race rule=E06 object=a\nleak\n")
        _, report = self.run_it("--suppress", "list")
        self.assertEqual([f["object"]["name"] for f in report["findings"]], ["b"])

    def test_all_suppressed_is_clean(self):
        self.suppressions("* file=p.*\n")
        done, report = self.run_it("--suppress", "list")
        self.assertEqual((done.returncode, report["verdict"], report["findings"]), (0, "clean", []))
        self.assertIn("2 findings suppressed", done.stderr)

    def test_suppressed_by_identity(self):
        _, report = self.run_it()
        self.suppressions("race id=%s\n" % report["findings"][0]["id"])
        _, after = self.run_it("--suppress", "list")
        self.assertEqual([f["id"] for f in after["findings"]], [report["findings"][1]["id"]])

    def test_a_bad_list_is_refused(self):
        for text, part in (("rase\n", "list:1: a line begins with a class"), ("\nrace fun=x\n", "list:2: after the class")):
            self.suppressions(text)
            done, _ = self.run_it("--suppress", "list")
            self.assertEqual(done.returncode, 64)
            self.assertIn(part, done.stderr)
        done, _ = self.run_it("--suppress", "nowhere")
        self.assertEqual(done.returncode, 64)
        self.assertIn("cannot read", done.stderr)

    def test_stops_at_first(self):
        for backend_options in ([], ["--chooser", "random"]):
            done, report = self.run_it("--stop-at-first", *backend_options)
            self.assertEqual((done.returncode, len(report["findings"])), (66, 1))
            self.assertIn("stopped at the first finding", done.stderr)

    def test_switches_are_judged(self):
        for option, value in (("--stop-pe", "x"), ("--stop-pe", "1:"), ("--stop-pe", "2:1"), ("--stop-pe", "1:0"),
                              ("--stall", "1"), ("--stall", "0:2"), ("--stall", "a:b"), ("--fail-alloc", "x")):
            done, _ = self.run_it(option, value)
            self.assertEqual(done.returncode, 64, (option, value, done.stderr))


if __name__ == "__main__":
    unittest.main()
