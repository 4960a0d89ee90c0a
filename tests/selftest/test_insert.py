#!/usr/bin/env python3
"""--insert runs a program as if it had one more call; --verify-repairs tries what findings suggest and says what came of it."""
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

SOURCE = """#include <shmem.h>
static int data, flag, more;
int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    shmem_ctx_t ctx, other;
    shmem_ctx_create(0, &other);
    shmem_ctx_create(0, &ctx);
    if (me == 0) {
#ifdef CTX
        shmem_ctx_int_p(ctx, &data, 1, 1);
        shmem_ctx_int_atomic_set(ctx, &flag, 1, 1); // line 13
#else
        shmem_int_p(&data, 1, 1);
        shmem_int_atomic_set(&flag, 1, 1); // line 16
#endif
    } else {
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
        data++; // line 20
    }
    shmem_int_p(&more, me, 1 - me);
    int seen = more; // line 23
    shmem_ctx_destroy(ctx);
    shmem_ctx_destroy(other);
    shmem_barrier_all();
    shmem_finalize();
    return seen > 1;
}
"""


class Insert(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        source = tool.write(self.path("prog.c"), SOURCE)
        self.program = tool.compile_program(self.path("prog"), "-fsanitize=shmem", "-O1", source)
        self.with_context = tool.compile_program(self.path("ctx"), "-fsanitize=shmem", "-O1", "-DCTX", source)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_it(self, program, *options):
        report = self.path("report.json")
        if os.path.exists(report):
            os.unlink(report)
        done = tool.run([tool.tool("fencepost"), "run", "-n", "2", "--report", report, *options, program])
        return done, tool.read_json(report) if os.path.exists(report) else None

    def objects(self, program, *options):
        return sorted({f["object"]["name"] for f in self.run_it(program, *options)[1]["findings"]})

    def test_a_call_before_a_line(self):
        self.assertEqual(self.objects(self.program), ["data", "more"])
        for insert, left in (("shmem_fence@prog.c:16", ["more"]), ("shmem_quiet@prog.c:16", ["more"]),
                             ("shmem_fence@prog.c:15", ["data", "more"]), ("shmem_fence@other.c:16", ["data", "more"]),
                             ("shmem_ctx_quiet@prog.c:16", ["data", "more"]), ("shmem_quiet@prog.c:20", ["data", "more"]),
                             ("shmem_sync_all@prog.c:23", ["data", "more"]), ("shmem_barrier_all@prog.c:23", ["data"])):
            with self.subTest(insert=insert):
                self.assertEqual(self.objects(self.program, "--insert", insert), left)

    def test_a_context(self):
        for insert, left in (("shmem_ctx_fence@prog.c:13", ["more"]), ("shmem_ctx_fence#3@prog.c:13", ["more"]),
                             ("shmem_ctx_quiet#2@prog.c:13", ["data", "more"]), ("shmem_fence@prog.c:13", ["data", "more"])):
            with self.subTest(insert=insert):
                self.assertEqual(self.objects(self.with_context, "--insert", insert), left)

    def test_repairs_are_verified(self):
        for program, wanted in ((self.program, "shmem_fence@"), (self.with_context, "shmem_ctx_fence#3@")):
            done, report = self.run_it(program, "--verify-repairs")
            self.assertEqual(done.returncode, 66)
            found = {f["object"]["name"]: f for f in report["findings"]}
            self.assertTrue(found["data"]["insert"].startswith(wanted), found["data"]["insert"])
            self.assertIs(found["data"]["verified"], True)
            self.assertNotIn("insert", found["more"])
            self.assertIn("the race on data is gone: repair verified", done.stderr)

    def test_it_is_the_same_run_otherwise(self):
        plain, again = self.run_it(self.program)[0], self.run_it(self.program, "--verify-repairs")[0]
        self.assertTrue(again.stderr.startswith(plain.stderr))
        self.assertIn("--insert shmem_fence@prog.c:15", self.run_it(self.program, "--insert", "shmem_fence@prog.c:15")[0].stderr)

    def test_wrong_words(self):
        for insert in ("shmem_fnce@a.c:1", "shmem_fence", "shmem_fence@a.c", "shmem_fence@a.c:x", "shmem_fence@:3", "@a.c:3"):
            with self.subTest(insert=insert):
                done, report = self.run_it(self.program, "--insert", insert)
                self.assertIn("is not of the form CALL@FILE:LINE", done.stderr)
                self.assertNotIn(done.returncode, (0, 66))
                self.assertIsNone(report)


if __name__ == "__main__":
    tool.main()
