"""Runs programs of Python, each in a fork of this interpreter: `python_forks.py MODULE`, then a JSON object a line on stdin for each run.

The answer to a run is a JSON object on stdout. A fork goes on as the program does, down to the end of the interpreter.
"""

import importlib
import json
import os
import runpy
import select
import signal
import sys


def lines():
    rest = b""
    while True:
        part = os.read(0, 1 << 20)
        if not part:
            return
        *whole, rest = (rest + part).split(b"\n")
        yield from whole


def serve():
    """Returns in a fork, with its job."""
    for line in lines():
        job = json.loads(line)
        pid = os.fork()
        if pid == 0:
            return job
        watched = os.pidfd_open(pid)
        ready, _, _ = select.select([watched], [], [], job["deadline_s"])
        if not ready:
            os.kill(pid, signal.SIGKILL)
        os.close(watched)
        _, status = os.waitpid(pid, 0)
        answer = {"status": os.waitstatus_to_exitcode(status), "killed": not ready}
        os.write(1, json.dumps(answer).encode() + b"\n")
    os._exit(0)


def become(job):
    """Standard streams, directory, arguments and environment of a process of its own."""
    for target, path, flags in (
        (0, f"{job['output']}.in", os.O_RDONLY),
        (1, f"{job['output']}.out", os.O_WRONLY | os.O_CREAT),
        (2, f"{job['output']}.err", os.O_WRONLY | os.O_CREAT),
    ):
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, target)
        os.close(opened)
    os.environ.clear()
    os.environ.update(job["env"])
    os.chdir(job["cwd"])
    sys.argv = job["argv"]


importlib.import_module(sys.argv[1])
become(serve())
runpy.run_path(sys.argv[0], run_name="__main__")
