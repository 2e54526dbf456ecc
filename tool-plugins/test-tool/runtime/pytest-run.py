"""Runs test files with pytest, each in a process of its own, and reports every case: the main program of a test sandbox.

The result of a case is read from the exception that its call raised, before a hook of the project can rewrite the report; a hook that
reports another result makes the run tampered. Canaries are collected with the tests of each file, two as its first and two as its last ones.
"""

import importlib
import importlib.util
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_run import (  # noqa: E402
    Canaries,
    Falsehoods,
    Run,
    Watch,
    canary_name,
    clock,
    enter_project,
    enter_virtualenv,
    exit_now,
    failure_of,
    is_installed,
    look_ordinary,
    must_fail,
    must_hold,
    unittest_parts,
)

# The project may have a module of the same name.
del sys.path[0], sys.modules["python_run"]

IMAGE_PACKAGES = "/opt/fluffy/python"
SOMETHING_FAILED = 1
NOT_RUNNABLE = 2


# What a case goes through in pytest. Versions differ in what there is of it.
PARTS = {
    "pytest": [""],
    "pluggy": ["HookCaller", "PluginManager", "Result"],
    "_pytest.config": ["PytestPluginManager"],
    "_pytest.main": ["Session"],
    "_pytest.nodes": ["Node", "Item", "Collector"],
    "_pytest.outcomes": [""],
    "_pytest.python": ["Function", "Module", "Class", "PyCollector"],
    "_pytest.python_api": ["", "RaisesContext"],
    "_pytest.raises": ["", "RaisesExc"],
    "_pytest.reports": ["BaseReport", "TestReport"],
    "_pytest.runner": ["", "CallInfo"],
    "_pytest.skipping": [""],
    "_pytest.unittest": ["TestCaseFunction"],
}


# What some plugins are asked to leave alone, where they are installed: processes, and the assertions of mocks, whose traces pytest-mock shortens.
PLUGINS = {
    "xdist": ["-n0"],
    "pytest_mock": ["--override-ini=mock_traceback_monkeypatch=false"],
}


def runner_parts():
    parts = unittest_parts()
    for module_name, names in PARTS.items():
        try:
            module = importlib.import_module(module_name)
        except ModuleNotFoundError:
            continue
        found = [module if name == "" else getattr(module, name, None) for name in names]
        parts += [each for each in found if each is not None]
    return parts


def recorder(run, pytest, index, exits):
    """The plugin. A closure, so that nothing in a module's attributes leads to it."""
    from _pytest.fixtures import FuncFixtureInfo

    path_of_run = os.path.realpath(run.files[index])
    results = Canaries(run, index)
    modules = []
    collected = {}
    canaries = {}
    phases = {}
    watches = []
    replaced = []

    def is_ours(node):
        return os.path.realpath(str(getattr(node, "path", None) or node.fspath)) == path_of_run

    def look():
        """A part of the runner that was replaced makes the run tampered, even if it is put back later."""
        part = None if replaced else next((found for each in watches if (found := each.changed())), None)
        if part is not None:
            replaced.append(part)
            run.report("tampered", index=index, why=f"something replaced {part}, a part of the runner")

    def name_of(item):
        chain = [node.name for node in item.listchain()]
        above = [node for node in item.listchain() if isinstance(node, (pytest.Module, pytest.File))]
        start = item.listchain().index(above[-1]) + 1 if above else 1
        return " > ".join(name for name in chain[start:] if name != "()")

    def canary(name, kind, body):
        def test():
            body(Falsehoods())

        test.__name__ = test.__qualname__ = name
        # Without fixtures of the project, automatic ones included: they may need what only its own tests have.
        fixtures = FuncFixtureInfo((), (), [], {})
        item = Unmarked.from_parent(modules[0], name=name, callobj=test, fixtureinfo=fixtures)
        canaries[item] = kind
        return item

    def pair(names):
        return [
            canary(canary_name(names), "pass", must_hold),
            canary(canary_name(names), "fail", also_raises(must_fail)),
        ]

    def also_raises(body):
        def checked(case):
            try:
                with pytest.raises(ValueError):
                    pass
            except BaseException:
                pass
            else:
                return
            try:
                assert pytest.approx(1.0) != 2.0
                pytest.fail("a failure")
            except pytest.fail.Exception:
                body(case)

        return checked

    class Unmarked(pytest.Function):
        """Without the marks of its module, which can skip all cases of a file or expect them to fail."""

        def iter_markers_with_node(self, name=None):
            return iter(())

    class Plugin:
        @pytest.hookimpl(tryfirst=True)
        def pytest_load_initial_conftests(self):
            # Plugins are loaded by now, and nothing of the project is.
            watches.append(Watch([*runner_parts(), Plugin, Canaries, Run]))

        @pytest.hookimpl(hookwrapper=True)
        def pytest_pycollect_makemodule(self, module_path):
            outcome = yield
            module = outcome.get_result()
            if os.path.realpath(str(module_path)) == path_of_run and module is not None and not modules:
                modules.append(module)
                run.report("begin", index=index)

        def pytest_itemcollected(self, item):
            if item not in canaries:
                collected[item] = False

        def pytest_exception_interact(self, node, call):
            if not is_ours(node) or not isinstance(node, pytest.Collector):
                return
            error = call.excinfo.value
            if skips(error):
                return
            run.report_load_failure(index, error.__cause__ or error.__context__ or error)

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_collection_modifyitems(self, items):
            yield
            own = [item for item in items if item not in canaries]
            if not modules:
                run.report("left_out", index=index)
                items[:] = own
                return
            names = sorted({item.name for item in own})
            items[:] = [*pair(()), *own, *pair(names)]

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_runtest_protocol(self, item):
            look()
            phases[item] = []
            since = clock()
            yield
            self._report_case(item, phases.pop(item), max(0.0, (clock() - since) * 1000))
            look()

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_runtest_makereport(self, item, call):
            raised = call.excinfo.value if call.excinfo is not None else None
            outcome = yield
            phases.setdefault(item, []).append((call.when, raised, outcome.get_result()))

        def _report_case(self, item, seen, duration):
            status, error, lied = verdict(seen)
            if item in canaries:
                results.note(canaries[item], "passed" if lied else status, error)
                return
            collected[item] = True
            if not is_ours(item):
                return
            if lied:
                run.report("tampered", index=index, why=f"a hook reports {name_of(item)} as passed, but it raised an exception")
            failure = {"failure": failure_of(error, printed_in(seen))} if status == "failed" else {}
            run.report("case", index=index, name=name_of(item), status=status, duration_ms=duration, **failure)

        @pytest.hookimpl(trylast=True)
        def pytest_sessionfinish(self):
            for item, ran in collected.items():
                if not ran and is_ours(item):
                    run.report("case", index=index, name=name_of(item), status="skipped", duration_ms=0)
            results.report()

    def skips(error):
        return isinstance(error, pytest.skip.Exception) or type(error).__name__ == "SkipTest"

    def printed_in(seen):
        """What pytest captured of a case; the report of each phase has that of the earlier ones too."""
        report = seen[-1][2] if seen else None
        return "".join(str(getattr(report, name, "")) for name in ("capstdout", "capstderr"))

    def verdict(seen):
        """(status, error, whether the report hides a failure) of a case from all its phases; a repeated case is as good as its worst run."""
        status, error, lied = ("skipped", None, False)
        for when, raised, report in seen:
            expected = hasattr(report, "wasxfail")
            if raised is None:
                if report.failed:
                    return "failed", AssertionError(str(report.longrepr)), lied
                if expected:
                    status = "todo"
                elif report.skipped:
                    # Of a unittest case: its exception is put into the report later.
                    status = "skipped"
                elif when == "call" and status != "todo":
                    status = "passed"
            elif isinstance(raised, exits):
                return "failed", raised, lied
            elif skips(raised):
                status = "todo" if expected else "skipped"
            elif expected and report.skipped:
                status = "todo"
            else:
                error = error or raised
                lied = lied or not report.failed
        return ("failed", error, lied) if error is not None else (status, None, lied)

    return Plugin()


