"""Runs test files with unittest, each in a process of its own, and reports every case: the main program of a test sandbox.

Each file's suite begins and ends with two canaries, which go through the same suite and result as the file's own tests.
"""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_run import Run, enter_project, enter_virtualenv, exit_now, look_ordinary  # noqa: E402
from unittest_cases import Recorder, between_canaries, finish, load  # noqa: E402

# The project may have modules of the same names.
del sys.path[0], sys.modules["python_run"], sys.modules["unittest_cases"]


def run_file(run, index):
    enter_project(run)
    path = run.files[index]
    look_ordinary(["python3", "-m", "unittest", path])
    top = run.options.get("top")
    if top:
        sys.path.insert(0, top)
    loader = unittest.TestLoader()
    run.report("begin", index=index)
    result = Recorder(run, index)
    own = unittest.TestSuite()
    try:
        module = load(path, top)
        own.addTests(loader.loadTestsFromModule(module))
        if loader.errors:
            raise RuntimeError(loader.errors[0])
    except KeyboardInterrupt:
        raise
    except unittest.SkipTest:
        # A file that skips itself has no cases.
        own = unittest.TestSuite()
    except BaseException as error:
        run.report_load_failure(index, error)
        own = unittest.TestSuite()
    suite = between_canaries(own, result)
    try:
        suite.run(result)
    except BaseException as error:
        run.report("crash", index=index, message=f"{type(error).__name__}: {error}")
    finish(result)


def main():
    run = Run()
    look_ordinary(["python3", "-m", "unittest"])
    enter_virtualenv(run)
    run.each_in_a_process(lambda index: run_file(run, index))


if __name__ == "__main__":
    main()
    # The canaries fail in every run. No exit hook of the project can change this exit code.
    exit_now(1)
