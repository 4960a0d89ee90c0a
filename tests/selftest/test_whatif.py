#!/usr/bin/env python3
"""A recorded run is issued again without its program: on another network, by other choosers. What was right stays clean, what was
wrong is found although the recording may have been lucky, and the predicted time stands beside the recorded one."""
import os
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
CORRECT = ("halo", "collectives", "shmem_locks", "signal_fetch_poll", "work_stealing", "spin_lock", "wait_sets", "contexts",
           "realloc_growth", "phases", "bounded_buffer", "strided")
OTHERS = (("--net", "ib-ndr"), ("--chooser", "adversarial", "--net", "reorder"), ("--chooser", "random", "--seed", "7"))


class WhatIf(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def compile(self, source, *flags):
        name = os.path.splitext(os.path.basename(source))[0]
        return tool.compile_program(os.path.join(self.folder, name), "-g", "-O1", *flags, source)

    def record(self, program, *words):
        trace = os.path.join(self.folder, "t.fptrace")
        done = tool.run([tool.tool("fencepost"), "run", "--no-footer", "--trace", trace, *words, program])
        return trace, done

    def replay(self, trace, *words):
        return tool.run([tool.tool("fencepost"), "replay", *words, trace])

    def test_right_programs_stay_clean(self):
        recorded = 0  # some are for 2 PEs alone
        for name in CORRECT:
            program = self.compile(os.path.join(HERE, "..", "correct", name + ".c"), "-fsanitize=shmem")
            for chooser in ("adversarial", "timed"):
                trace, done = self.record(program, "-n", "4", "--chooser", chooser)
                recorded += done.returncode == 0
                for words in OTHERS if done.returncode == 0 else ():
                    with self.subTest(program=name, recorded=chooser, replayed=words):
                        again = self.replay(trace, *words)
                        self.assertEqual(again.returncode, 0, again.stderr)
                        self.assertNotIn("left out", again.stderr)
        self.assertGreater(recorded, 14)

    def test_a_lucky_recording_shows_the_race(self):
        program = self.compile(os.path.join(HERE, "racy.c"), "-fsanitize=shmem")
        trace, done = self.record(program, "-n", "2", "--net", "ideal", "--no-check")  # prints the right answer, and nobody looked
        self.assertEqual((done.returncode, done.stdout), (0, "50\n"))
        again = self.replay(trace, "--net", "reorder")
        self.assertEqual(again.returncode, 66, again.stderr)
        self.assertRegex(again.stderr, r"race: shmem_int_put by PE 0 is not ordered before load by PE 1")
        self.assertRegex(again.stderr, r"racy\.c:14 in main")
        self.assertIn("object: data on PE 1", again.stderr)

    def test_time(self):
        program = self.compile(os.path.join(HERE, "timed.c"))
        trace, _ = self.record(program, "-n", "2", "--net", "roce-100g", "--chooser", "timed")
        same = re.search(r"predicted ([\d.]+) us, recorded ([\d.]+) us", self.replay(trace).stderr)
        self.assertAlmostEqual(float(same[1]), float(same[2]), delta=1.0)
        other = re.search(r"predicted ([\d.]+) us, recorded ([\d.]+) us", self.replay(trace, "--net", "shared-memory").stderr)
        self.assertLess(float(other[1]) * 5, float(other[2]))
        self.assertIn("critical path", self.replay(trace, "--time").stderr)

    def test_bytes_between_those_touched(self):
        """A loop over the inside of a grid leaves its rim alone, and puts to the rim are no race."""
        program = self.compile(os.path.join(HERE, "..", "correct", "halo_2d.c"), "-fsanitize=shmem")
        trace, done = self.record(program, "-n", "6")
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in OTHERS:
            again = self.replay(trace, *words)
            self.assertEqual(again.returncode, 0, again.stderr)

    def test_teams_of_the_same_members_one_after_the_other(self):
        source = os.path.join(self.folder, "teams.c")
        tool.write(source, """#include <shmem.h>
            static long source[2], sum[2], all[8];
            int main(void) {
                shmem_init();
                for (int round = 0; round < 4; round++) {
                    shmem_team_t team;
                    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &team);
                    if (team == SHMEM_TEAM_INVALID)
                        continue;
                    shmem_team_sync(team);
                    source[0] = round;
                    shmem_long_sum_reduce(team, sum, source, 1);
                    shmem_long_fcollect(team, all, source, 1);
                    shmem_team_sync(team);
                    shmem_team_destroy(team);
                }
                shmem_finalize(); }""")
        trace, done = self.record(self.compile(source, "-fsanitize=shmem"), "-n", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in OTHERS:
            again = self.replay(trace, *words)
            self.assertEqual(again.returncode, 0, again.stderr)

    def test_an_allocation_that_failed(self):
        source = os.path.join(self.folder, "greedy.c")
        tool.write(source, """#include <shmem.h>
            int main(void) { shmem_init(); void *p = shmem_calloc(1ul << 50, 1); shmem_barrier_all(); shmem_finalize(); return p != 0; }""")
        trace, done = self.record(self.compile(source), "-n", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        again = self.replay(trace)
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_what_only_the_recording_found(self):
        source = os.path.join(self.folder, "stuck.c")
        tool.write(source, """#include <shmem.h>
            static int flag;
            int main(void) { shmem_init(); shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1); shmem_finalize(); return 0; }""")
        trace, done = self.record(self.compile(source), "-n", "2")
        self.assertEqual(done.returncode, 66, done.stderr)
        again = self.replay(trace)
        self.assertNotIn("clean", again.stderr)
        self.assertIn("found by the recording, and not by this replay: hang: 2 of 2 PEs", again.stderr)

    def test_what_cannot_be_replayed(self):
        corpus = os.path.join(tool.ROOT, "traces", "corpus", "locks_crosswise.fptrace")
        done = self.replay(corpus)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (65, 1), done.stderr)
        self.assertIn("version 1", done.stderr)


if __name__ == "__main__":
    tool.main()
