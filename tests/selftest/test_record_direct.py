#!/usr/bin/env python3
"""`fencepost run --trace` of a program of the direct backend: what its PEs called is recorded, one file a PE, merged, and judged
offline. A racy program that printed the right answer at the machine's speed is reported from its trace; a right one stays clean."""
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
FAKE = os.path.join(os.path.dirname(tool.BIN), "tests", "fake_cuda")  # a driver for machines without a GPU
GPU = os.path.join(os.path.dirname(tool.BIN), "lib", "libfencepost_gpu.so")
ENDS = """#include <shmem.h>
#include <stdlib.h>
static long word;
int main(int argc, char **argv)
{
    shmem_init();
    long one = 1;
    if (argc > 1 && shmem_my_pe() == 1)
        shmem_long_put(&word, &one, 1, 99);
    shmem_long_put(&word, &one, 1, 0);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        shmem_global_exit(7);
    shmem_barrier_all();
    return 0;
}
"""
TEAMS = """#include <shmem.h>
#include <stdio.h>
static long sum, word, back, flags[8], box[8];
int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_team_t odd = SHMEM_TEAM_INVALID;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, n / 2, NULL, 0, &odd);
    long one = 1 + me;
    if (me == 1) /* PE 3 by its number in the team */
        shmem_long_put(&word, &one, 1, 3);
    if (odd != SHMEM_TEAM_INVALID) {
        shmem_quiet();
        shmem_team_sync(odd);
        if (me == 3)
            shmem_long_get(&back, &word, 1, 3);
        shmem_ctx_t ctx;
        shmem_team_create_ctx(odd, 0, &ctx);
        shmem_ctx_long_atomic_inc(ctx, &box[me], (shmem_team_my_pe(odd) + 1) % (n / 2));
        shmem_ctx_destroy(ctx);
    }
    shmem_long_put(&box[0], &one, 1, me);
    shmem_quiet();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &box[0], 1);
    if (me == 0) {
        for (int pe = 1; pe < n; pe++) {
            long zero = 0;
            shmem_long_put(&box[2], &zero, 1, pe);
            shmem_fence();
            shmem_long_atomic_set(&flags[0], 1, pe);
        }
    } else {
        shmem_long_wait_until_any(flags, 1, NULL, SHMEM_CMP_EQ, 1);
        shmem_long_get(&back, &box[2], 1, me);
    }
    shmem_sync_all();
    if (me == 0)
        printf("sum %ld\\n", sum);
    if (odd != SHMEM_TEAM_INVALID)
        shmem_team_destroy(odd);
    shmem_finalize();
    return 0;
}
"""


