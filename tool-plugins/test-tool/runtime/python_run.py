"""What the programs for Python share: the description of the run, the report, the project's virtualenv, and the canaries.

It is loaded before any code of the project, so the names bound here are the interpreter's own. The kernel uses nothing of the report
unless its canaries are in it.
"""

import importlib.util
import json
import os
import sys
import time
import traceback
import unittest

MAX_TEXT = 4000
OUTER_PACKAGES = ("site-packages", "dist-packages")

_open, _write, _close, _getpid = os.open, os.write, os.close, os.getpid
_dumps = json.dumps
exit_now = os._exit
clock = time.perf_counter


class Run:
    """One run as the kernel described it (run.json), and its report: one JSON object a line."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            described = json.load(file)
        self.root = described["root"]
        self.cwd = described["cwd"]
        self.files = described["files"]
        self.options = described.get("options", {})
        self._canary = described["canary"]
        self._report = described["report"]
        self._pid = _getpid()

    def canary(self, index, kind):
        return f"{self._canary}-{index}-{kind}"

    def is_canary(self, name):
        return name.startswith(self._canary + "-")

    def report(self, event, **fields):
        """Appends a line at once: a process that ends too early leaves a report that breaks off there."""
        if _getpid() != self._pid:
            return
        line = _dumps({"event": event, **fields}) + "\n"
        file = _open(self._report, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            _write(file, line.encode("utf-8", "replace"))
        finally:
            _close(file)

    def report_load_failure(self, index, error):
        place = {"place": self._place_of(error.name)} if isinstance(error, ImportError) and error.name else {}
        self.report("load", index=index, type=type(error).__name__, message=message_of(error), **place)

    def _place_of(self, module):
        """Where the outermost package is of a module that is missing or lacks a name: in the project, elsewhere, or nowhere."""
        try:
            spec = importlib.util.find_spec(module.split(".")[0])
        except (ImportError, ValueError):
            return "elsewhere"
        if spec is None:
            return "nowhere"
        places = list(spec.submodule_search_locations or []) or [spec.origin or ""]
        inside = [place for place in places if self._is_ours(place)]
        return "project" if inside else "elsewhere"

    def _is_ours(self, path):
        parts = os.path.relpath(os.path.realpath(path), os.path.realpath(self.root)).split(os.sep)
        return parts[0] != os.pardir and not any(part in OUTER_PACKAGES for part in parts)


def message_of(error):
    """The message of an exception; for a bare assertion, its line."""
    try:
        text = str(error)
    except Exception as broken:
        text = f"a message that cannot be read ({type(broken).__name__})"
    if text == "" and error.__traceback__ is not None:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        text = frame.line or ""
    return (text or type(error).__name__)[:MAX_TEXT]


def failure_of(error):
    kind = "assertion" if isinstance(error, AssertionError) else "error"
    message = message_of(error)
    if kind == "error":
        message = f"{type(error).__name__}: {message}"[:MAX_TEXT]
    return {"kind": kind, "message": message}


def enter_project(run):
    """The directory of the command comes first, as with `python3 -m`. A virtualenv is used even if its interpreter is not in the sandbox."""
    os.chdir(run.cwd)
    sys.path.insert(0, run.cwd)
    sys.dont_write_bytecode = True
    if sys.prefix != sys.base_prefix:
        return
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    for directory in dict.fromkeys((run.cwd, run.root)):
        for name in (".venv", "venv"):
            home = os.path.join(directory, name)
            if not os.path.isfile(os.path.join(home, "pyvenv.cfg")):
                continue
            packages = os.path.join(home, "lib", version, "site-packages")
            if os.path.isdir(packages):
                import site

                site.addsitedir(packages)
            else:
                made_for = sorted(os.listdir(os.path.join(home, "lib"))) if os.path.isdir(os.path.join(home, "lib")) else []
                print(
                    f"fluffy: {home} is for {', '.join(made_for) or 'another system'}, but the sandbox has {version}:"
                    " its packages are not used",
                    file=sys.stderr,
                )
            return


def must_hold(case):
    """The canary that must pass."""
    case.assertEqual(1, 1)
    assert len("ab") == 2


def must_fail(case):
    """The canary that must fail: it does so only if each kind of assertion still fails on what is false."""

    def nothing_raised():
        with case.assertRaises(ValueError):
            pass

    def bare():
        assert 1 == 2

    falsehoods = [
        bare,
        lambda: case.assertEqual(1, 2),
        lambda: case.assertNotEqual(1, 1),
        lambda: case.assertTrue(False),
        lambda: case.assertFalse(True),
        lambda: case.assertIs(1, None),
        lambda: case.assertIsNone(1),
        lambda: case.assertIsNotNone(None),
        lambda: case.assertIn(1, []),
        lambda: case.assertNotIn(1, [1]),
        lambda: case.assertIsInstance(1, str),
        lambda: case.assertListEqual([1], [2]),
        lambda: case.assertDictEqual({"a": 1}, {"a": 2}),
        lambda: case.assertEqual({"a": 1}, {"a": 2}),
        lambda: case.assertEqual("a", "b"),
        lambda: case.assertRegex("a", "b"),
        lambda: case.assertGreater(1, 2),
        lambda: case.assertLess(2, 1),
        lambda: case.assertAlmostEqual(1.0, 2.0),
        lambda: case.assertCountEqual([1], [2]),
        nothing_raised,
        case.fail,
    ]
    for falsehood in falsehoods:
        try:
            falsehood()
        except AssertionError:
            continue
        return
    raise AssertionError("each false assertion failed, as it has to")


class Falsehoods(unittest.TestCase):
    """A case to assert with, for a runner that has none of its own."""

    def runTest(self):
        pass
