#!/usr/bin/env python3
"""Every program of tests/programs, recorded and replayed at 2, 8 and 64 PEs: the same status, output, report and trace, byte for byte."""
import glob
import os
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

PROGRAMS = os.path.join(tool.ROOT, "tests", "programs")
SIZES = ("2", "8", "64")
ARGUMENTS = {"launch_exit": ("exit",), "launch_images": ("alpha", "beta")}
REAL_TIME = ("launch_threads",)  # threads of its own run as the machine likes


class Programs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        os.symlink(os.path.join(PROGRAMS, "data"), os.path.join(self.folder, "data"))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def compile(self, source):
        with open(source, encoding="utf-8") as file:
            more = re.search(r"\* SOURCES: (.*)", file.read())
        sources = [source] + [os.path.join(PROGRAMS, word) for word in (more[1].split() if more else ())]
        name = os.path.splitext(os.path.basename(source))[0]
        compiler = "oshc++" if source.endswith(".cpp") else "oshcc"
        tool.must([tool.tool(compiler), "-O1", "-fsanitize=shmem", f"-DDATA=\"{PROGRAMS}/data\"", *sources, "-o",
                   os.path.join(self.folder, name)])
        return name

    def play(self, words, program, arguments):
        done = tool.run([tool.tool("fencepost"), *words[:1], "--report", "r.json", "--trace", "t.fptrace", *words[1:], "./" + program,
                         *arguments], cwd=self.folder, timeout=300)
        files = []
        for name in ("r.json", "t.fptrace"):
            path = os.path.join(self.folder, name)
            files.append(tool.read_bytes(path) if os.path.exists(path) else b"")
            if os.path.exists(path):
                os.unlink(path)
        return done.returncode, done.stdout, done.stderr.replace("again:", ""), *files

    def test_replay_is_the_run(self):
        sources = sorted(glob.glob(os.path.join(PROGRAMS, "*.c")) + glob.glob(os.path.join(PROGRAMS, "*.cpp")))
        self.assertGreater(len(sources), 8)
        for source in sources:
            if os.path.basename(source) == "gnn_frontier.c":
                continue  # a part of gnn_aggregate; the other way round it is the same program
            program = self.compile(source)
            if program in REAL_TIME:
                continue
            for npes in SIZES:
                arguments = ARGUMENTS.get(program, ())
                first = self.play(["run", "-n", npes, "--seed", "5"], program, arguments)
                with self.subTest(program=program, npes=npes):
                    self.assertTrue(first[4], first[2])
                    trace = os.path.join(self.folder, "first.fptrace")
                    with open(trace, "wb") as file:
                        file.write(first[4])
                    again = self.play(["replay", trace, "--"], program, arguments)
                    self.assertEqual([i for i in (0, 1, 3, 4) if first[i] != again[i]], [], first[2] + again[2])


if __name__ == "__main__":
    tool.main()
