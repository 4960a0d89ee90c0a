#!/usr/bin/env python3
"""What a trace holds is shown alike by two readers: `fencepost trace print`, and tools/read_trace.py, which was written from
traces/FORMAT.md alone. A trace that was cut short is shown up to its last whole block; a damaged one ends in a one-line error."""
import glob
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

sys.path.insert(0, os.path.join(tool.ROOT, "tools"))
sys.dont_write_bytecode = True
import read_trace  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))


def second_reader(data, choices=True):
    """(lines, whether the trace is good)"""
    lines = []
    try:
        for line in read_trace.report(data, choices):
            lines.append(line)
    except read_trace.Damaged:
        return lines, False
    return lines, True


class Trace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.mixed = tool.compile_program(os.path.join(cls.folder, "mixed"), "-fsanitize=shmem", "-O1", os.path.join(HERE, "mixed.c"))
        source = os.path.join(cls.folder, "traffic.c")
        tool.write(source, """#include <shmem.h>
            #include <stdlib.h>
            static long words[64];
            int main(int argc, char **argv) {
                shmem_init();
                for (long i = 0; i < atol(argv[1]); i++) {
                    shmem_long_atomic_add(&words[i * 7919 % 64], i, (int)(i * i % 3 % 2));
                    if (i % 16 == 0) shmem_quiet();
                }
                shmem_finalize();
                return argc - 2; }""")
        cls.traffic = tool.compile_program(os.path.join(cls.folder, "traffic"), source)
        cls.racy = tool.compile_program(os.path.join(cls.folder, "racy"), "-fsanitize=shmem", "-O1", os.path.join(HERE, "racy.c"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def record(self, name, program, *words):
        path = os.path.join(self.folder, name)
        tool.run([tool.tool("fencepost"), "run", "--no-footer", "--trace", path, *words[:-1], program, words[-1]])
        return path

    def show(self, *words, status=0):
        done = tool.run([tool.tool("fencepost"), "trace", *words])
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def assert_agree(self, path):
        lines, good = second_reader(tool.read_bytes(path))
        self.assertTrue(good)
        self.assertEqual(self.show("print", "--choices", path).stdout.splitlines(), lines)

    def test_where_an_export_goes(self):
        trace, pipe = self.record("where.fptrace", self.racy, "-n", "2", "--no-check"), os.path.join(self.folder, "pipe")
        before = tool.read_bytes(trace)
        self.assertIn("is the trace itself", self.show("export", "--format=json", "-o", trace, trace, status=64).stderr)
        self.assertEqual(tool.read_bytes(trace), before)
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.show("stats", trace)
        self.show("export", "--format=json", "-o", pipe, trace)
        os.close(reader)
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))  # written to, not replaced

    def test_two_runs_that_write_one_trace(self):
        trace = os.path.join(self.folder, "both.fptrace")
        command = [tool.tool("fencepost"), "run", "-n", "2", "--no-footer", "--trace", trace, self.traffic]
        runs = [subprocess.Popen([*command, updates], stderr=subprocess.DEVNULL) for updates in ("20000", "24000", "28000")]
        self.assertEqual([run.wait() for run in runs], [0, 0, 0])
        self.assertEqual(self.show("print", trace).stdout.splitlines()[-1], "end")
        self.assertEqual(glob.glob(trace + "*"), [trace])

    def test_a_full_disk_is_told(self):
        trace = self.record("full.fptrace", self.racy, "-n", "2", "--no-check")
        for words in (("print",), ("stats",), ("export", "--format=html")):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([tool.tool("fencepost"), "trace", *words, trace], stdout=full, stderr=subprocess.PIPE, check=False)
            self.assertEqual((done.returncode, done.stderr.count(b"\n")), (74, 1), (words, done.stderr))

    def test_readers_agree_on_the_corpus(self):
        corpus = sorted(glob.glob(os.path.join(tool.ROOT, "traces", "corpus", "*.fptrace")))
        self.assertGreater(len(corpus), 3)
        for path in corpus:
            with self.subTest(trace=path):
                self.assert_agree(path)

    def test_readers_agree_on_fresh_traces(self):
        for program in (self.mixed, self.racy):
            for npes in ("2", "8"):
                for chooser in ("timed", "adversarial"):
                    for argument in ("", "say \"hi\"\n\t\\ \N{SNOWMAN} \x7f"):
                        with self.subTest(program=program, npes=npes, chooser=chooser, argument=argument):
                            self.assert_agree(self.record("fresh.fptrace", program, "-n", npes, "--chooser", chooser, argument))

    def test_bytes_that_are_no_text(self):
        path = os.path.join(self.folder, "odd.fptrace")
        odd = os.fsdecode(b"\xff\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 ok \xf0\x9f\x8c\x8a")
        tool.run([tool.tool("fencepost"), "run", "-n", "1", "--trace", path, self.mixed, odd])
        self.assert_agree(path)

    def test_cut_at_every_byte(self):
        whole = tool.read_bytes(self.record("whole.fptrace", self.racy, "-n", "2", "x"))
        lines, _ = second_reader(whole)
        path = os.path.join(self.folder, "cut.fptrace")
        usable = 0
        for length in range(len(whole)):
            with open(path, "wb") as file:
                file.write(whole[:length])
            done = tool.run([tool.tool("fencepost"), "trace", "print", "--choices", path])
            shown, good = second_reader(whole[:length])
            self.assertEqual((done.stdout.splitlines(), done.returncode), (shown, 0 if good else 65), f"cut at {length}")
            self.assertEqual(done.stderr.count("\n"), 0 if good else 1, done.stderr)
            usable += good
            for sort in ("header ", "record ", "choice "):
                entries, of_whole = ([s for s in text if s.startswith(sort)] for text in (shown, lines))
                self.assertEqual(entries, of_whole[:len(entries)], f"cut at {length}")
        self.assertGreater(usable, 1)  # at the ends of blocks

    def test_every_bit_matters(self):
        whole = tool.read_bytes(self.record("whole.fptrace", self.racy, "-n", "2", "x"))
        path = os.path.join(self.folder, "flipped.fptrace")
        for bit in range(0, 8 * len(whole), 13):
            flipped = bytearray(whole)
            flipped[bit // 8] ^= 1 << bit % 8
            _, good = second_reader(bytes(flipped))
            self.assertFalse(good, f"bit {bit}")
            if bit % 91 == 0:
                with open(path, "wb") as file:
                    file.write(flipped)
                done = tool.run([tool.tool("fencepost"), "trace", "print", "--choices", path])
                self.assertEqual((done.returncode, done.stderr.count("\n")), (65, 1), f"bit {bit}: {done.stderr}")

    def test_stats(self):
        text = self.show("stats", self.record("stats.fptrace", self.racy, "-n", "2", "x")).stdout
        rows = {line.split()[0]: line.split() for line in text.splitlines()[1:5]}
        self.assertEqual(list(rows), ["PE", "0", "1", "all"])
        report = json.loads(self.show("export", "--format=json", os.path.join(self.folder, "stats.fptrace")).stdout)
        event = {r["shape"]: dict(r["keys"])["event"] for r in report["records"] if "keys" in r}
        issues = [r for r in report["records"] if "record" in r and event[r["shape"]] == "issue"]
        self.assertIn(f" {len(issues)} operations", text)
        self.assertTrue(issues)
        self.assertTrue(report["whole"])

    def test_diff(self):
        first, same, other = (self.record(name, self.racy, "-n", "2", "--seed", seed, "x") for name, seed in
                              (("a.fptrace", "1"), ("b.fptrace", "1"), ("c.fptrace", "2")))
        self.assertIn("are the same", self.show("diff", first, same).stdout)
        text = self.show("diff", first, other, status=1).stdout
        for part in ("settings: seed 1 | 2", "records: the first", "choices: the first", "reason:", "racy.c:"):
            self.assertIn(part, text)
        more = self.record("d.fptrace", self.mixed, "-n", "2", "x")
        self.assertIn("two programs", self.show("diff", first, more, status=1).stdout)
        cut = os.path.join(self.folder, "e.fptrace")
        with open(cut, "wb") as file:
            file.write(tool.read_bytes(first)[:300])
        self.assertEqual(self.show("diff", first, cut, status=65).stderr.count("\n"), 1)

    def test_after_a_crash(self):
        """What was written before the program died is readable, up to the last whole block."""
        source = tool.write(os.path.join(self.folder, "dies.c"), """#include <shmem.h>
#include <signal.h>
static long x;
int main(void)
{
    shmem_init();
    for (int i = 0; i < 60000; i++)
        shmem_long_atomic_add(&x, i * 7919 % 1000003, (shmem_my_pe() + 1) % shmem_n_pes());
    if (shmem_my_pe() == 0)
        raise(SIGKILL);
    shmem_finalize();
}
""")
        path = os.path.join(self.folder, "dies.fptrace")
        tool.run([tool.tool("fencepost"), "run", "-n", "2", "--no-check", "--trace", path, tool.compile_program(os.path.join(self.folder, "dies"), source)])
        self.assertFalse(os.path.exists(path))
        done = tool.run([tool.tool("fencepost"), "trace", "print", path + ".part"])
        self.assertGreater(done.stdout.count("\nrecord "), 20000)
        lines, good = second_reader(tool.read_bytes(path + ".part"), False)
        self.assertTrue(good, "whole blocks and nothing else")
        self.assertEqual((done.stdout.splitlines(), done.returncode), (lines, 0))
        tool.run([tool.tool("fencepost"), "trace", "export", "--format=html", "-o", path + ".html", path + ".part"])
        self.assertIn(b"The trace was cut short", tool.read_bytes(path + ".html"))

    def test_perfetto(self):
        """As the trace-event format has it: known phases, numbers for places and times, slices that nest, flows that end in slices."""
        path = self.record("p.fptrace", self.racy, "-n", "2", "a \"quoted\"\n\N{SNOWMAN}")
        events = json.loads(self.show("export", "--format=perfetto", path).stdout)["traceEvents"]
        slices, flows = {}, {}
        for event in events:
            self.assertIn(event["ph"], "MXsfi")
            self.assertTrue(isinstance(event["pid"], int) and isinstance(event["tid"], int) and isinstance(event["name"], str))
            if event["ph"] == "X":
                slices.setdefault((event["pid"], event["tid"]), []).append((round(event["ts"] * 1000), round(event["dur"] * 1000)))
            if event["ph"] in "sf":
                flows.setdefault(event["id"], {})[event["ph"]] = event
                self.assertTrue(event["ph"] == "s" or event["bp"] == "e")
        self.assertTrue(flows and any(f["s"]["cat"] == "finding" for f in flows.values()))
        for ends in flows.values():
            self.assertEqual(sorted(ends), ["f", "s"])
            self.assertLessEqual(ends["s"]["ts"], ends["f"]["ts"])
            for end in ends.values():
                at = round(end["ts"] * 1000)
                self.assertTrue(any(begin <= at <= begin + took for begin, took in slices[end["pid"], end["tid"]]))
        for track in slices.values():
            open_until = []
            for begin, took in sorted(track, key=lambda s: (s[0], -s[1])):
                while open_until and open_until[-1] <= begin:
                    open_until.pop()
                self.assertTrue(not open_until or begin + took <= open_until[-1], "slices overlap without nesting")
                open_until.append(begin + took)

    def test_usage(self):
        for words, text in ((["pritn"], "did you mean 'print'"), ([], "usage"), (["print"], "which trace"), (["print", "--no"], "--no"),
                            (["print", "a", "b"], "'b'")):
            self.assertIn(text, self.show(*words, status=64).stderr)
        self.assertIn("No such file", self.show("print", "nothing.fptrace", status=65).stderr)
        self.assertIn("print", self.show("--help").stdout)

    def test_second_reader_sums(self):
        self.assertEqual(read_trace.xxhash64_slowly(b""), 0xEF46DB3751D8E999)
        for length in (1, 4, 8, 31, 32, 100, 1000):
            data = bytes(i * 7 % 256 for i in range(length))
            self.assertEqual(read_trace.xxhash64_slowly(data), read_trace.xxhash64(data))


if __name__ == "__main__":
    tool.main()
