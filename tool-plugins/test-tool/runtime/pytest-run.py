"""Runs test files with pytest and reports every case: the main program of a test sandbox, `pytest-run.py RUN_JSON`.

The result of a case is read from the exception that its call raised, before a hook of the project can rewrite the report; a hook that
reports another result makes the run tampered. Two canaries are collected with the tests of each file, as its last ones.
"""

import importlib.util
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_run import Falsehoods, Run, clock, enter_project, exit_now, failure_of, must_fail, must_hold  # noqa: E402

# The project may have a module of the same name.
del sys.path[0], sys.modules["python_run"]

IMAGE_PACKAGES = "/opt/fluffy/python"
NOT_RUNNABLE = 2


def recorder(run, pytest):
    """The plugin. A closure, so that nothing in a module's attributes leads to it."""
    from _pytest.fixtures import FuncFixtureInfo
    from _pytest.outcomes import Exit

    place_of = {os.path.realpath(path): index for index, path in enumerate(run.files)}
    modules = {}
    collected = {}
    canaries = {}
    phases = {}

    def place(node):
        return place_of.get(os.path.realpath(str(getattr(node, "path", None) or node.fspath)))

    def name_of(item):
        chain = [node.name for node in item.listchain()]
        above = [node for node in item.listchain() if isinstance(node, (pytest.Module, pytest.File))]
        start = item.listchain().index(above[-1]) + 1 if above else 1
        return " > ".join(name for name in chain[start:] if name != "()")

    def canary(module, index, kind, body):
        name = run.canary(index, kind)

        def test():
            body(Falsehoods())

        # Without fixtures of the project, automatic ones included: they may need what only its own tests have.
        fixtures = FuncFixtureInfo((), (), [], {})
        item = pytest.Function.from_parent(module, name=name, callobj=test, fixtureinfo=fixtures)
        canaries[item] = (index, name)
        return item

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

    class Plugin:
        @pytest.hookimpl(hookwrapper=True)
        def pytest_pycollect_makemodule(self, module_path):
            outcome = yield
            module = outcome.get_result()
            index = place_of.get(os.path.realpath(str(module_path)))
            if index is not None and module is not None and index not in modules:
                modules[index] = module
                run.report("begin", index=index)

        def pytest_itemcollected(self, item):
            if item not in canaries:
                collected[item] = False

        def pytest_exception_interact(self, node, call):
            index = place(node)
            if index is None or not isinstance(node, pytest.Collector):
                return
            error = call.excinfo.value
            run.report_load_failure(index, error.__cause__ or error.__context__ or error)

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_collection_modifyitems(self, items):
            yield
            items[:] = [item for item in items if item not in canaries]
            last = {}
            for position, item in enumerate(items):
                last[place(item)] = position
            for index in reversed(range(len(run.files))):
                module = modules.get(index)
                if module is None:
                    run.report("left_out", index=index)
                    continue
                pair = [
                    canary(module, index, "pass", must_hold),
                    canary(module, index, "fail", also_raises(must_fail)),
                ]
                at = last.get(index)
                if at is None:
                    items.extend(pair)
                    continue
                items[at + 1 : at + 1] = pair
                last = {other: where + 2 if where > at else where for other, where in last.items()}

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_runtest_protocol(self, item):
            phases[item] = []
            since = clock()
            yield
            self._report_case(item, phases.pop(item), max(0.0, (clock() - since) * 1000))

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_runtest_makereport(self, item, call):
            raised = call.excinfo.value if call.excinfo is not None else None
            outcome = yield
            phases.setdefault(item, []).append((call.when, raised, outcome.get_result()))

        def _report_case(self, item, seen, duration):
            status, error, lied = verdict(seen)
            if item in canaries:
                index, name = canaries[item]
                run.report("canary", index=index, name=name, status="passed" if lied else status)
                return
            collected[item] = True
            index = place(item)
            if index is None:
                return
            if lied:
                run.report("tampered", index=index, why=f"a hook reports {name_of(item)} as passed, but it raised an exception")
            failure = {"failure": failure_of(error)} if status == "failed" else {}
            run.report("case", index=index, name=name_of(item), status=status, duration_ms=duration, **failure)

        @pytest.hookimpl(trylast=True)
        def pytest_sessionfinish(self):
            for item, ran in collected.items():
                index = place(item)
                if not ran and index is not None:
                    run.report("case", index=index, name=name_of(item), status="skipped", duration_ms=0)

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
                elif when == "call" and status != "todo":
                    status = "passed"
            elif isinstance(raised, Exit):
                return "failed", raised, lied
            elif isinstance(raised, pytest.skip.Exception) or type(raised).__name__ == "SkipTest":
                status = "todo" if expected else "skipped"
            elif expected and report.skipped:
                status = "todo"
            else:
                error = error or raised
                lied = lied or not report.failed
        return ("failed", error, lied) if error is not None else (status, None, lied)

    return Plugin()


def main(run):
    enter_project(run)
    if importlib.util.find_spec("pytest") is None and os.path.isdir(IMAGE_PACKAGES):
        sys.path.append(IMAGE_PACKAGES)
    try:
        import pytest
    except ImportError as error:
        print(
            f"fluffy: pytest cannot be used ({error}): it is neither in the project's virtualenv (.venv or venv, made for"
            f" {sys.executable} {sys.version.split()[0]}) nor in the sandbox image. Install it in one of them; an image takes the pytest"
            " of the host's /usr/bin/python3 when it is built.",
            file=sys.stderr,
        )
        return NOT_RUNNABLE
    arguments = [
        *run.options.get("args", []),
        "--maxfail=0",
        "--continue-on-collection-errors",
        "--override-ini=cache_dir=/tmp/pytest-cache",
        "--color=no",
        *(["-n0"] if importlib.util.find_spec("xdist") is not None else []),
        "--",
        *run.files,
    ]
    code = int(pytest.main(arguments, plugins=[recorder(run, pytest)]))
    sys.stdout.flush()
    sys.stderr.flush()
    if code in (0, 1):
        run.report("end")
    return code


if __name__ == "__main__":
    # No exit hook of the project can change this exit code.
    exit_now(main(Run(sys.argv[1])))
