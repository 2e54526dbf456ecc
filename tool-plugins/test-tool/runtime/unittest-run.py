"""Runs test files with unittest and reports every case: the main program of a test sandbox, `unittest-run.py RUN_JSON`.

Each file's suite ends with two canaries, which go through the same suite and result as the file's own tests.
"""

import importlib
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_run import Run, clock, enter_project, exit_now, failure_of, must_fail, must_hold  # noqa: E402

# The project may have a module of the same name.
del sys.path[0], sys.modules["python_run"]


def name_of(test):
    """`Class > method`; a fixture of a class or module has the name that unittest gives it."""
    method = getattr(test, "_testMethodName", None)
    if method is None:
        return f"({test.id()})"
    return " > ".join([*type(test).__qualname__.split("."), method])


class Recorder(unittest.TextTestResult):
    """Reports a case once it is over. Its result is the worst one of the test, its fixtures and its subtests."""

    RANK = ("passed", "skipped", "todo", "failed")

    def __init__(self, run, index, stream):
        super().__init__(stream, descriptions=False, verbosity=1)
        self._run = run
        self._index = index
        self._outcomes = {}

    def startTest(self, test):
        self._outcomes[id(test)] = {"since": clock(), "status": None, "error": None}
        super().startTest(test)

    def stopTest(self, test):
        outcome = self._outcomes.pop(id(test))
        status = outcome["status"] or "failed"
        name = name_of(test)
        if isinstance(test, Canary):
            self._run.report("canary", index=self._index, name=test.canary, status=status)
        else:
            fields = {} if outcome["error"] is None else {"failure": failure_of(outcome["error"])}
            duration = max(0.0, (clock() - outcome["since"]) * 1000)
            self._run.report("case", index=self._index, name=name, status=status, duration_ms=duration, **fields)
        super().stopTest(test)

    def _note(self, test, status, error=None):
        test = getattr(test, "test_case", test)
        outcome = self._outcomes.get(id(test))
        if outcome is None:
            failure = {} if error is None else {"failure": failure_of(error)}
            self._run.report("case", index=self._index, name=name_of(test), status=status, duration_ms=0, **failure)
            return
        before = outcome["status"]
        if before is None or self.RANK.index(status) > self.RANK.index(before):
            outcome["status"] = status
            outcome["error"] = error

    def addSuccess(self, test):
        self._note(test, "passed")
        super().addSuccess(test)

    def addFailure(self, test, err):
        self._note(test, "failed", err[1])
        super().addFailure(test, err)

    def addError(self, test, err):
        self._note(test, "failed", err[1])
        super().addError(test, err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self._note(test, "failed", err[1])
        super().addSubTest(test, subtest, err)

    def addSkip(self, test, reason):
        self._note(test, "skipped")
        super().addSkip(test, reason)

    def addExpectedFailure(self, test, err):
        self._note(test, "todo")
        super().addExpectedFailure(test, err)

    def addUnexpectedSuccess(self, test):
        self._note(test, "failed", AssertionError("it is marked as an expected failure, but passed"))
        super().addUnexpectedSuccess(test)


class Canary(unittest.TestCase):
    def __init__(self, name, body):
        super().__init__("runTest")
        self.canary = name
        self._body = body

    def runTest(self):
        self._body(self)

    def shortDescription(self):
        return None


def load(path, top):
    """The module of a test file, named from the nearest directory that is no package (or from `top`), as discovery names it."""
    base = os.path.dirname(path)
    while os.path.isfile(os.path.join(base, "__init__.py")) and base != top:
        base = os.path.dirname(base)
    if base not in sys.path:
        sys.path.insert(1, base)
    name = os.path.splitext(os.path.relpath(path, base))[0].replace(os.sep, ".")
    module = importlib.import_module(name)
    found = os.path.realpath(module.__file__ or "")
    if found != os.path.realpath(path):
        raise RuntimeError(f"the module {name} was taken from {found}: two files have the same module name")
    return module


class Output:
    """Where unittest prints its own text about the run, for people."""

    def __init__(self):
        self._stream = sys.stderr

    def write(self, text):
        self._stream.write(text)

    def writeln(self, text=None):
        self._stream.write(f"{text or ''}\n")

    def flush(self):
        self._stream.flush()


def main(run):
    enter_project(run)
    top = run.options.get("top")
    if top:
        sys.path.insert(0, top)
    loader = unittest.TestLoader()
    stream = Output()
    for index, path in enumerate(run.files):
        run.report("begin", index=index)
        suite = unittest.TestSuite()
        result = Recorder(run, index, stream)
        try:
            loader.errors.clear()
            module = load(path, top)
            suite.addTests(loader.loadTestsFromModule(module))
            if loader.errors:
                raise RuntimeError(loader.errors[0])
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            run.report_load_failure(index, error)
            suite = unittest.TestSuite()
        suite.addTest(Canary(run.canary(index, "pass"), must_hold))
        suite.addTest(Canary(run.canary(index, "fail"), must_fail))
        try:
            suite.run(result)
        except BaseException as error:
            run.report("crash", index=index, message=f"{type(error).__name__}: {error}")
        result.printErrors()
    sys.stdout.flush()
    sys.stderr.flush()
    run.report("end")


if __name__ == "__main__":
    main(Run(sys.argv[1]))
    # The canaries fail in every run. No exit hook of the project can change this exit code.
    exit_now(1)