class RecordDirect(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.program, cls.ends, cls.teams = (os.path.join(cls.folder, name) for name in ("elsewhere", "ends", "teams"))
        for program, text in ((cls.ends, ENDS), (cls.teams, TEAMS)):
            with open(program + ".c", "w", encoding="utf-8") as file:
                file.write(text)
        for path, program in ((os.path.join(HERE, "elsewhere.c"), cls.program), (cls.ends + ".c", cls.ends), (cls.teams + ".c", cls.teams)):
            tool.must([tool.tool("oshcc"), "--backend=direct", "-g", path, "-o", program])

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def record(self, npes, *command, launcher="fencepost", **env):
        trace = os.path.join(self.folder, "run.fptrace")
        if os.path.exists(trace):
            os.unlink(trace)
        words = ["oshrun"] if launcher == "oshrun" else ["fencepost", "run", "--trace", trace]
        if launcher == "oshrun":
            env["FENCEPOST_TRACE"] = trace
        done = tool.run([tool.tool(words[0]), *words[1:], "-n", str(npes), *command], env=tool.environment(**env))
        left = [name for name in os.listdir(self.folder) if "part" in name]
        self.assertEqual(left, [], "files of single PEs stay behind")
        return done, trace

    @staticmethod
    def fencepost(*words):
        return tool.run([tool.tool("fencepost"), *words])

    def test_a_race_that_did_not_show(self):
        for launcher in ("fencepost", "oshrun"):
            done, trace = self.record(2, self.program, launcher=launcher)
            self.assertEqual((done.returncode, done.stdout), (0, "sum 50\n"), done.stderr)
            judged = self.fencepost("replay", "--net", "reorder", trace)
            self.assertEqual(judged.returncode, 66, judged.stderr)
            self.assertIn("race: shmem_int_put by PE 0", judged.stderr)
            self.assertRegex(judged.stderr, r"elsewhere\.c:17 in main")
            self.assertRegex(judged.stderr, r"elsewhere\.c:23 in main")  # of PE 1, which has an image of its own
            self.assertIn("object: data on PE 1", judged.stderr)
            self.assertIn("not in the recording: plain loads and stores", judged.stderr)

    def test_a_right_program_is_clean(self):
        for npes in (2, 8):
            done, trace = self.record(npes, self.program, "fence")
            self.assertEqual((done.returncode, done.stdout), (0, "sum 50\n"), done.stderr)
            for chooser in ("timed", "adversarial", "random"):
                judged = self.fencepost("replay", "--net", "reorder", "--chooser", chooser, trace)
                self.assertEqual(judged.returncode, 0, judged.stderr)

    def test_teams_and_waits_for_one_of_several_order(self):
        done, trace = self.record(8, self.teams)
        self.assertEqual((done.returncode, done.stdout), (0, "sum 36\n"), done.stderr)
        for chooser in ("timed", "adversarial"):
            judged = self.fencepost("replay", "--net", "reorder", "--chooser", chooser, trace)
            self.assertEqual(judged.returncode, 0, judged.stderr)

    def test_it_is_a_trace_like_any_other(self):
        _, trace = self.record(2, self.program)
        self.assertIn("header recorder: direct", self.fencepost("trace", "print", trace).stdout)
        stats = self.fencepost("trace", "stats", trace)
        self.assertIn("5 operations", stats.stdout)
        for form in ("html", "perfetto"):
            out = os.path.join(self.folder, "out." + form)
            tool.must([tool.tool("fencepost"), "trace", "export", "--format=" + form, "-o", out, trace])
            self.assertGreater(os.path.getsize(out), 500)
        other = tool.must([sys.executable, os.path.join(tool.ROOT, "tools", "read_trace.py"), trace]).stdout
        self.assertEqual(other, self.fencepost("trace", "print", trace).stdout)

    def test_the_end_is_the_program_s(self):
        done, trace = self.record(2, self.ends)
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertIn("issue shmem_long_put", self.fencepost("trace", "print", trace).stdout)
        done, trace = self.record(2, self.ends, "wrong")
        self.assertEqual(done.returncode, 66, done.stderr)
        self.assertRegex(done.stderr, r"ends\.c:9")  # the program's line, not the recorder's

    @unittest.skipUnless(os.path.isdir(FAKE) and os.path.exists(GPU), "the GPU backend was not built")
    def test_the_gpu_backend_too(self):
        with open(os.path.join(HERE, "elsewhere.c"), encoding="utf-8") as file:
            text = file.read()
        changed = text.replace("shmem_malloc(sizeof *counter);\n    *counter = 0;", "shmem_calloc(1, sizeof *counter);\n")
        self.assertNotEqual(text, changed)  # the CPU does not touch the heap
        program = os.path.join(self.folder, "gpu")
        with open(program + ".c", "w", encoding="utf-8") as file:
            file.write(changed)
        tool.must([tool.tool("oshcc"), "--backend=gpu", "-g", program + ".c", "-o", program])
        done, trace = self.record(2, program, LD_LIBRARY_PATH=FAKE)
        self.assertEqual((done.returncode, done.stdout), (0, "sum 50\n"), done.stderr)
        judged = self.fencepost("replay", "--net", "reorder", trace)
        self.assertEqual(judged.returncode, 66, judged.stderr)
        self.assertIn("object: data on PE 1", judged.stderr)
        self.assertIn("not in the recording: what GPU kernels call", judged.stderr)

    def test_without_the_tool_it_is_told(self):
        env = tool.environment(FENCEPOST_NPES="2", FENCEPOST_TRACE=os.path.join(self.folder, "none"))
        done = tool.run([self.program, "fence"], env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("fencepost run --trace", done.stderr)


if __name__ == "__main__":
    tool.main()
