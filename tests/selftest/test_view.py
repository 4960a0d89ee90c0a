#!/usr/bin/env python3
"""The page that `fencepost trace export --format=html` writes, in a real browser without a window: what it says of a finding, what is
red on it, whether its keys, filter and hints work, and whether it stays quick with many PEs and operations. Needs chromium."""
import os
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import browser, tool  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
GNN = [os.path.join(tool.ROOT, "tests", "programs", f) for f in ("gnn_aggregate.c", "gnn_frontier.c", "gnn/sequential.c", "gnn/graph.c")]
RED = (216, 30, 52)  # --race of the light theme


def near(pixel, colour, by=40):
    return all(abs(a - b) <= by for a, b in zip(pixel, colour))


def bezier(curve, t):
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3)
    return [sum(w * curve[2 * i + axis] for i, w in enumerate(weights)) for axis in (0, 1)]


@unittest.skipUnless(browser.found(), "no chromium here: the page is not tested (apt-get install chromium)")
class View(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        words = ["-fsanitize=shmem", "-O1"]
        cls.programs = {"racy": tool.compile_program(os.path.join(cls.folder, "racy"), *words, "-DBUG_NO_QUIET", *GNN),
                        "traffic": tool.compile_program(os.path.join(cls.folder, "traffic"), "-O1",
                                                        os.path.join(HERE, "..", "bench", "traffic.c"))}
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        shutil.rmtree(cls.folder)

    def page(self, name, npes, *arguments, options=()):
        trace, page = (os.path.join(self.folder, name + end) for end in (".fptrace", ".html"))
        tool.run([tool.tool("fencepost"), "run", "-n", str(npes), "--no-footer", "--trace", trace, *options, self.programs[name], *arguments])
        tool.must([tool.tool("fencepost"), "trace", "export", "--format=html", "-o", page, trace])
        return page

    def js(self, expression):
        return self.browser.js(expression)

    def at(self, expression):
        """A place on the canvas as one on the page."""
        return self.js(f"(() => {{ const p = {expression}, b = diagram.canvas.getBoundingClientRect(); return [p.x + b.left, p.y + b.top]; }})()")

    def count_red(self, x, y, width, height):
        return sum(near(p, RED) for row in self.browser.pixels(x, y, width, height) for p in row)

    def test_finding(self):
        page = self.page("racy", 8)
        self.browser.open(page, "theme=light&finding=1")
        card = self.js("document.querySelector('.finding.on').innerText")
        source = tool.read_bytes(GNN[0]).decode().splitlines()
        line = {mark: next(i for i, text in enumerate(source, 1) if re.search(r"// <- .*\b" + mark + r"\b", text)) for mark in "AB"}
        for part in ("race", "nothing orders", f"gnn_aggregate.c:{line['A']}", f"gnn_aggregate.c:{line['B']}", "repair", "shmem_fence",
                     "shmem_long_put(push->inbox"):
            self.assertIn(part, card)
        self.browser.settle()
        spots = [self.at(f"diagram.spot(meta.findings[0].accesses[{k}])") for k in (0, 1)]
        for x, y in spots:  # the two accesses are red discs
            self.assertGreater(self.count_red(x - 8, y - 8, 16, 16), 120)
        # Between them the missing edge: dashed, so red and not red by turns along the way.
        (xa, ya), _ = spots
        curve = self.js("(b => diagram.edgeCurve.map((v, i) => v + (i % 2 ? b.top : b.left)))(diagram.canvas.getBoundingClientRect())")
        points = [bezier(curve, i / 300) for i in range(20, 280)]
        left, top = (int(min(p[k] for p in points)) - 2 for k in (0, 1))
        part = self.browser.pixels(left, top, *(int(max(p[k] for p in points)) - low + 4 for k, low in ((0, left), (1, top))))
        red = [near(part[round(y) - top][round(x) - left], RED, 70) for x, y in points]
        turns = sum(a != b for a, b in zip(red, red[1:]))
        self.assertTrue(turns > 8 and 60 < sum(red) < 220, f"no dashes between the two accesses: {red}")
        # The put is a red arrow from its issue to its landing.
        x0, y0 = self.at("(e => ({x: e.x0, y: e.y0}))(diagram.ends(meta.findings[0].accesses[0].row))")
        for part in (0.3, 0.5, 0.7):
            px, py = x0 + part * (xa - x0), y0 + part * (ya - y0)
            self.assertGreater(self.count_red(px - 4, py - 4, 8, 8), 3, f"no red at {part} of the arrow")
        pills = self.js("diagram.pills.map(p => [p.x, p.y, p.w, p.h])")
        self.assertEqual(len(pills), 3)
        for k, (x, y, w, h) in enumerate(pills):
            self.assertTrue(x >= 0 and y >= 0 and x + w <= self.js("diagram.width") and y + h <= self.js("diagram.height"))
            for x2, y2, w2, h2 in pills[k + 1:]:
                self.assertFalse(x < x2 + w2 and x2 < x + w and y < y2 + h2 and y2 < y + h, "labels lie over one another")
        self.browser.key("f")
        self.assertEqual(self.js("diagram.finding"), 1)
        self.assertEqual(self.browser.errors, [])

    def test_clean_run_has_no_red(self):
        self.browser.open(self.page("traffic", 4, "40"), "theme=light")
        self.assertIn("clean", self.js("document.getElementById('chips').innerText"))
        self.assertEqual(self.js("document.querySelectorAll('.finding').length"), 0)
        self.assertEqual(self.count_red(0, 60, 1000, 700), 0)

    def test_keys_filter_and_hints(self):
        self.browser.open(self.page("traffic", 4, "40"), "theme=light")
        whole = self.js("diagram.x1 - diagram.x0")
        self.browser.key("+")
        self.assertLess(self.js("diagram.x1 - diagram.x0"), whole * 0.8)
        self.browser.key("ArrowRight")
        self.assertGreater(self.js("diagram.x0"), 0)
        self.browser.key("0")
        self.assertAlmostEqual(self.js("diagram.x1 - diagram.x0"), whole)
        self.browser.key("n")
        self.assertIn("shmem_init", self.js("document.getElementById('selection').innerText"))
        self.browser.key("/", "")
        self.assertEqual(self.js("document.activeElement.id"), "filter")
        self.js("$('filter').value = 'kind:put pe:1-2'; applyFilter()")
        shown = self.js("[...rows.shown].flatMap((s, i) => s ? [[rows.kind[i], rows.pe[i]]] : [])")
        self.assertTrue(shown and all(kind == 0 and pe in (1, 2) for kind, pe in shown))
        self.js("$('filter').value = 'block 32768'; applyFilter()")
        self.assertTrue(0 < self.js("rows.shown.reduce((a, b) => a + b)") < self.js("rows.count"))
        self.browser.key("Escape")
        self.assertEqual(self.js("rows.shown.every(s => s)"), True)
        self.browser.key("o")
        self.assertEqual(self.js("diagram.axis"), "order")
        light = self.browser.pixels(2, 200, 1, 1)[0][0]
        self.browser.key("t")
        self.browser.settle()
        self.assertLess(sum(self.browser.pixels(2, 200, 1, 1)[0][0]), sum(light) / 2)
        self.browser.key("?")
        self.assertTrue(self.js("document.getElementById('keys').open"))
        self.js("document.getElementById('keys').close()")
        row = self.js("rows.kind.indexOf(0)")
        self.js(f"showRows([{row}])")
        self.browser.settle()
        x, y = self.at(f"(b => ({{x: b[0] + 1, y: b[1] + 2}}))(diagram.box({row}))")
        self.browser.mouse("mouseMoved", x, y)
        self.browser.settle()
        tip = self.js("document.getElementById('tip').innerText")
        self.assertIn("shmem_uint64_p", tip)
        self.assertRegex(tip, r"8 bytes · block of \d+ bytes \(.*traffic\.c:\d+\), byte \d+")
        self.assertRegex(tip, r"traffic\.c:\d+")
        self.browser.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.browser.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.assertIn("delivery", self.js("document.getElementById('selection').innerText"))
        self.assertEqual(self.browser.errors, [])

    def test_many(self):
        """64 PEs and 100,000 operations: bars from afar, calls one by one from near, no long pause."""
        seconds = self.browser.open(self.page("traffic", 64, "1500", options=("--no-check",)))
        self.assertLess(seconds, 20)
        data = self.js("Object.assign({}, document.documentElement.dataset)")
        self.assertGreater(int(data["rows"]), 100000)
        self.assertEqual(data["drawn"], "cells")
        self.assertLess(int(data["longest"]), 1000)
        self.browser.settle()
        self.js("show(0, 3000)")
        self.browser.settle()
        self.assertEqual(self.js("document.documentElement.dataset.drawn"), "rows")
        self.assertEqual(self.browser.errors, [])

    def test_names_do_no_harm(self):
        word = "</script><script>document.title='taken'</script>\" &amp; \N{SNOWMAN}"
        page = self.page("traffic", 2, "20", word)
        self.browser.open(page)
        self.assertNotEqual(self.js("document.title"), "taken")
        self.assertIn(word, self.js("document.getElementById('program').textContent"))
        self.assertEqual(self.browser.errors, [])

    def test_page_needs_nothing_else(self):
        text = tool.read_bytes(self.page("traffic", 2, "20")).decode()
        self.assertEqual(re.findall(r"https?://|src=|@import|url\(", text), [])

    def test_same_trace_same_page(self):
        first = tool.read_bytes(self.page("traffic", 3, "20"))
        self.assertEqual(first, tool.read_bytes(self.page("traffic", 3, "20")))


if __name__ == "__main__":
    tool.main()
