#!/usr/bin/env python3
"""What a trace holds is shown alike by two readers: `fencepost trace print`, and tools/read_trace.py, which was written from
traces/FORMAT.md alone. A trace that was cut short is shown up to its last whole block; a damaged one ends in a one-line error."""
import glob
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

sys.path.insert(0, os.path.join(tool.ROOT, "tools"))
sys.dont_write_bytecode = True
import read_trace  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))


def second_reader(data):
    """(lines, whether the trace is good)"""
    lines = []
    try:
        for line in read_trace.report(data, True):
            lines.append(line)
    except read_trace.Damaged:
        return lines, False
    return lines, True


class Trace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.program = tool.compile_program(os.path.join(cls.folder, "mixed"), "-fsanitize=shmem", "-O1", os.path.join(HERE, "mixed.c"))
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

    def test_readers_agree_on_the_corpus(self):
        corpus = sorted(glob.glob(os.path.join(tool.ROOT, "traces", "corpus", "*.fptrace")))
        self.assertGreater(len(corpus), 3)
        for path in corpus:
            with self.subTest(trace=path):
                self.assert_agree(path)

    def test_readers_agree_on_fresh_traces(self):
        for program in (self.program, self.racy):
            for npes in ("1", "2", "8"):
                for chooser in ("random", "timed", "adversarial"):
                    for argument in ("", "say \"hi\"\n\t\\ \N{SNOWMAN} \x7f"):
                        with self.subTest(program=program, npes=npes, chooser=chooser, argument=argument):
                            self.assert_agree(self.record("fresh.fptrace", program, "-n", npes, "--chooser", chooser, argument))

    def test_bytes_that_are_no_text(self):
        path = os.path.join(self.folder, "odd.fptrace")
        odd = os.fsdecode(b"\xff\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 ok \xf0\x9f\x8c\x8a")
        tool.run([tool.tool("fencepost"), "run", "-n", "1", "--trace", path, self.program, odd])
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
        for bit in range(0, 8 * len(whole), 3):
            flipped = bytearray(whole)
            flipped[bit // 8] ^= 1 << bit % 8
            _, good = second_reader(bytes(flipped))
            self.assertFalse(good, f"bit {bit}")
            if bit % 33 == 0:
                with open(path, "wb") as file:
                    file.write(flipped)
                done = tool.run([tool.tool("fencepost"), "trace", "print", "--choices", path])
                self.assertEqual((done.returncode, done.stderr.count("\n")), (65, 1), f"bit {bit}: {done.stderr}")

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
