"""A run with everything that it leaves: output, report, trace."""
import os
import tempfile

from harness import tool


class Recorded:
    """What one run left. Runs in a folder of its own under fixed file names, since the report names the trace."""

    def __init__(self, command, program_arguments, options, env=None, statuses=(0, 66)):
        with tempfile.TemporaryDirectory() as folder:
            done = tool.run([tool.tool("fencepost"), *command, *options, "--report", "report.json", "--trace", "run.fptrace",
                             *program_arguments], cwd=folder, env=env)
            if done.returncode not in statuses:
                raise AssertionError(f"{command} {options} {program_arguments}: status {done.returncode}\n{done.stdout}{done.stderr}")
            self.status, self.stdout, self.stderr = done.returncode, done.stdout, done.stderr
            self.report = tool.read_bytes(os.path.join(folder, "report.json"))
            self.trace = tool.read_bytes(os.path.join(folder, "run.fptrace"))

    def differs(self, other):
        """The parts in which two runs differ; none if they are the same run."""
        return [part for part in ("status", "stdout", "stderr", "report", "trace")
                if getattr(self, part) != getattr(other, part)]


def run(program, *options, arguments=(), env=None):
    return Recorded(["run"], [program, *arguments], options, env)


def replay(trace, program, *options, arguments=(), env=None):
    return Recorded(["replay"], [trace, "--", program, *arguments], options, env)
