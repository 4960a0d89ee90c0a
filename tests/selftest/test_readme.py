#!/usr/bin/env python3
"""What README.md shows is what comes: its program, its output, its option list."""
import os
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402


class Readme(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.readme = tool.read_bytes(os.path.join(tool.ROOT, "README.md")).decode()
        self.blocks = re.findall(r"^```(\w*)\n(.*?)^```", self.readme, re.S | re.M)

    def program(self, change=None):
        source = next(text for language, text in self.blocks if language == "c")
        tool.write(os.path.join(self.folder, "tour.c"), change(source) if change else source)
        tool.must([tool.tool("oshcc"), "-fsanitize=shmem", "tour.c", "-o", "tour"], cwd=self.folder)
        return tool.run([tool.tool("oshrun"), "-n", "2", "--trace", "t.fptrace", "./tour"], cwd=self.folder)

    def shown(self, index):
        """Lines of output in the index-th block that shows a command."""
        sessions = [text for language, text in self.blocks if text.startswith("$ ")]
        return self.lines("".join(line + "\n" for line in sessions[index].splitlines() if not line.startswith("$ ")))

    @staticmethod
    def lines(text):
        """Without what the seed decides: which of the four words is read first, and so what is printed."""
        return sorted(re.sub(r"byte \d+ of|sum \d+", "", text).splitlines())

    def test_tour(self):
        done = self.program()
        self.assertEqual(done.returncode, 66)
        self.assertEqual(self.lines(done.stdout + done.stderr), self.shown(0))
        again = tool.run([tool.tool("fencepost"), "replay", "t.fptrace", "--", "./tour"], cwd=self.folder)
        self.assertEqual((again.returncode, again.stdout), (66, done.stdout))

    def test_repaired_tour(self):
        done = self.program(lambda source: source.replace("        shmem_int_atomic_set", "        shmem_fence();\n        shmem_int_atomic_set"))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.lines(done.stdout + done.stderr), self.shown(1))

    def test_options_that_are_named_are_there(self):
        offered = tool.must([tool.tool("oshrun"), "--help"]).stdout
        table = self.readme[self.readme.index("| option of `oshrun`"):self.readme.index("## The report file")]
        named = re.findall(r"`(--?[a-z][\w-]*)", table)
        self.assertGreater(len(named), 10)
        for option in named:
            self.assertRegex(offered, re.escape(option) + r"\b")

    def test_files_that_are_named_are_there(self):
        for name in re.findall(r"`((?:tools|tests|traces|include)/[\w./-]*)`", self.readme):
            self.assertTrue(os.path.exists(os.path.join(tool.ROOT, name)), name)


if __name__ == "__main__":
    tool.main()
