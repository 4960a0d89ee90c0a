#!/usr/bin/env python3
"""The repair that a finding suggests is a repair: with it, the wrong program has the finding no more.

A fence or a quiet between two lines is written into the source, behind the first of the two, or before the second where
that does not compile; #line keeps the numbers, so that findings can be compared. Every suggestion that is one call
(`insert` in the report) is tried by `fencepost run --verify-repairs` too. What else is suggested (another routine, a
flag that the reader waits for) a person has to write, and has written: the program has a variant that is clean.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

TESTS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, TESTS)
from harness import expectation  # noqa: E402

BIN = os.path.realpath(sys.argv.pop(1)) if len(sys.argv) > 1 else None
REPAIR = re.compile(r"(shmem_(?:ctx_)?(?:fence|quiet))(?: on the context(?: of the operation)?)? between line (\d+) and line (\d+)")


def same(x, y):
    def key(f):
        return sorted((a["op"], a["line"]) for a in f["accesses"]), f["object"]["name"], f["object"]["pe"]
    return key(x) == key(y)


class Repairs(unittest.TestCase):
    def run_source(self, text, path, variant, flags, verify=()):
        """Findings of the first run of the variant; None if the text does not compile."""
        run = variant.runs[0]
        with tempfile.TemporaryDirectory() as folder:
            source, binary, report = (os.path.join(folder, n) for n in (os.path.basename(path), "p", "r.json"))
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
            hooks = ["-fsanitize=shmem"] if run.hooks == "yes" else []
            done = subprocess.run([os.path.join(BIN, "oshcc"), "-w", "-O1", f"-I{os.path.dirname(path)}", *hooks, *flags,
                                   *variant.flags, source, "-o", binary], capture_output=True, check=False)
            if done.returncode:
                return None
            subprocess.run([os.path.join(BIN, "fencepost"), "run", *verify, *run.arguments(), "--report", report, binary,
                            *run.args], capture_output=True, check=False, timeout=60, stdin=subprocess.DEVNULL,
                           env=os.environ | run.env)
            with open(report, encoding="utf-8") as file:
                return json.load(file)["findings"]

    @staticmethod
    def repaired(text, routine, before, after):
        """The text with the call behind line `before`, then with it before line `after`."""
        call = f"{routine}(ctx);" if "ctx_" in routine else f"{routine}();"
        lines = text.split("\n")
        for at in (before, after - 1):
            yield "\n".join(lines[:at] + [call, f"#line {at + 1}"] + lines[at:])

    def write_in(self, finding, text, path, variant, flags):
        """Whether the repair is one that could be written into the source; it must do."""
        words = REPAIR.match(finding["repair"])
        if finding["class"] != "race" or not words or "must learn" in finding["repair"]:
            return False
        results = [self.run_source(t, path, variant, flags)
                   for t in self.repaired(text, words[1], int(words[2]), int(words[3]))]
        results = [r for r in results if r is not None]
        where = f"{os.path.basename(path)} [{variant.name}]: {finding['repair']}"
        self.assertTrue(results, where)
        self.assertTrue(any(not any(same(finding, f) for f in r) for r in results), where)
        return True

    def test_all_of_tests_wrong(self):
        written, outcomes, by_hand = 0, {}, set()
        for path in sorted(glob.glob(os.path.join(TESTS, "wrong", "*.c"))):
            variants, flags, sources = expectation.parse(path)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            for variant in variants:
                if sources or not any(f.class_ in ("race", "lifetime") for f in variant.findings):
                    continue
                for finding in self.run_source(text, path, variant, flags, ["--verify-repairs"]) or []:
                    where = f"{os.path.basename(path)} [{variant.name}]: {finding['repair']}"
                    written += self.write_in(finding, text, path, variant, flags)
                    if "insert" in finding:
                        outcome = finding["verified"]
                        self.assertIsNot(outcome, False, where)
                        outcomes[outcome] = outcomes.get(outcome, 0) + 1
                    elif finding["class"] == "race":
                        by_hand.add(path)
        print(f"{written} repairs written in, {outcomes.get(True, 0)} verified by the tool, {outcomes.get(None, 0)} could "
              f"not be tried, {len(by_hand)} programs with repairs for a person", file=sys.stderr)
        self.assertGreater(written, 15)
        self.assertGreaterEqual(outcomes[True], 38)
        self.assertLessEqual(outcomes.get(None, 0), 1)
        never_right = [os.path.basename(p) for p in sorted(by_hand) if not any(v.clean for v in expectation.parse(p)[0])]
        self.assertEqual(never_right, [], "no variant in which it is put right")


if __name__ == "__main__":
    unittest.main()
