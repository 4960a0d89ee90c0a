#!/usr/bin/env python3
"""Readers of files from anywhere, fed with what nobody would write: traces and network files, by libFuzzer under the address and the
undefined-behaviour sanitizer. A few seconds each here; more by hand:

    tests/selftest/test_fuzz.py build/bin --seconds 600

Inputs that once crashed are in fuzz/crashes and are run every time."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

sys.path.insert(0, os.path.join(tool.ROOT, "tools"))
sys.dont_write_bytecode = True
import read_trace  # noqa: E402

HERE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "fuzz")
SECONDS = 5
READERS = ["tools/trace_print.c", "tools/trace_stats.c", "tools/trace_diff.c", "tools/trace_export.c", "tools/export_html.c",
           "tools/export_json.c", "tools/export_perfetto.c", "tools/view/view.S", "tools/story.c", "tools/story_result.c",
           "tools/story_words.c", "tools/text.c", "tools/nearest.c", "tools/output.c", "traces/*.c"]
NETS = {"preset": b"preset = ib-ndr\ntopology = fat-tree\nnodes_per_switch = 4\nup_links = 2\nhop_ns = 9\n", "keys": b"# a network\noverhead_ns = 100\nlatency_ns = 900\nsplit_max = 3\nreorder = 0\n",
        "pairs": b"latency_ns = 5\npair 0 * latency_ns = 40\npair * 1 bandwidth = 1\n"}


WORDS = ("finding-access", "finding-object", "finding-source", "event", "call", "site", "flags", "coll", "npes", "version", "internal",
         "signal", "preset", "topology", "dragonfly", "pes_per_node", "pair", "latency_ns", "bandwidth", "\\x00", "\\x09")


def have_libfuzzer():
    if not shutil.which("clang"):
        return False
    with tempfile.TemporaryDirectory() as folder:
        source = tool.write(os.path.join(folder, "x.c"), "int LLVMFuzzerTestOneInput(const char *b, unsigned long n)\n{\n    return 0;\n}\n")
        return tool.run(["clang", "-fsanitize=fuzzer,address", source, "-o", os.path.join(folder, "x")]).returncode == 0


def blocks_as_input(trace, command):
    """A trace in the form that fuzz_trace.c packs."""
    return bytes([8 + command]) + b"".join(bytes([type_]) + len(payload[:65535]).to_bytes(2, "little") + payload[:65535]
                              for type_, payload in read_trace.blocks(trace))


@unittest.skipUnless(have_libfuzzer(), "no clang with libFuzzer here: nothing is fuzzed (apt-get install clang)")
class Fuzz(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def build(self, name, sources):
        """Each source by itself, several at a time."""
        objects = os.path.join(self.folder, name)
        os.mkdir(objects)
        flags = ["-std=gnu11", "-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all",
                 "-D_GNU_SOURCE", "-I" + tool.ROOT, "-I" + os.path.join(tool.ROOT, "include"), "-Wa,-I" + os.path.join(tool.ROOT, "tools", "view")]
        paths = [p for s in sources for p in sorted(glob.glob(os.path.join(tool.ROOT, s)))] + [os.path.join(HERE, name + ".c")]
        running = []
        for path in paths:
            if len(running) >= (os.cpu_count() or 1):
                self.assertEqual(running.pop(0).wait(), 0)
            out = os.path.join(objects, os.path.basename(path) + ".o")
            assembly = ["-fno-sanitize=all"] if path.endswith(".S") else []
            running.append(subprocess.Popen(["clang", *flags, *assembly, "-c", path, "-o", out]))
        for process in running:
            self.assertEqual(process.wait(), 0)
        binary = os.path.join(self.folder, name + ".bin")
        tool.must(["clang", "-fsanitize=fuzzer,address,undefined", *sorted(glob.glob(objects + "/*.o")), "-lzstd", "-lxxhash", "-lm", "-o", binary])
        return binary

    def fuzz(self, binary, name, seeds, most_bytes):
        corpus, artifacts = (os.path.join(self.folder, name + end) for end in (".corpus", ".artifacts"))
        os.mkdir(corpus)
        os.mkdir(artifacts)
        for key, data in seeds.items():
            with open(os.path.join(corpus, key), "wb") as file:
                file.write(data)
        words = tool.write(os.path.join(self.folder, "words"), "".join(f'"{w}"\n' for w in WORDS))
        crashes = sorted(glob.glob(os.path.join(HERE, "crashes", name + "-*")))
        if crashes:
            done = tool.run([binary, "-close_fd_mask=3", *crashes], cwd=artifacts)
            self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        done = tool.run([binary, "-close_fd_mask=3", f"-max_total_time={SECONDS}", f"-max_len={most_bytes}", "-timeout=20", "-rss_limit_mb=3000",
                         "-print_final_stats=1", "-seed=1", "-dict=" + words, f"-artifact_prefix={artifacts}/", corpus], cwd=artifacts, timeout=SECONDS + 300)
        if done.returncode:
            for path in glob.glob(artifacts + "/*"):
                shutil.copy(path, tempfile.gettempdir())
        self.assertEqual(done.returncode, 0, done.stderr[-6000:] + "\nthe input is in " + tempfile.gettempdir())
        count = int(re.search(r"number_of_executed_units: *(\d+)", done.stderr)[1])
        coverage = re.findall(r"cov: (\d+)", done.stderr)[-1]
        print(f"{name}: {count} executions in {SECONDS} s, coverage {coverage}", file=sys.stderr)
        self.assertGreater(count, 100)

    def test_trace(self):
        seeds = {}
        for path in glob.glob(os.path.join(tool.ROOT, "traces", "corpus", "*.fptrace")):
            seeds[os.path.basename(path)] = b"\x00" + tool.read_bytes(path)
        here = os.path.dirname(HERE)
        for source in ("racy.c", "mixed.c"):
            program = tool.compile_program(os.path.join(self.folder, source + ".bin"), "-fsanitize=shmem", os.path.join(here, source))
            trace = os.path.join(self.folder, source + ".fptrace")
            tool.run([tool.tool("fencepost"), "run", "-n", "2", "--trace", trace, program])
            seeds.update({f"{source}-{k}": blocks_as_input(tool.read_bytes(trace), k) for k in range(6)})
        self.fuzz(self.build("fuzz_trace", READERS), "fuzz_trace", seeds, 6000)

    def test_net(self):
        self.fuzz(self.build("fuzz_net", ["sim/net.c", "sim/net_presets.c"]), "fuzz_net", NETS, 2000)


if __name__ == "__main__":
    if "--seconds" in sys.argv:
        at = sys.argv.index("--seconds")
        SECONDS = int(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    tool.main()
