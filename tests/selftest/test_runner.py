#!/usr/bin/env python3
"""The runner of test programs can fail. Stand-ins for oshcc and fencepost write what each case needs, so these tests say
nothing about the simulator, only that no expectation is met by accident or by not running."""
import json
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

FENCEPOST = """#!/bin/sh
n=1 seed=1 report=
while [ $# -gt 0 ]; do
    case $1 in
    -n) n=$2 ;;
    --seed) seed=$2 ;;
    --report) report=$2 ;;
    esac
    shift
done
cat "$HOME/stdout" 2>/dev/null
[ -f "$HOME/report" ] && sed "s/\\"NPES\\"/$n/; s/\\"SEED\\"/$seed/" "$HOME/report" >"$report"
exit "$(cat "$HOME/status" 2>/dev/null || echo 0)"
"""
RACE = {"class": "race", "rule": "E061", "message": "put by PE 0 and load by PE 2 are not ordered", "repair": "fence",
        "object": {"name": "data", "pe": 2, "offset": 0, "bytes": 16},
        "accesses": [{"pe": 0, "op": "shmem_int_put", "kind": "write", "file": "/x/t.c", "line": 7, "stack": []},
                     {"pe": 2, "op": "load", "kind": "read", "file": "/x/t.c", "line": 8, "stack": []}]}
BODY = "\nint main(void)\n{\n    /* 6 */\n    put(); // <- A\n    load(); // <- B C\n    return 0;\n}\n"


