import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { djangoTest } from '../../../src/kernel/runners/django-test/runner.ts';
import { installedDjango } from '../../support/django-packages.ts';
import { DJANGO_PROJECT } from '../../support/django-project.ts';
import { PythonForks } from './python-forks.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files, HostRunOptions } from './runner-on-host.ts';
import { statuses } from './statuses.ts';

const forks = new PythonForks('/usr/bin/python3', 'unittest');
const host = new RunnerOnHost(djangoTest, { start: forks.start, deadlineMs: 60_000 });
let packages: Files | null = null;

beforeAll(async () => {
  packages = await installedDjango();
}, 150_000);

afterAll(async () => {
  await forks.close();
  host.close();
});

const HEAD =
  'from django.test import SimpleTestCase, TestCase, TransactionTestCase\n\nfrom polls.models import Question\n\n';
const tests = (body: string) => `${HEAD}\nclass T(TestCase):\n${body}\n`;
const GOOD = tests('    def test_good(self):\n        self.assertEqual(Question.objects.count(), 0)');
const settings = (text: string) => `${DJANGO_PROJECT['mysite/settings.py'] ?? ''}\n${text}\n`;

describe('a run of the tests of Django', { timeout: 60_000 }, () => {
  const run = (files: Files, options: HostRunOptions = {}) =>
    host.run(
      {
        ...DJANGO_PROJECT,
        ...packages,
        ...files,
      },
      options,
    );
  const tried = (name: string, body: () => Promise<void>) =>
    it(name, async ({ skip }) => {
      skip(packages === null, 'pip cannot install Django here');
      await body();
    });

  tried('has a database, a client and migrations, and rolls back what a case writes', async () => {
    const result = await run({
      'polls/tests.py': `${HEAD}
class Flush(TransactionTestCase):
    def test_empty(self):
        self.assertEqual(Question.objects.count(), 0)
        Question.objects.create(text="left")


class Index(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.one = Question.objects.create(text="one")

    def test_lists(self):
        self.assertEqual(self.client.get("/").json(), {"questions": ["one"]})

    def test_wrong(self):
        self.assertContains(self.client.get("/"), "two")

    async def test_async(self):
        self.assertEqual((await self.async_client.get("/")).status_code, 200)


class Simple(SimpleTestCase):
    def test_settings(self):
        from django.conf import settings
        self.assertTrue(settings.TESTING)

    def test_database(self):
        Question.objects.count()
`,
      'polls/test_more.py': GOOD,
    });
    expect(statuses(result)).toEqual({
      'polls/test_more.py T > test_good': 'passed',
      'polls/tests.py Flush > test_empty': 'passed',
      'polls/tests.py Index > test_async': 'passed',
      'polls/tests.py Index > test_lists': 'passed',
      'polls/tests.py Index > test_wrong': 'failed',
      'polls/tests.py Simple > test_database': 'failed',
      'polls/tests.py Simple > test_settings': 'passed',
    });
    const wrong = result.cases.find(({ name }) => name.endsWith('test_wrong'));
    expect(wrong?.failure).toMatchObject({ kind: 'assertion', message: expect.stringContaining('two') as string });
  });

  tried('says of a module that is missing that the task may create it', async () => {
    const result = await run({ 'polls/tests.py': 'from polls.sums import add\n' });
    expect(result.cases).toMatchObject([{ name: '(load)', status: 'failed' }]);
    expect(result.cases[0]?.failure?.missing?.specifier).toMatch(/\/polls\/sums$/);
  });

  tried('says what the tests lack whose database is a server', async () => {
    const database =
      "DATABASES = {'default': {'ENGINE': 'django.db.backends.postgresql', 'NAME': 'a', 'HOST': 'db.local', 'PORT': '5432'}}";
    const result = await run({ 'mysite/settings.py': settings(database), 'polls/tests.py': GOOD });
    expect(result.outcome).toBe('failed');
    expect(result.cases[0]?.failure?.message).toMatch(
      /^the test database could not be made: the settings ask for PostgreSQL.*no database server.*SQLite.*test\.networks/s,
    );
    const chosen = await run(
      {
        'mysite/settings.py': settings(database),
        'mysite/settings_test.py': DJANGO_PROJECT['mysite/settings.py'] ?? '',
        'polls/tests.py': GOOD,
      },
      { args: ['--settings=mysite.settings_test'] },
    );
    expect(statuses(chosen)).toEqual({ 'polls/tests.py T > test_good': 'passed' });
  });

  tried("uses the project's own test runner, but for one whose results cannot be judged", async () => {
    const own = `from django.test.runner import DiscoverRunner


class Own(DiscoverRunner):
    def setup_databases(self, **options):
        found = super().setup_databases(**options)
        from polls.models import Question
        Question.objects.create(text="of the runner")
        return found


class Other:
    def __init__(self, **options):
        pass

    def run_tests(self, labels):
        return 0
`;
    const test = tests(
      '    def test_there(self):\n        self.assertEqual(Question.objects.get().text, "of the runner")',
    );
    const files = (name: string) => ({
      'mysite/runner.py': own,
      'mysite/settings.py': settings(`TEST_RUNNER = "mysite.runner.${name}"`),
      'polls/tests.py': test,
    });
    expect(statuses(await run(files('Own')))).toEqual({ 'polls/tests.py T > test_there': 'passed' });
    expect((await run(files('Other'))).cases[0]?.failure?.message).toMatch(/does not extend Django's DiscoverRunner/);
  });

  tried('runs what Django collects: nothing in a directory that is no package', async () => {
    const result = await run({ 'polls/tests/test_a.py': GOOD, 'polls/test_b.py': GOOD });
    expect(result.files).toEqual(['polls/test_b.py']);
  });

  tried('is not deceived by code that the project loads first', async () => {
    const good = { 'polls/tests.py': tests('    def test_bad(self):\n        self.assertEqual(1, 2)') };
    const tricks: readonly Files[] = [
      { 'mysite/settings.py': settings('import unittest\nunittest.TestCase.assertEqual = lambda *a: None') },
      { 'polls/models.py': `import os\nos._exit(0)\n` },
      {
        'mysite/settings.py': settings('TEST_RUNNER = "mysite.runner.R"'),
        'mysite/runner.py':
          'from django.test.runner import DiscoverRunner\nclass R(DiscoverRunner):\n    def run_tests(self, *a, **k):\n        return 0\n',
      },
      {
        'mysite/settings.py': settings('TEST_RUNNER = "mysite.runner.R"'),
        'mysite/runner.py':
          'from django.test import testcases\nfrom django.test.runner import DiscoverRunner as R\ntestcases.SimpleTestCase.__call__ = lambda self, result=None: result.addSuccess(self)\n',
      },
    ];
    for (const trick of tricks) {
      const result = await run({ ...good, ...trick });
      expect([result.outcome, result.cases], result.why).toEqual(['tampered', []]);
    }
  });

  tried('counts the lines that the cases ran', async () => {
    const files = {
      ...DJANGO_PROJECT,
      ...packages,
      'polls/tests.py': tests('    def test_index(self):\n        self.client.get("/")'),
    };
    const { lines } = await host.counted(files, ['polls/views.py']);
    expect(lines?.['polls/views.py']).toEqual([1, 3, 7]);
  });
});
