"""The tools under test, for the scripts in selftest/: each is called with the folder of the tools as its argument."""
import json
import os
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BIN = os.path.join(ROOT, "build", "bin")


def tool(name):
    return os.path.join(BIN, name)


def environment(**more):
    """The caller's, without what would configure a run or choose a compiler."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("FENCEPOST_", "SHMEM_", "OSHCC_")) and k not in ("CC", "CXX")}
    return dict(clean, **more)


def run(command, cwd=None, env=None, stdin=None, timeout=120):
    """The finished process, with stdout and stderr as text."""
    return subprocess.run(command, cwd=cwd, env=env or environment(), input=stdin, capture_output=True, text=True,
                          errors="replace", timeout=timeout, check=False)


def must(command, **more):
    done = run(command, **more)
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def compile_program(out, *words):
    wrapper = "oshc++" if any(w.endswith(".cpp") for w in words) else "oshcc"
    must([tool(wrapper), *words, "-o", out])
    return out


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main():
    global BIN
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        BIN = os.path.realpath(sys.argv.pop(1))
    unittest.main(verbosity=2)
