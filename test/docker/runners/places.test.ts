import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { bodies } from '../../support/job/event-bodies.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { FluffyHome, RunResult } from '../../support/job/fluffy-home.ts';
import { giveAway, makeJobProject } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { MODEL_OVER, startModelServices } from '../../support/wire/model-services.ts';
import type { ModelServices } from '../../support/wire/model-services.ts';
import { calls } from '../../support/wire/script.ts';
import type { ScriptedTurn } from '../../support/wire/script.ts';
import { installFromHere } from './installed-packages.ts';
import { STRICT_TASKS } from './strict-tasks.ts';

interface File {
  readonly path: string;
  readonly content: string;
}

interface Job {
  readonly files: Readonly<Record<string, string>>;
  readonly test: File;
  readonly source: File;
  readonly first?: ScriptedTurn;
  /** Where it is started, in the project. */
  readonly cwd?: string;
  prepare(root: string): void;
}

const open: { readonly project: JobProject; readonly home: FluffyHome; readonly models: ModelServices }[] = [];
afterEach(async () => {
  for (const { project, home, models } of open.splice(0)) {
    await home.remove([project.root]);
    await models.close();
    project.remove();
  }
});

/** Plans, writes a test, sees it fail, writes the source, sees it pass, commits. */
async function play({ files, test, source, first, cwd = '', prepare }: Job): Promise<RunResult> {
  const project = makeJobProject({ '.gitignore': 'node_modules\n.venv\n', ...files });
  prepare(project.root);
  giveAway(project.root);
  const run = calls({ tool: 'test.run', input: {} });
  const models = await startModelServices([
    ...(first === undefined ? [] : [first]),
    calls({ tool: 'plan.complete', input: { summary: 'Parse pairs', steps: ['test', 'source'] } }),
    calls({ tool: 'fs.write', input: test }),
    run,
    calls({ tool: 'fs.write', input: source }),
    run,
    calls({ tool: 'git.commit', input: { message: 'Parse pairs' } }),
  ]);
  const home = makeFluffyHome(models.env, models.config);
  open.push({ project, home, models });
  const args = ['-p', 'Parse pairs', '--output-format', 'stream-json', '--model', MODEL_OVER.messages];
  return home.run(args, { cwd: join(project.root, cwd) });
}

/** Of the last run: each case in its file. */
function casesOf({ events }: RunResult): readonly string[] {
  const last = bodies(events, 'test.finished').at(-1);
  return (last?.cases ?? []).map(({ file, name, status }) => `${file}: ${name} ${status}`).sort();
}

const javascript = STRICT_TASKS['node-test'];
const python = STRICT_TASKS['unittest'];

it.runIf(existsSync(resolve('node_modules/jest')))(
  'jest: the projects of one configuration, each by its names',
  async () => {
    const test = (name: string) => `test('${name}', () => expect(1 + 1).toBe(2));\n`;
    const result = await play({
      files: {
        'package.json': '{ "name": "job", "scripts": { "test": "jest" }, "devDependencies": { "jest": "*" } }\n',
        'jest.config.js': `module.exports = { projects: [
        { displayName: 'unit', testMatch: ['<rootDir>/unit/**/*.test.js'] },
        { displayName: 'web', testMatch: ['<rootDir>/web/**/*.test.js'] },
      ] };\n`,
        'unit/old.test.js': test('unit'),
        'web/old.test.js': test('web'),
      },
      test: {
        path: 'web/parse.test.js',
        content:
          "const { parse } = require('./parse.js');\ntest('pair', () => expect(parse('a=1')).toEqual(['a', '1']));\ntest('other', () => expect(parse('b=2=3')).toEqual(['b', '2=3']));\n",
      },
      source: {
        path: 'web/parse.js',
        content:
          "exports.parse = (text) => {\n  const at = text.indexOf('=');\n  return [text.slice(0, at), text.slice(at + 1)];\n};\n",
      },
      prepare: (root) => installFromHere(root, 'jest'),
    });
    expect(casesOf(result)).toEqual([
      'unit/old.test.js: unit passed',
      'web/old.test.js: web passed',
      'web/parse.test.js: other passed',
      'web/parse.test.js: pair passed',
    ]);
    expect(result.events.at(-1)).toMatchObject({ type: 'session.finished', commit: expect.any(String) as string });
  },
);

it('a member of a workspace is tested by the runner of its root, also from inside of it', async () => {
  const old = "import { expect, test } from 'vitest';\ntest('old', () => expect(1 + 1).toBe(2));\n";
  const result = await play({
    files: {
      'package.json':
        '{ "name": "job", "private": true, "type": "module", "workspaces": ["packages/*"], "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "*" } }\n',
      'packages/a/package.json': '{ "name": "a", "type": "module" }\n',
      'packages/a/test/old.test.js': old,
      'packages/b/package.json': '{ "name": "b", "type": "module" }\n',
      'packages/b/test/old.test.js': old,
    },
    test: {
      path: 'packages/a/test/parse.test.js',
      content:
        "import { expect, test } from 'vitest';\nimport { parse } from '../src/parse.js';\ntest('pair', () => expect(parse('a=1')).toEqual(['a', '1']));\ntest('other', () => expect(parse('b=2=3')).toEqual(['b', '2=3']));\n",
    },
    source: { path: 'packages/a/src/parse.js', content: javascript?.source.content ?? '' },
    cwd: 'packages/a',
    prepare: (root) => installFromHere(root, 'vitest'),
  });
  expect(casesOf(result)).toEqual([
    'packages/a/test/old.test.js: old passed',
    'packages/a/test/parse.test.js: other passed',
    'packages/a/test/parse.test.js: pair passed',
    'packages/b/test/old.test.js: old passed',
  ]);
  expect(result.events.at(-1)).toMatchObject({ type: 'session.finished', commit: expect.any(String) as string });
});

it('the virtual environment of a project is that of its tests and of commands', async () => {
  const result = await play({
    files: {
      ...python?.files,
      'tests/test_old.py':
        "import os, sys, unittest\n\n\nclass Old(unittest.TestCase):\n    def test_old(self):\n        self.assertEqual(os.environ['VIRTUAL_ENV'], sys.prefix)\n        self.assertTrue(sys.prefix.endswith('/.venv'))\n",
    },
    test: python?.test ?? { path: '', content: '' },
    source: python?.source ?? { path: '', content: '' },
    first: calls({
      tool: 'shell.run',
      input: {
        command: [
          'python3',
          '-c',
          'import os, sys; assert sys.prefix == os.environ["VIRTUAL_ENV"] and sys.prefix.endswith("/.venv")',
        ],
      },
    }),
    prepare: (root) => {
      execFileSync('/usr/bin/python3', ['-m', 'venv', '--without-pip', '--symlinks', join(root, '.venv')]);
    },
  });
  const said = bodies(result.events, 'tool.finished').find(({ tool }) => tool === 'shell.run');
  expect(said?.summary).toBe('exited with 0');
  expect(casesOf(result)).toContain('tests/test_old.py: Old > test_old passed');
  expect(result.events.at(-1)).toMatchObject({ type: 'session.finished', commit: expect.any(String) as string });
});
