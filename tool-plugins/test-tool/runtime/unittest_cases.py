"""What the programs for cases of unittest share: the result that reports each case, and the canaries that go through the same suite.

As `python_run.py` it is loaded before any code of the project.
"""

import importlib
import os
import sys
import unittest

from python_run import Canaries, Watch, canary_name, clock, failure_of, must_fail, must_hold, unittest_parts


def name_of(test):
    """`Class > method`; a fixture of a class or module has the name that unittest gives it."""
    method = getattr(test, "_testMethodName", None)
    if method is None:
        return f"({test.id()})"
    return " > ".join([*type(test).__qualname__.split("."), method])


class Recorder(unittest.TextTestResult):
    """Reports a case once it is over. Its result is the worst one of the test, its fixtures and its subtests."""

    RANK = ("passed", "skipped", "todo", "failed")

    def __init__(self, run, index, parts=()):
        super().__init__(Output(), descriptions=False, verbosity=1)
        self._run = run
        self._index = index
        self._outcomes = {}
        self._watch = Watch([*unittest_parts(), *parts, Recorder])
        self._replaced = None
        self.canaries = Canaries(run, index)
        self.kinds = {}

    def look(self):
        """A part of the runner that was replaced makes the run tampered, even if it is put back later."""
        if self._replaced is None:
            self._replaced = self._watch.changed()
            if self._replaced is not None:
                self._run.report("tampered", index=self._index, why=f"something replaced {self._replaced}, a part of the runner")

    def startTest(self, test):
        self.look()
        self._outcomes[id(test)] = {"since": clock(), "status": None, "error": None}
        super().startTest(test)

    def stopTest(self, test):
        outcome = self._outcomes.pop(id(test))
        status = outcome["status"] or "failed"
        name = name_of(test)
        self.look()
        if id(test) in self.kinds:
            self.canaries.note(self.kinds[id(test)], status, outcome["error"])
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


def canary(name, body):
    """A case like any other of a file, which has no class and no method that only a canary has."""

    def method(self):
        body(self)

    words = name.removeprefix("test_").split("_")
    class_of = type("".join(word.capitalize() for word in words) or "Case", (unittest.TestCase,), {name: method})
    return class_of(name)


def add_canaries(suite, result, names):
    for kind, body in (("pass", must_hold), ("fail", must_fail)):
        case = canary(canary_name(names), body)
        result.kinds[id(case)] = kind
        suite.addTest(case)


def cases_of(suite):
    """All cases in a suite, in its order."""
    for each in suite:
        if isinstance(each, unittest.BaseTestSuite):
            yield from cases_of(each)
        else:
            yield each


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


def between_canaries(cases, result):
    """A suite of these cases, with two canaries as its first and two as its last ones."""
    suite = unittest.TestSuite()
    add_canaries(suite, result, ())
    suite.addTests(cases)
    add_canaries(suite, result, sorted({each._testMethodName for each in cases_of(cases) if isinstance(each, unittest.TestCase)}))
    return suite


def finish(result):
    """Reports the canaries, and prints failures for people without those of the canaries."""
    result.look()
    result.canaries.report()
    result.failures = [(case, text) for case, text in result.failures if id(case) not in result.kinds]
    result.printErrors()