class Runner(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.bin = os.path.join(self.folder, "build", "bin")
        os.makedirs(self.bin)
        for name, text in (("fencepost", FENCEPOST), ("oshcc", '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done; echo >"$2"\n')):
            os.chmod(tool.write(os.path.join(self.bin, name), text), 0o755)

    def judge(self, head, findings=(), status=None, stdout="", report=True, **changed):
        """Exit status and output of the runner for a program with this head comment and this outcome."""
        lines = ["/* t.c", *(" * " + line for line in head), " */"]
        while len(lines) < 3:
            lines.insert(1, " *")
        source = "\n".join(lines)
        tool.write(os.path.join(self.folder, "t.c"), source + BODY)
        # The accesses of the report lie where the marks happen to be.
        text = (source + BODY).splitlines()
        mark = {m: i for i, line in enumerate(text, 1) for m in "AB" if "<- " in line and m in line.split("<- ")[1]}
        findings = json.loads(json.dumps(list(findings)))
        for finding in findings:
            for access, name in zip(finding["accesses"], "AB"):
                access["line"] = mark[name] + access.get("shift", 0)
        content = {"schema": "fencepost-report/1", "verdict": "findings" if findings else "clean", "seed": "SEED", "npes": "NPES",
                   "trace": "", "findings": findings, "footer": {}}
        content.update(changed)
        for name in ("report", "status", "stdout"):
            if os.path.exists(os.path.join(self.folder, name)):
                os.remove(os.path.join(self.folder, name))
        if report:
            tool.write(os.path.join(self.folder, "report"), json.dumps(content))
        tool.write(os.path.join(self.folder, "status"), str(status if status is not None else 66 if findings else 0))
        tool.write(os.path.join(self.folder, "stdout"), stdout)
        done = tool.run([os.path.join(tool.ROOT, "tests", "run_programs"), "--bin", self.bin, os.path.join(self.folder, "t.c")],
                        env=tool.environment(HOME=self.folder))
        return done.returncode, done.stdout + done.stderr

    def passes(self, *args, **more):
        status, out = self.judge(*args, **more)
        self.assertEqual(status, 0, out)

    def fails(self, text, *args, **more):
        status, out = self.judge(*args, **more)
        self.assertEqual(status, 1, out)
        self.assertIn(text, out)

    def test_clean(self):
        self.passes(["EXPECT: clean"])
        self.fails("finding not expected", ["EXPECT: clean"], [RACE])
        self.fails("exit status is 3", ["EXPECT: clean"], status=3)
        self.passes(["EXPECT: clean", "STATUS: 3"], status=3)
        self.passes(["RUN: --status 3", "EXPECT: clean"], status=3)

    def test_not_running_is_failing(self):
        self.fails("no report was written", ["EXPECT: clean"], report=False)
        self.fails("npes is 1", ["RUN: -n 2", "EXPECT: clean"], npes=1)
        self.fails("seed is 5", ["EXPECT: clean"], seed=5)
        self.fails("schema", ["EXPECT: clean"], schema="other/1")
        self.fails("verdict", ["EXPECT: clean"], verdict="findings")
        self.fails("says nothing", ["Nothing is expected."])
        self.fails("says nothing", ["EXPECT: clean", "VARIANT other: -DX"])

    def test_unreadable_expectations(self):
        for line in ("EXPCT: clean", "EXPECT: rcae A B", "EXPECT: race A", "EXPECT: race A Z", "RUN: --sed 1", "RUN: n 2",
                     "EXPECT: race A B colour=red"):
            self.fails("cannot be read", ["EXPECT: clean", line])

    def test_race(self):
        for line in ("race A B", "race B A", "race object=data on=2 rule=E061 A=put:write@0 B=load:read@2 message~LOAD repair~fence",
                     "race on=0..2 A B", "race A C", "race A B ..."):
            self.passes(["EXPECT: " + line], [RACE])
        for line in ("race object=flag A B", "race on=1 A B", "race A A", "race A=get B", "race A@1 B", "race A:read B",
                     "race rule=E062 A B", "race A B message~store", "race A B A", "hang", "race A B times=2"):
            self.fails("finding", ["EXPECT: " + line], [RACE])

    def test_wrong_line_is_not_the_finding(self):
        moved = json.loads(json.dumps(RACE))
        moved["accesses"][1]["shift"] = 1
        self.fails("accesses are", ["EXPECT: race A B"], [moved])

    def test_counts(self):
        self.fails("finding not expected", ["EXPECT: race A B"], [RACE, RACE])
        self.passes(["EXPECT: race A B times=2"], [RACE, RACE])
        self.passes(["EXPECT: race A B times=1..3"], [RACE, RACE])
        self.passes(["EXPECT: race A B", "EXPECT: race on=2 A B"], [RACE, RACE])
        self.fails("missing", ["EXPECT: race A B", "EXPECT: hang"], [RACE])

    def test_some_and_maybe(self):
        self.passes(["EXPECT: clean", "EXPECT maybe: race A B"], [RACE])
        self.passes(["EXPECT some: race A B"], [RACE])
        self.fails("found in none", ["EXPECT some: race A B"])
        self.passes(["EXPECT maybe: race A B"])

    def test_output(self):
        self.passes(["EXPECT: clean", "STDOUT: b", "STDOUT: a"], stdout="a\nb\n")
        self.fails("stdout", ["EXPECT: clean", "STDOUT: a"], stdout="a\na\n")
        self.fails("stdout", ["EXPECT: clean", "STDOUT: (none)"], stdout="a\n")
        self.passes(["EXPECT: clean", "STDOUT~ an a"], stdout="this is an answer\n")
        self.fails("is not in it", ["EXPECT: clean", "STDOUT~ 43"], stdout="42\n")

    def test_values(self):
        self.passes(["EXPECT: clean", "VALUES: acc 6..9"], stdout="acc=7\n")
        self.fails("not one of", ["EXPECT: clean", "VALUES: acc 6..9"], stdout="acc=10\n")
        self.fails("different values", ["EXPECT: clean", "VALUES: acc 6..9 distinct=2"], stdout="acc=7\n")
        self.fails("different values", ["EXPECT: clean", "VALUES: acc 6..9"])


if __name__ == "__main__":
    tool.main()
