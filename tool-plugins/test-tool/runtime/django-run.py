"""Runs test files as `manage.py test` does, each in a process of its own, and reports every case: the main program of a test sandbox.

`manage.py` runs as a person starts it, up to the command. Then the project's own test runner (TEST_RUNNER, Django's by default) makes the
test databases, runs the cases of one file and takes the databases down. The cases go through our result, with canaries around them.
"""

import argparse
import importlib.util
import os
import runpy
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_run import Run, enter_project, enter_virtualenv, exit_now, is_installed, look_ordinary  # noqa: E402
from unittest_cases import Recorder, between_canaries, cases_of, finish, load  # noqa: E402

# The project may have modules of the same names.
del sys.path[0], sys.modules["python_run"], sys.modules["unittest_cases"]

NOT_RUNNABLE = 2
MANAGE = "manage.py"
# Imported before the project's code. What its cases go through is compared later.
PARTS = {
    "django.test.testcases": ["SimpleTestCase", "TransactionTestCase", "TestCase", "LiveServerTestCase"],
    "django.test.runner": ["DiscoverRunner"],
    "django.test.client": ["Client", "RequestFactory"],
}


class NotReady(Exception):
    """Why the project's tests cannot start, for people."""


def django_parts():
    return [getattr(importlib.import_module(module), name) for module, names in PARTS.items() for name in names]


def set_up(run):
    """Settings and applications, as `manage.py` and its options choose them. Returns the arguments that are the test runner's."""
    import django
    from django.core import management

    original = management.execute_from_command_line
    reached = []
    management.execute_from_command_line = reached.append
    try:
        runpy.run_path(os.path.join(run.cwd, MANAGE), run_name="__main__")
    finally:
        management.execute_from_command_line = original
    if not reached:
        raise NotReady(f"{MANAGE} does not call execute_from_command_line of django.core.management, by which its commands start")
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--settings")
    parser.add_argument("--pythonpath")
    options, rest = parser.parse_known_args(run.options.get("args", []))
    management.handle_default_options(options)
    if not os.environ.get("DJANGO_SETTINGS_MODULE"):
        raise NotReady(
            f"no settings are named: {MANAGE} does not set DJANGO_SETTINGS_MODULE, and the sandbox has no variable of yours."
            " Name them in test.args of .fluffy/config.yaml: [--settings=NAME.settings]"
        )
    django.setup()
    return rest


def runner_of(suite, result, arguments):
    """The project's own test runner, whose suite is `suite` and whose result is `result`."""
    from django.conf import settings
    from django.test.runner import DiscoverRunner
    from django.test.utils import get_runner

    base = get_runner(settings)
    if not issubclass(base, DiscoverRunner):
        raise NotReady(
            f"TEST_RUNNER is {settings.TEST_RUNNER}, which does not extend Django's DiscoverRunner: its results cannot be judged."
            " Use a settings module without it: test.args in .fluffy/config.yaml, [--settings=NAME.settings_test]"
        )

    class Runner(base):
        def build_suite(self, *_, **__):
            return suite

        def setup_databases(self, **options):
            try:
                return super().setup_databases(**options)
            except BaseException as error:
                raise_for_databases(error, options.get("aliases"))
                raise

        def run_suite(self, suite, **_):
            suite.run(result)
            return result

    parser = argparse.ArgumentParser(add_help=False)
    base.add_arguments(parser)
    options = vars(parser.parse_known_args(arguments)[0])
    return Runner(**{**options, "verbosity": 0, "interactive": False, "parallel": 0})


def raise_for_databases(error, aliases):
    """A database that is no file and no memory is a server: a sandbox has none."""
    from django.db import connections

    for alias in aliases or connections:
        connection = connections[alias]
        if connection.vendor == "sqlite":
            continue
        place = connection.settings_dict
        where = place.get("HOST") or "a local socket"
        port = f":{place['PORT']}" if place.get("PORT") else ""
        raise NotReady(no_server(f"{connection.display_name} (DATABASES['{alias}'], {where}{port})", error)) from error


def no_server(name, error):
    reason = " ".join(str(error).split())[:300] or type(error).__name__
    return (
        f"the test database could not be made: the settings ask for {name}, and a sandbox has no database server and no network ({reason})."
        " Either give the tests SQLite, by `if 'test' in sys.argv:` in the settings or by a settings module of their own"
        " (test.args in .fluffy/config.yaml: [--settings=NAME.settings_test]), or name the server in services and test.networks of your own"
        " configuration (docs/configuration.md, \"Services and hosts for tests\")"
    )


def reason_of(error):
    """The error that a person has to read: a driver of a database that is not installed is as good as no server."""
    text = str(error)
    if type(error).__name__ == "ImproperlyConfigured" and "psycopg" in text:
        return NotReady(no_server("PostgreSQL, whose driver is not installed", error))
    if type(error).__name__ == "ImproperlyConfigured" and "MySQL" in text:
        return NotReady(no_server("MySQL, whose driver is not installed", error))
    return error


def is_collected(run, path):
    """Discovery goes into packages only."""
    directory = os.path.dirname(path)
    while directory != run.cwd and directory.startswith(run.cwd + os.sep):
        if not os.path.isfile(os.path.join(directory, "__init__.py")):
            return False
        directory = os.path.dirname(directory)
    return True


def run_file(run, index):
    enter_project(run)
    path = run.files[index]
    look_ordinary(["python3", MANAGE, "test"])
    # Settings of many projects ask whether it is there.
    sys.argv = [MANAGE, "test"]
    run.report("begin", index=index)
    if not is_collected(run, path):
        run.report("left_out", index=index)
        return
    result = Recorder(run, index, django_parts())
    loader = unittest.TestLoader()
    try:
        arguments = set_up(run)
        own = unittest.TestSuite()
        own.addTests(loader.loadTestsFromModule(load(path, run.cwd)))
        if loader.errors:
            raise RuntimeError(loader.errors[0])
        suite = unittest.TestSuite()
        runner = runner_of(suite, result, arguments)
        # Cases that clear the database come after those that leave it as it was.
        order = tuple(getattr(runner, "reorder_by", ()))
        cases = sorted(cases_of(own), key=lambda case: next((at for at, kind in enumerate(order) if isinstance(case, kind)), len(order)))
        suite.addTests(between_canaries(cases, result))
        runner.run_tests([])
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if result.testsRun == 0:
            run.report_load_failure(index, reason_of(error))
        else:
            run.report("crash", index=index, message=f"{type(error).__name__}: {error}")
    finish(result)


def main():
    """Django is loaded before the project is on the path, where a `django.py` would come first."""
    run = Run()
    look_ordinary(["python3", MANAGE, "test"])
    enter_virtualenv(run)
    if importlib.util.find_spec("django") is None:
        print(
            f"fluffy: Django cannot be used: it is not in the project's virtualenv (.venv or venv, made for {sys.executable}"
            f" {sys.version.split()[0]}). Install it there, beside {MANAGE} or at the top of the project.",
            file=sys.stderr,
        )
        return NOT_RUNNABLE
    import django

    if not is_installed(django.__file__ or "", run):
        print(
            f"fluffy: Django cannot be used: {django.__file__} is a file of the project itself, which cannot judge its own tests."
            " Install Django in the project's virtualenv without --editable.",
            file=sys.stderr,
        )
        return NOT_RUNNABLE
    import django.core.management

    django_parts()
    run.each_in_a_process(lambda index: run_file(run, index))
    return 1


if __name__ == "__main__":
    # The canaries fail in every run. No exit hook of the project can change this exit code.
    exit_now(main())
