#!/usr/bin/env python3
"""Random loops over overlapping arrays, with puts of another PE that race with some of them and bytes that nobody has written:
with gcc's plugin, which tells the accesses of a loop in front of it, the findings are those of hooks at each load and store,
the same places in the program and the same objects.

A few programs in ctest; by hand more of them: LOOPS=200 LOOPS_FIRST=1000 tests/selftest/test_loops.py build/bin
"""
import os
import random
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

ARRAYS = (("int", "a"), ("int", "b"), ("short", "c"), ("char", "d"), ("long", "e"))
ELEMENTS = 64


def element(rng):
    return f"{rng.choice(ARRAYS)[1]}[{rng.choice(('', '', '', '2 * '))}i + {rng.randint(-2, 2)}]"


def statement(rng):
    right = " + ".join(element(rng) for _ in range(rng.randint(1, 3)))
    return rng.choice([f"{element(rng)} = {right};"] * 4 + [f"{element(rng)} += {right};"] * 2 + [f"sum += {right};"] * 2 +
                      [f"if (i % 3 == one) {element(rng)} = {right};", f"if ({element(rng)} == 99) break;"])


def loop(rng, k):
    step = rng.choice((1, 1, 1, 2, 3, -1, -1, -2))
    head = f"for (int i = lo{k}; i < hi{k}; i += {step})" if step > 0 else f"for (int i = hi{k} - 1; i >= lo{k}; i -= {-step})"
    again = rng.choice((1, 1, 1, 2, 20))
    body = "\n".join(statement(rng) for _ in range(rng.randint(1, 3)))
    return f"for (int t = 0; t < {again}; t++)\n{head} {{\n{body}\n}}\n"


def program(rng):
    nloops = rng.randint(2, 5)
    bounds = "".join(f"int lo{k} = {rng.randint(2, 8)}, hi{k} = {rng.randint(8, 28)};\n" for k in range(nloops))
    loops = "".join(loop(rng, k) for k in range(nloops))
    fresh = rng.random() < 0.6
    blocks = "".join(f"{t} *{n} = {'shmem_malloc(' if fresh else 'shmem_calloc(1, '}{ELEMENTS} * sizeof *{n});\n" for t, n in ARRAYS)
    written = "".join(f"for (int i = 0; i < {rng.choice((64, 64, 30))}; i++)\n{n}[i] = ({t})i;\n"
                      for t, n in ARRAYS if fresh and rng.random() < 0.8)
    remote = "".join(f"shmem_{t}_p({n} + {rng.randint(0, 60)}, 1, 1);\n" if rng.random() < 0.6 else
                     f"sum += shmem_{t}_g({n} + {rng.randint(0, 60)}, 1);\n"
                     for t, n in (rng.choice(ARRAYS) for _ in range(rng.randint(0, 8))))
    return (f"#include <shmem.h>\nint one = 1;\nlong sum;\n{bounds}"
            f"static __attribute__((noinline)) void\nwork(int *a, int *b, short *c, char *d, long *e)\n{{\n{loops}}}\n"
            f"int\nmain(void)\n{{\nshmem_init();\n{blocks}{written}shmem_barrier_all();\nif (shmem_my_pe() == 0) {{\n{remote}}} else {{\n"
            f"work({rng.choice(('a, b', 'a, a + 3', 'b, a'))}, c, d, e);\n}}\n"
            "shmem_barrier_all();\nshmem_finalize();\nreturn 0;\n}\n")


def place(a):
    """A load and a store by one line are one place."""
    return a["pe"], "plain" if a["op"] in ("load", "store") else a["op"], a.get("line")


def accesses(finding):
    """A byte that nobody wrote is told once, and which of several lines that read it is told first depends on where their code lies."""
    return frozenset(place(a) for a in finding["accesses"]) if finding["class"] != "uninit" else None


class Loops(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def findings(self, level, plugin):
        out, report = os.path.join(self.folder, "program"), os.path.join(self.folder, "report.json")
        compiler = tool.environment(OSHCC_PLUGIN=plugin, OSHCC_CC="gcc")
        tool.must([tool.tool("oshcc"), level, "-w", "-fsanitize=shmem", "p.c", "-o", out], cwd=self.folder, env=compiler)
        tool.run([tool.tool("fencepost"), "run", "-n", "2", "--net", "ideal", "--no-footer", "--report", report, out])
        return {(f["class"], f["object"].get("allocated", {}).get("line"), accesses(f))
                for f in tool.read_json(report)["findings"]}

    def test_the_same_findings(self):
        if not os.path.exists(os.path.join(os.path.dirname(tool.BIN), "lib", "hooks-gcc.version")):
            self.skipTest("built without gcc's plugin")
        first, seen = int(os.environ.get("LOOPS_FIRST", "1")), 0
        for seed in range(first, first + int(os.environ.get("LOOPS", "4"))):
            rng = random.Random(seed)
            source, level = program(rng), rng.choice(("-O1", "-O2", "-O3"))
            tool.write(os.path.join(self.folder, "p.c"), source)
            plain, told = self.findings(level, "no"), self.findings(level, "")
            self.assertEqual(told, plain, f"LOOPS_FIRST={seed}, {level}\n{source}")
            seen += len(plain)
        self.assertGreater(seen, 0)


if __name__ == "__main__":
    tool.main()
