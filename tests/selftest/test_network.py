#!/usr/bin/env python3
"""Times by a network are those that a pencil finds: a put, puts in a row, a barrier, two flows on one link, through each topology.
A network file that is wrong is told with line and column. --time tells the prediction and the critical path."""
import os
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
# o = 100 ns, L = 1000 ns, g = 50 ns, one byte a nanosecond
LOGGP = "reorder = 0\nsplit_max = 1\njitter_ns = 0\noverhead_ns = 100\nlatency_ns = 1000\nbandwidth = 1000\ngap_ns = 50\n"
NODES = LOGGP + "topology = nodes\n"
PRESETS = ("reorder", "ordered", "ideal", "shared-memory", "nvlink4-h200", "ib-ndr", "roce-100g")


class Network(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.program = tool.compile_program(os.path.join(cls.folder, "timed"), "-g", os.path.join(HERE, "timed.c"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def network(self, text):
        path = os.path.join(self.folder, "file.net")
        with open(path, "w", encoding="latin-1") as file:
            file.write(text)
        return path

    def run_on(self, net, npes, *words, status=0):
        done = tool.run([tool.tool("fencepost"), "run", "-n", str(npes), "--net", net, "--chooser", "timed", *words])
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def times(self, text, npes, *words):
        done = self.run_on(self.network(text), npes, "--no-footer", self.program, *words)
        lines = dict(line.split() for line in done.stdout.splitlines())
        return [int(lines[str(pe)]) for pe in range(npes)]

    def test_put(self):
        # o + n + L, and L for the acknowledgement
        self.assertEqual(self.times(NODES, 2, "put", "8")[0], 100 + 8 + 1000 + 1000)
        self.assertEqual(self.times(NODES, 2, "put", "10000")[0], 100 + 10000 + 1000 + 1000)

    def test_get(self):
        self.assertEqual(self.times(NODES, 2, "get", "1000")[0], 100 + 1000 + 1000 + 1000)

    def test_pipelined_puts(self):
        # short ones: a PE issues one every o; long ones: the link carries one every n
        self.assertEqual(self.times(NODES, 2, "puts", "10")[0], 10 * 100 + 10 + 2000)
        self.assertEqual(self.times(NODES, 2, "puts", "1000")[0], 100 + 10 * 1000 + 2000)
        # one every g where that is longest
        self.assertEqual(self.times(NODES + "gap_ns = 500\n", 2, "puts", "10")[0], 100 + 9 * 500 + 10 + 2000)

    def test_barrier(self):
        for npes, rounds in ((2, 1), (4, 2), (5, 3), (8, 3)):
            self.assertEqual(self.times(NODES, npes, "sync"), [100 + rounds * (1000 + 100)] * npes)

    def test_two_flows_share_a_link(self):
        alone, both = 100 + 10000 + 2000, 100 + 20000 + 2000
        self.assertEqual(sorted(self.times(NODES, 4, "into", "10000")[:2]), [alone, both])
        self.assertEqual(self.times(NODES, 4, "flows", "10000")[:2], [alone, alone])
        two_a_node = NODES + "pes_per_node = 2\n"  # both leave by the one link of their node
        self.assertEqual(sorted(self.times(two_a_node, 4, "flows", "10000")[:2]), [alone, both])

    def test_node(self):
        inside = NODES + "pes_per_node = 2\nnode_latency_ns = 10\nnode_bandwidth = 100000\n"
        self.assertEqual(self.times(inside, 2, "put", "10000")[0], 100 + 100 + 10 + 10)

    def test_fat_tree(self):
        tree = LOGGP + "topology = fat-tree\nnodes_per_switch = 2\nhop_ns = 7\nup_links = "
        alone = 100 + 10000 + 2 * (1000 + 3 * 7)
        self.assertEqual(self.times(tree + "2\n", 4, "flows", "10000")[:2], [alone, alone])
        self.assertEqual(sorted(self.times(tree + "1\n", 4, "flows", "10000")[:2]), [alone, alone + 10000])
        self.assertEqual(self.times(tree + "1\n", 2, "put", "10000")[0], 100 + 10000 + 2 * (1000 + 7))

    def test_dragonfly(self):
        fly = LOGGP + "topology = dragonfly\nnodes_per_switch = 1\nrouters_per_group = 2\nhop_ns = 7\n"
        # groups {0, 1} and {2, 3}: 0 -> 1 (leaves for the group of number 1) -> 2 -> 3, four routers
        self.assertEqual(self.times(fly, 4, "put", "8")[0], 100 + 8 + (1000 + 4 * 7) + (1000 + 4 * 7))
        both = sorted(self.times(fly, 4, "flows", "10000")[:2])
        self.assertGreaterEqual(both[1] - both[0], 9900)  # the one link between the groups

    def test_presets(self):
        for name in PRESETS:
            self.run_on(name, 4, self.program, "put", "64")

    def test_time(self):
        done = self.run_on(self.network(NODES), 4, "--time", self.program, "into", "10000")
        self.assertRegex(done.stderr, r"predicted time: +\d+\.\d{3} us")
        self.assertRegex(done.stderr, r"PE 3 +\d")
        path = re.search(r"critical path: +([\d.]+) us, of that on the network +([\d.]+) us", done.stderr)
        self.assertLess(float(path[2]), float(path[1]))
        self.assertRegex(done.stderr, r"PE \d, up to shmem_putmem .*timed.c:\d+")
        self.assertIn("its 10000 bytes on their way", done.stderr)

    def test_wrong_files(self):
        cases = (("latency_ns = 5\nlatncy_ns = 5\n", ":2:1:", "there is no key 'latncy_ns'"),
                 ("latency_ns 5\n", ":1:1:", "no '='"), ("latency_ns = -5\n", ":1:14:", "not a whole number"),
                 ("  gap_ns = 5 ns\n", ":1:12:", "'5 ns'"), ("gap_ns =\n", ":1:9:", "missing"), ("reorder = 2\n", ":1:11:", "from 0 to 1"),
                 ("split_max = 0", ":1:13:", "from 1 to 1024"), ("topology = torus\n", ":1:12:", "fat-tree"),
                 ("pair 0 x latency_ns = 1\n", ":1:8:", "'x' is not a PE"), ("pair 0 1 gap_ns = 1\n", ":1:10:", "latency_ns, jitter_ns"),
                 ("pair 0 = 1\n", ":1:", "pair FROM TO"), ("gap_ns = 1\npreset = ib-ndr\n", ":2:1:", "before all"),
                 ("preset = ib\n", ":1:10:", "roce-100g"), ("x" * 600 + " = 1\n", ":1:512:", "longer"), ("a\0b = 1\n", ":", "zero bytes"),
                 ("immediate = 1\n", ":", "reorder = 0"), ("gap_ns = 99999999999999999999\n", ":1:10:", "whole number"))
        for text, place, what in cases:
            with self.subTest(text=text[:40]):
                done = self.run_on(self.network(text), 2, self.program, status=64)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(place, done.stderr)
                self.assertIn(what, done.stderr)
        self.assertIn("nvlink4-h200", self.run_on("no-such-net", 2, self.program, status=64).stderr)


if __name__ == "__main__":
    tool.main()
