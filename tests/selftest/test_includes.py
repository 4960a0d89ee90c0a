#!/usr/bin/env python3
"""Which folder may include what (the house: README.md). A seam that is crossed once is soon no seam."""
import io
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

MAY_INCLUDE = {
    "include": {"include"},
    "reference": {"include", "reference"},
    "sim": {"include", "reference", "traces", "sim"},
    "gpu_backend": {"include", "reference", "gpu_backend"},
    "traces": {"traces"},
    "tools": {"tools", "sim", "traces", "include"},
}
# traces/ has to be readable without the rest: the C library, zstd and xxhash only.
NOT_IN_TRACES = {"libunwind.h", "elfutils/libdw.h", "elfutils/libdwfl.h", "libelf.h", "gelf.h", "cjson/cJSON.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def sources(folder):
    for where, _, names in os.walk(os.path.join(tool.ROOT, folder)):
        for name in sorted(names):
            if name.endswith((".c", ".h", ".S", ".cu", ".cuh", ".inc")):
                yield os.path.join(where, name)


def resolve(source, name):
    """The folder of the house in which an included file lies, or None where it is not ours."""
    for base in (os.path.dirname(source), tool.ROOT, os.path.join(tool.ROOT, "include")):
        path = os.path.normpath(os.path.join(base, name))
        if os.path.exists(path) and path.startswith(tool.ROOT + os.sep):
            return os.path.relpath(path, tool.ROOT).split(os.sep)[0]
    return None


class Includes(unittest.TestCase):
    def test_folders_include_only_what_they_may(self):
        wrong, seen = [], 0
        for folder, allowed in MAY_INCLUDE.items():
            for source in sources(folder):
                with open(source, encoding="utf-8") as file:
                    for number, line in enumerate(file, 1):
                        include = INCLUDE.match(line)
                        if not include:
                            continue
                        seen += 1
                        into = resolve(source, include[2])
                        place = f"{os.path.relpath(source, tool.ROOT)}:{number}: {include[2]}"
                        if into is None and include[1] == '"':
                            wrong.append(f"{place} is not there")
                        elif into is not None and into not in allowed:
                            wrong.append(f"{place} is in {into}/, which {folder}/ may not include")
                        elif folder == "traces" and include[2] in NOT_IN_TRACES:
                            wrong.append(f"{place}: traces/ has the C library, zstd and xxhash only")
        self.assertGreater(seen, 0)
        self.assertEqual(wrong, [])

    def test_public_headers_compile_alone(self):
        headers = os.path.join(tool.ROOT, "include")
        for name in sorted(os.listdir(headers)):
            with open(os.path.join(headers, name), encoding="utf-8") if name.endswith(".h") else io.StringIO() as file:
                opening = file.read(600)
            # A part of shmem.h (with its macros) says so, and is compiled with it.
            if not name.endswith(".h") or "Included by shmem.h" in opening:
                continue
            for compiler, language in (("gcc", "c"), ("g++", "c++")):
                with self.subTest(header=name, language=language):
                    done = tool.run([compiler, "-x", language, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", headers, "-"],
                                    stdin=f'#include "{name}"\n')
                    self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    tool.main()
