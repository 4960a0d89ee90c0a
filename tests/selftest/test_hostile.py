#!/usr/bin/env python3
"""Programs that misbehave (tests/hostile/misbehave.c) and files that are no programs or no input: what each must get.

The table is the one of tests/hostile/MISBEHAVING.md. A run must end in time with its status, tell what is expected with the PE and the
line, keep what PE 0 printed, and leave a whole report and a trace that can be read."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

SOURCE = os.path.join(tool.ROOT, "tests", "hostile", "misbehave.c")
HANG = "hang: 1 of 2 PEs can never go on"

# name, status, verdict, what stderr says ({LABEL}: the line with that comment)
ROWS = [
    ("signal-1", 129, "findings", "PE 1 crashed: SIGHUP in misbehave (*:{RAISE})"),
    ("signal-3", 131, "findings", "PE 1 crashed: SIGQUIT in misbehave (*:{RAISE})"),
    ("signal-4", 132, "findings", "PE 1 crashed: SIGILL in misbehave (*:{RAISE})"),
    ("signal-5", 133, "findings", "PE 1 crashed: SIGTRAP in misbehave (*:{RAISE})"),
    ("signal-6", 134, "findings", "PE 1 crashed: SIGABRT in misbehave (*:{RAISE})"),
    ("signal-7", 135, "findings", "PE 1 crashed: SIGBUS * in misbehave (*:{RAISE})"),
    ("signal-8", 136, "findings", "PE 1 crashed: SIGFPE in misbehave (*:{RAISE})"),
    ("signal-10", 138, "findings", "PE 1 crashed: SIGUSR1 in misbehave (*:{RAISE})"),
    ("signal-11", 139, "findings", "PE 1 crashed: SIGSEGV * in misbehave (*:{RAISE})"),
    ("signal-14", 142, "findings", "PE 1 crashed: SIGALRM in misbehave (*:{RAISE})"),
    ("signal-31", 159, "findings", "PE 1 crashed: SIGSYS in misbehave (*:{RAISE})"),
    ("signal-34", 162, "findings", "PE 1 crashed: SIGRT in misbehave (*:{RAISE})"),
    ("signal-2", 130, "incomplete", "interrupted by a signal"),
    ("signal-13", 141, "incomplete", "interrupted by a signal"),
    ("signal-15", 143, "incomplete", "interrupted by a signal"),
    ("kill-10", 138, "findings", "PE 1 crashed: SIGUSR1 in misbehave (*:{KILL})"),
    ("null", 139, "findings", "PE 1 crashed: SIGSEGV writing address 0x8 in misbehave (*:{NULL})"),
    ("divide", 136, "findings", "PE 1 crashed: SIGFPE, integer division by zero in misbehave (*:{DIVIDE})"),
    ("illegal", 132, "findings", "PE 1 crashed: SIGILL in misbehave"),
    ("breakpoint", 133, "findings", "PE 1 crashed: SIGTRAP in misbehave"),
    ("jump-nowhere", 139, "findings", "PE 1 crashed: SIGSEGV reading address 0x8 in misbehave"),
    ("libc", 139, "findings", "PE 1 crashed: SIGSEGV reading address 0x8 in misbehave (*:{LIBC})"),
    ("stack", 139, "findings", "PE 1 crashed: SIGSEGV, stack overflow in deeper"),
    ("alternate-stack", 139, "findings", "PE 1 crashed: SIGSEGV, stack overflow in deeper"),
    ("callback", 139, "findings", "PE 1 crashed: SIGSEGV writing address 0x8 in compare_crash (*:{CALLBACK})"),
    ("exit-handler", 139, "findings", "PE 1 crashed: SIGSEGV writing address 0x8 in crash_at_exit (*:{EXIT-HANDLER})"),
    ("mask-all", 139, "findings", "PE 1 crashed: SIGSEGV writing address 0x8 in signals (*:{MASKED})"),
    ("ignore-segv", 139, "findings", "PE 1 crashed: SIGSEGV writing address 0x8 in signals (*:{IGNORED})"),
    ("close-crash", 139, "findings", "PE 1 crashed: SIGSEGV writing address 0x8 in misbehave (*:{CLOSED})"),
    ("abort", 134, "findings", "PE 1 crashed: SIGABRT in misbehave (*:{ABORT})"),
    ("run-abort", 134, "findings", "PE 1 crashed: SIGABRT in misbehave (*:{ABORT})"),
    ("exit", 66, "findings", HANG),
    ("run-exit", 66, "findings", HANG),
    ("_exit", 66, "findings", HANG),
    ("exit-0", 66, "findings", HANG),
    ("exec", 66, "findings", HANG),
    ("exec-missing", 0, "clean", ""),
    ("thread-exit", 6, "incomplete", "a thread of the program ended it"),
    ("thread-_exit", 6, "incomplete", "a thread of the program ended it"),
    ("thread-abort", 134, "findings", "a thread of PE 1 crashed: SIGABRT in thread_body"),
    ("thread-crash", 139, "findings", "a thread of PE 1 crashed: SIGSEGV writing address 0x8 in thread_body (*:{THREAD-CRASH})"),
    ("thread-api", 64, "incomplete", "shmem_long_p was called by a thread that is no PE"),
    ("exit-api", 66, "findings", "shmem_long_p was called after the last shmem_finalize"),
    ("fork-api", 0, "clean", "shmem_barrier_all was called by a thread that is no PE"),
    ("fork-return", 0, "clean", "shmem_barrier_all was called by a thread that is no PE"),
    ("fork-exec", 0, "clean", "processes that the program forks are not checked"),
    ("fork-crash", 0, "clean", "processes that the program forks are not checked"),
    ("fork-exit", 0, "clean", "processes that the program forks are not checked"),
    ("close-race", 66, "findings", "race: shmem_long_put by PE 0 and shmem_long_put by PE 1"),
    ("close-all", 0, "clean", "fencepost: clean"),
    ("close-range", 0, "clean", "fencepost: clean"),
    ("chdir", 0, "clean", ""),
    ("callback-longjmp", 0, "clean", ""),
    ("longjmp-calls", 0, "clean", "1,001 operations"),
    ("handler-longjmp", 0, "clean", ""),
    ("loop", 124, "incomplete", "the run has not ended within 1 s (--timeout), PE 1 is in misbehave"),
    ("loop-calls", 124, "incomplete", "the run has not ended within 1 s (--timeout), PE 1 is in misbehave"),
    ("loop-test", 66, "findings", "PE 1 looks again and again in shmem_long_test"),
    ("handler-returns", 124, "incomplete", "the run has not ended within 1 s (--timeout), PE 1 is in signals"),
    ("write-after-block", 66, "findings", "bad-address: memset 0 bytes behind the end of a block of 4096 bytes"),
    ("write-before-block", 66, "findings", "bad-address: memset at an address of the symmetric heap where no block ever was"),
    ("write-other-pe", 139, "findings", "PE 1 crashed: SIGSEGV writing an address that is not valid in writes (*:{OTHER})"),
    ("write-code", 139, "findings", "PE 1 crashed: SIGSEGV writing an address that is not valid in writes (*:{CODE})"),
    ("allocations", 0, "clean", ""),
]
CONSTRUCTORS = [
    ("constructor-crash", 139, "findings", "PE 0 crashed: SIGSEGV writing address 0x8 in before_main (*:{CONSTRUCTOR})"),
    ("constructor-abort", 134, "findings", "PE 0 crashed: SIGABRT in before_main"),
    ("constructor-api", 66, "findings", "shmem_barrier_all was called before shmem_init"),
    ("constructor-exit", 5, "clean", "the program's exit status is 5"),
]


def lines_of_labels():
    with open(SOURCE, encoding="utf-8") as file:
        return {m.group(1): n for n, line in enumerate(file, 1) for m in [re.search(r"/\* ([A-Z-]+) \*/$", line.rstrip())] if m}


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.program = tool.compile_program(os.path.join(cls.folder, "misbehave"), "-fsanitize=shmem", "-g", "-O1", SOURCE)
        cls.labels = lines_of_labels()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def check(self, name, status, verdict, says, env=None):
        for old in ("r.json", "t.fptrace"):
            if os.path.exists(self.path(old)):
                os.unlink(self.path(old))
        done = tool.run([tool.tool("fencepost"), "run", "-n", "2", "--timeout", "1" if status == 124 else "60", "--report", "r.json",
                         "--trace", "t.fptrace", self.program, name], cwd=self.folder, env=env, timeout=60)
        pattern = re.sub(r"\\\*", ".*", re.escape(re.sub(r"\{([A-Z-]+)\}", lambda m: str(self.labels[m.group(1)]), says)))
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertRegex(done.stderr, pattern or "fencepost: clean")
        self.assertEqual(tool.read_json(self.path("r.json"))["verdict"], verdict)
        shown = tool.run([tool.tool("fencepost"), "trace", "print", "t.fptrace"], cwd=self.folder)
        self.assertEqual((shown.returncode, shown.stdout.splitlines()[-1]), (0, "end"), shown.stderr)
        return done

    def test_programs(self):
        for name, status, verdict, says in ROWS:
            with self.subTest(name=name):
                self.assertIn("PE 0 was here\n", self.check(name, status, verdict, says).stdout)

    def test_constructors(self):
        for name, status, verdict, says in CONSTRUCTORS:
            with self.subTest(name=name):
                self.check("", status, verdict, says, tool.environment(MISBEHAVE=name))

    def test_nobody_reads(self):
        """Gigabytes into a pipe that is closed: the report and the trace are written all the same."""
        process = subprocess.Popen([tool.tool("fencepost"), "run", "-n", "2", "--report", "p.json", "--trace", "p.fptrace", self.program,
                                    "output-lines"], cwd=self.folder, env=tool.environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process.stdout.read(10)
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), 141)
        self.assertEqual(tool.read_json(self.path("p.json"))["verdict"], "incomplete")
        tool.must([tool.tool("fencepost"), "trace", "print", self.path("p.fptrace")])


if __name__ == "__main__":
    tool.main()
