"""What the programs for Python share: the description of the run, a process for each file, the report, the project's virtualenv, and the canaries.

It is loaded before any code of the project, so the names bound here are the interpreter's own. The kernel uses nothing of the report
unless its canaries are in it.
"""

import importlib.util
import json
import os
import random
import secrets
import select
import sys
import threading
import time
import traceback
import types
import unittest
import unittest.mock

MAX_TEXT = 4000
# Of what a failed test wrote.
MAX_PRINTED = 2000
OUTER_PACKAGES = ("site-packages", "dist-packages")
STDIN = 0
WAIT_S = 0.05
CO_OPTIMIZED = 1
FREE_TOOLS = (4, 3)

_open, _read, _write, _close, _getpid = os.open, os.read, os.write, os.close, os.getpid
_dumps = json.dumps
exit_now = os._exit
clock = time.perf_counter
_chance = random.Random(secrets.randbits(64))


class Run:
    """One run as the kernel described it on standard input, and its report: one JSON object a line."""

    def __init__(self):
        described = json.loads(read_and_close_stdin())
        self.root = described["root"]
        self.cwd = described["cwd"]
        self.files = described["files"]
        self.options = described.get("options", {})
        self._cover = described.get("cover", [])
        self._canary = described["canary"]
        self._report = described["report"]
        self._progress = described.get("progress")
        self._done = self._failed = 0
        self._pid = None
        self._pipe = None
        self._token = b""

    def canary(self, index, kind):
        return f"{self._canary}-{index}-{kind}"

    def report(self, event, **fields):
        """Sends a line at once: a process that ends too early leaves a report that breaks off there."""
        if _getpid() != self._pid:
            return
        line = self._token + _dumps({"event": event, **fields}).encode("utf-8", "replace") + b"\n"
        while line:
            line = line[_write(self._pipe, line) :]

    def each_in_a_process(self, run_file):
        """Runs `run_file(index)` in a fork for each file, one after the other, and leaves the whole report once the last one has ended.

        Until then there is no report that code under test could find. A line counts by the token of its file, which is made for this run.
        """
        lines = []
        for index in range(len(self.files)):
            lines += self._in_a_process(index, run_file)
        lines.append(_dumps({"event": "end"}).encode())
        file = _open(self._report, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        data = b"\n".join(lines) + b"\n"
        while data:
            data = data[_write(file, data) :]
        _close(file)

    def _in_a_process(self, index, run_file):
        token = secrets.token_hex(16).encode() + b" "
        from_child, to_parent = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            _close(from_child)
            self._pid, self._pipe, self._token = _getpid(), to_parent, token
            self._report = self._progress = None
            executed = Executed(self._cover)
            run_file(index)
            lcov = executed.end()
            if lcov:
                self.report("coverage", index=index, lcov=lcov)
            sys.stdout.flush()
            sys.stderr.flush()
            self.report("end")
            exit_now(0)
        _close(to_parent)
        data, status = read_until_ended(from_child, pid, self._count)
        _close(from_child)
        return self._believed(index, token, data, status)

    def _count(self, part):
        """Keeps how many cases have ended in a file, for people who wait. No result is read from it; a line that comes in two parts may be missed."""
        cases = [line for line in part.split(b"\n") if b'{"event": "case", ' in line]
        if not self._progress or not cases:
            return
        self._done += len(cases)
        self._failed += sum(b'"status": "failed"' in line for line in cases)
        try:
            file = _open(self._progress, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            _write(file, b"%d %d\n" % (self._done, self._failed))
            _close(file)
        except OSError:
            pass

    def _believed(self, index, token, data, status):
        def line(event, **fields):
            return _dumps({"event": event, "index": index, **fields}).encode()

        raw = [each for each in data.split(b"\n") if each]
        if any(not each.startswith(token) for each in raw):
            return [line("tampered", why="something else than the runner writes to the report")]
        lines = [each[len(token) :] for each in raw]
        end = _dumps({"event": "end"}).encode()
        if lines and lines[-1] == end:
            return lines[:-1]
        if status == 0:
            return [line("tampered", why="the process ended before its tests were through (an exit in a test, a hook or the source)")]
        how = f"signal {-status}" if status < 0 else f"exit code {status}"
        return [*lines, line("crash", message=f"the process of the file ended with {how} before its tests were through")]

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


class Executed:
    """The lines of some files that this process runs. What is called counts: a line with a function in it does not, when only its module runs."""

    def __init__(self, files):
        self._places = {os.path.realpath(file): place for place, file in enumerate(files)}
        self._files = files
        self._known = {}
        self._lines = {}
        self._tool = None
        if not files:
            return
        if hasattr(sys, "monitoring"):
            self._monitor()
        else:
            threading.settrace(self._on_call)
            sys.settrace(self._on_call)

    def _monitor(self):
        monitoring = sys.monitoring
        # Not the number of coverage tools: the project may use one.
        self._tool = next((each for each in FREE_TOOLS if monitoring.get_tool(each) is None), None)
        if self._tool is None:
            return
        monitoring.use_tool_id(self._tool, "lines")
        monitoring.register_callback(self._tool, monitoring.events.LINE, self._on_line)
        monitoring.set_events(self._tool, monitoring.events.LINE)

    def _on_line(self, code, line):
        self._note(code, line)
        return sys.monitoring.DISABLE

    def _on_call(self, frame, event, argument):
        return self._on_event if self._place(frame.f_code) is not None else None

    def _on_event(self, frame, event, argument):
        if event == "line":
            self._note(frame.f_code, frame.f_lineno)
        return self._on_event

    def _place(self, code):
        name = code.co_filename
        if name not in self._known:
            self._known[name] = self._places.get(os.path.realpath(name))
        return self._known[name]

    def _note(self, code, line):
        place = self._place(code)
        if place is None:
            return
        lines = self._lines.setdefault(place, set())
        # Of a module or a class, which is no function.
        if not code.co_flags & CO_OPTIMIZED and any(line == getattr(each, "co_firstlineno", None) for each in code.co_consts):
            return
        lines.add(line)

    def end(self):
        """In the format of lcov; a file without lines was loaded, and none of its lines ran."""
        if self._tool is not None:
            sys.monitoring.free_tool_id(self._tool)
        elif self._places:
            sys.settrace(None)
            threading.settrace(None)
        records = []
        for place, lines in sorted(self._lines.items()):
            hits = [f"DA:{line},1" for line in sorted(lines)]
            records.extend([f"SF:{self._files[place]}", *hits, "end_of_record", ""])
        return "\n".join(records)


def read_and_close_stdin():
    """All of standard input, which is nothing from then on: no code of the project can read the description of its run."""
    parts = []
    while part := _read(STDIN, 1 << 20):
        parts.append(part)
    nothing = _open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, STDIN)
    _close(nothing)
    return b"".join(parts)


def read_until_ended(pipe, pid, on_part):
    """What a process wrote and how it ended. A process that it started may hold the pipe open for longer."""
    os.set_blocking(pipe, False)
    parts = []

    def take():
        try:
            part = _read(pipe, 1 << 20)
        except BlockingIOError:
            return False
        parts.append(part)
        on_part(part)
        return part != b""

    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended == pid:
            while take():
                pass
            return b"".join(parts), os.waitstatus_to_exitcode(status)
        readable, _, _ = select.select([pipe], [], [], WAIT_S)
        if readable and not take():
            _, status = os.waitpid(pid, 0)
            return b"".join(parts), os.waitstatus_to_exitcode(status)


def look_ordinary(arguments):
    """Command line, arguments and main module of this process as those of somebody who starts the runner by hand."""
    sys.argv = [arguments[-1]]
    sys.orig_argv = list(arguments)
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        with open("/proc/self/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        start, end = int(fields[45]), int(fields[46])
        text = b"\0".join(each.encode() for each in arguments)[: end - start - 1]
        memory = _open("/proc/self/mem", os.O_WRONLY)
        try:
            os.pwrite(memory, text.ljust(end - start, b"\0"), start)
        finally:
            _close(memory)
    except (OSError, OverflowError):
        # It only names our program, whose text anybody can read.
        pass


class Watch:
    """What the runner is made of, as it was before code of the project was loaded. Plain data may change: tests set `maxDiff`."""

    def __init__(self, things):
        self._parts = []
        for thing in things:
            found = vars(thing)
            for name, value in found.items():
                if callable(value) or isinstance(value, (classmethod, staticmethod, property)):
                    self._parts.append((thing, name, value))

    def changed(self):
        """The name of a part that is another one now, or None."""
        for thing, name, value in self._parts:
            if vars(thing).get(name) is not value:
                return f"{name} of {thing.__name__}"
        return None


def unittest_parts():
    """Whatever a case of unittest goes through, and the assertions of mocks."""
    return [
        unittest.TestCase,
        unittest.FunctionTestCase,
        unittest.IsolatedAsyncioTestCase,
        unittest.case._Outcome,
        unittest.case._AssertRaisesContext,
        unittest.case._AssertRaisesBaseContext,
        unittest.BaseTestSuite,
        unittest.TestSuite,
        unittest.TestResult,
        unittest.TextTestResult,
        unittest.TestLoader,
        unittest.mock.NonCallableMock,
        unittest.mock.CallableMixin,
        unittest.mock.AsyncMockMixin,
    ]


VERBS = ("keeps", "returns", "accepts", "sorts", "reads", "counts", "joins", "splits", "compares", "finds", "rounds", "merges")
THINGS = ("order", "values", "names", "pairs", "lists", "words", "paths", "numbers", "keys", "dates", "lines", "totals")


def canary_name(own=()):
    """One of the file's own names, or one that any test could have; it differs in every run."""
    return _chance.choice(list(own)) if own else f"test_{_chance.choice(VERBS)}_{_chance.choice(THINGS)}"


class Canaries:
    """What became of the canaries of one file, of which there are two arrangements: both have to come out as they must."""

    ARRANGEMENTS = 2

    def __init__(self, run, index):
        self._run = run
        self._index = index
        self._right = {"pass": [], "fail": []}

    def note(self, kind, status, error):
        held = status == "passed" if kind == "pass" else status == "failed" and type(error) is AssertionError
        self._right[kind].append(held)

    def report(self):
        for kind, right, wrong in (("pass", "passed", "failed"), ("fail", "failed", "passed")):
            if len(self._right[kind]) >= self.ARRANGEMENTS:
                status = right if all(self._right[kind]) else wrong
                self._run.report("canary", index=self._index, name=self._run.canary(self._index, kind), status=status)


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


def failure_of(error, printed=""):
    """`printed`: what the test wrote, of which the end is kept."""
    kind = "assertion" if isinstance(error, AssertionError) else "error"
    message = message_of(error)
    if kind == "error":
        message = f"{type(error).__name__}: {message}"[:MAX_TEXT]
    if printed.strip() != "":
        message = f"{message}\nPrinted by this test:\n{printed.rstrip()[-MAX_PRINTED:]}"
    return {"kind": kind, "message": message}


def enter_virtualenv(run):
    """A virtualenv of the project is used even if its interpreter is not in the sandbox."""
    sys.dont_write_bytecode = True
    if sys.prefix != sys.base_prefix:
        os.environ["VIRTUAL_ENV"] = sys.prefix
        return
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    for directory in dict.fromkeys((run.cwd, run.root)):
        for name in run.options["virtual_environments"]:
            home = os.path.join(directory, name)
            if not os.path.isfile(os.path.join(home, "pyvenv.cfg")):
                continue
            packages = os.path.join(home, "lib", version, "site-packages")
            if os.path.isdir(packages):
                import site

                os.environ["VIRTUAL_ENV"] = home
                site.addsitedir(packages)
            else:
                made_for = sorted(os.listdir(os.path.join(home, "lib"))) if os.path.isdir(os.path.join(home, "lib")) else []
                print(
                    f"fluffy: {home} is for {', '.join(made_for) or 'another system'}, but the sandbox has {version}:"
                    " its packages are not used",
                    file=sys.stderr,
                )
            return


def enter_project(run):
    """The directory of the command comes first, as with `python3 -m`. What the runner itself is made of is loaded by then."""
    os.chdir(run.cwd)
    sys.path.insert(0, run.cwd)
    # A package below src that is not installed. One that is comes before it, with what was built for it.
    source = os.path.join(run.cwd, "src")
    if os.path.isdir(source):
        sys.path.append(source)


def is_installed(place, run):
    """An editable package of a virtualenv is a source that a change can write."""
    path = os.path.realpath(place)
    return not path.startswith(os.path.join(os.path.realpath(run.root), "")) or "site-packages" in path.split(os.sep)


def must_hold(case):
    """The canary that must pass."""
    one = _chance.randrange(1, 1 << 40)
    case.assertEqual(one, one)
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
        lambda: unittest.mock.Mock().assert_called(),
        lambda: unittest.mock.Mock().assert_called_once_with(1),
        lambda: unittest.mock.Mock().assert_has_calls([unittest.mock.call(1)]),
    ]
    for falsehood in falsehoods:
        try:
            falsehood()
        except AssertionError:
            continue
        return
    # By now it is known to fail, as any other case fails.
    one = _chance.randrange(1, 1 << 40)
    case.assertEqual(one, one + _chance.randrange(1, 1 << 7))


class Falsehoods(unittest.TestCase):
    """A case to assert with, for a runner that has none of its own."""

    def runTest(self):
        pass