def run_file(run, index, pytest, exits, of_plugins):
    enter_project(run)
    path = run.files[index]
    look_ordinary(["python3", "-m", "pytest", path])
    arguments = [
        *run.options.get("args", []),
        "--maxfail=0",
        "--continue-on-collection-errors",
        "--override-ini=cache_dir=/tmp/pytest-cache",
        "--color=no",
        *of_plugins,
        "--",
        path,
    ]
    code = int(pytest.main(arguments, plugins=[recorder(run, pytest, index, exits)]))
    sys.stdout.flush()
    sys.stderr.flush()
    # 5: nothing was collected, which is in the report.
    if code not in (0, 1, 5):
        exit_now(code)


def main():
    """pytest is loaded before the project is on the path, where a `pytest.py` would come first."""
    run = Run()
    look_ordinary(["python3", "-m", "pytest"])
    enter_virtualenv(run)
    if importlib.util.find_spec("pytest") is None and os.path.isdir(IMAGE_PACKAGES):
        sys.path.append(IMAGE_PACKAGES)
    try:
        import pytest
        from _pytest.outcomes import Exit
    except ImportError as error:
        print(
            f"fluffy: pytest cannot be used ({error}): it is not installed in the project's virtualenv (.venv or venv) for Python"
            f" {sys.version.split()[0]}, which runs the tests, nor for this Python itself, and that of the sandbox image does not fit. Install it"
            f" in one of them: python{sys.version_info[0]}.{sys.version_info[1]} -m pip install pytest",
            file=sys.stderr,
        )
        return NOT_RUNNABLE
    places = [sys.modules[name].__file__ or "" for name in ("pytest", "_pytest", "pluggy") if name in sys.modules]
    own = [place for place in places if not is_installed(place, run)]
    if own:
        print(
            f"fluffy: pytest cannot be used: it is not an installed package: {own[0]} is a file of the project itself, which cannot judge its own"
            " tests. Install pytest in the project's virtualenv without --editable.",
            file=sys.stderr,
        )
        return NOT_RUNNABLE
    runner_parts()
    of_plugins = [word for name, words in PLUGINS.items() if importlib.util.find_spec(name) is not None for word in words]
    run.each_in_a_process(lambda index: run_file(run, index, pytest, Exit, of_plugins))
    return SOMETHING_FAILED


if __name__ == "__main__":
    # The canaries fail in every run. No exit hook of the project can change this exit code.
    exit_now(main())
