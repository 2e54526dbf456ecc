import { afterAll, beforeAll, expect, it } from 'vitest';
import { goToolchain } from '../../support/go-toolchain.ts';
import { commit, edit, plan, playDeveloper, runTests, say, write } from '../../support/job/developer.ts';
import type { Developer, PlayedDeveloper } from '../../support/job/developer.ts';
import { bodies } from '../../support/job/event-bodies.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { FluffyHome } from '../../support/job/fluffy-home.ts';
import { makeJobProject } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { MODEL_OVER, startModelServices } from '../../support/wire/model-services.ts';
import type { ModelServices } from '../../support/wire/model-services.ts';

const FILES = {
  'web/package.json': '{ "name": "web", "type": "module", "scripts": { "test": "node --test" } }\n',
  'web/src/price.ts': 'export const price = (cents: number): string => `${cents / 100} EUR`;\n',
  'web/test/price.test.ts': `import assert from 'node:assert/strict';
import test from 'node:test';
import { price } from '../src/price.ts';

test('has cents', () => assert.equal(price(1250 + 5), '12.55 EUR'));
`,
  'jobs/setup.py': '',
  'jobs/report.py': 'def total(prices):\n    return sum(prices)\n',
  'jobs/tests/test_report.py': `import unittest
from report import total


class Total(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(total([1, 2]), 3)
`,
  'api/go.mod': 'module example.com/api\n\ngo 1.24\n',
  'api/price.go':
    'package api\n\nimport "fmt"\n\nfunc Price(cents int) string { return fmt.Sprintf("%d.%d EUR", cents/100, cents%100) }\n',
  'api/price_test.go':
    'package api\n\nimport "testing"\n\nfunc TestPrice(t *testing.T) {\n\tif got := Price(1255); got != "12.55 EUR" {\n\t\tt.Error(got)\n\t}\n}\n',
};

function* fixing(): Developer {
  yield say(
    'A price has two digits for cents in both languages.',
    plan('Two digits', 'Tests', 'Sources'),
    write(
      'web/test/digits.test.ts',
      "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { price } from '../src/price.ts';\n\ntest('has two digits', () => assert.equal(price(1210), '12.10 EUR'));\n",
    ),
    write(
      'api/digits_test.go',
      'package api\n\nimport "testing"\n\nfunc TestDigits(t *testing.T) {\n\tif got := Price(1205); got != "12.05 EUR" {\n\t\tt.Error(got)\n\t}\n}\n',
    ),
    runTests(),
  );
  yield say(
    '',
    edit('web/src/price.ts', '${cents / 100} EUR', '${(cents / 100).toFixed(2)} EUR'),
    edit('api/price.go', '%d.%d EUR', '%d.%02d EUR'),
    runTests(),
  );
  yield say('', commit('Two digits for cents'));
}

let models: ModelServices;
let home: FluffyHome;
let developer: PlayedDeveloper;
let project: JobProject | null = null;
let hasGo = false;

beforeAll(async () => {
  hasGo = (await goToolchain()) !== null;
  models = await startModelServices((request) => developer.script(request));
  home = makeFluffyHome(models.env, models.config);
}, 900_000);

afterAll(async () => {
  await home.remove(project === null ? [] : [project.root]);
  await models.close();
  project?.remove();
});

it('a task touches two of three packages, each tested by its own runner', async ({ skip }) => {
  skip(!hasGo, 'this machine has no Go');
  project = makeJobProject(FILES);
  developer = playDeveloper(fixing());
  const args = ['-p', 'Fix the digits', '--output-format', 'stream-json', '--model', MODEL_OVER.messages];
  const { code, stderr, events } = await home.run(args, { cwd: project.root });
  const story = bodies(events, 'tool.finished').map(
    ({ tool, ok, summary, error }) => `${ok ? '✓' : '✗'} ${tool} ${summary} ${error?.message ?? ''}`,
  );
  expect({ code, stderr }, story.join('\n')).toEqual({ code: 0, stderr: '' });
  const [red, green] = bodies(events, 'test.finished');
  const named = (status: string) =>
    (status === 'failed' ? red : green)?.cases
      ?.filter((each) => each.status === status)
      .map(({ file, name }) => `${file} ${name}`)
      .toSorted();
  expect(named('failed')).toEqual(['api/digits_test.go TestDigits', 'web/test/digits.test.ts has two digits']);
  expect(named('passed')).toEqual([
    'api/digits_test.go TestDigits',
    'api/price_test.go TestPrice',
    'jobs/tests/test_report.py Total > test_sum',
    'web/test/digits.test.ts has two digits',
    'web/test/price.test.ts has cents',
  ]);
  expect(project.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n').sort()).toEqual([
    'api/digits_test.go',
    'api/price.go',
    'web/src/price.ts',
    'web/test/digits.test.ts',
  ]);
});
