import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { afterEach, expect, it } from 'vitest';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import { makeJobProject } from '../../support/job/job-project.ts';
import { STRICT_STATES } from '../../support/job/parse-config-turns.ts';
import { startAnthropicServer } from '../../support/wire/anthropic-server.ts';
import { calls } from '../../support/wire/script.ts';

/** `ms` as the registry has it: somebody else's project, written without any thought of us. It cannot read months. */
const MS = dirname(createRequire(import.meta.url).resolve('ms/package.json'));
const FILES = ['index.js', 'package.json', 'readme.md', 'license.md'];

const TEST = `const assert = require('node:assert/strict');
const { test } = require('node:test');
const ms = require('..');

const MONTH = 1000 * 60 * 60 * 24 * (365.25 / 12);

for (const text of ['1mo', '1 month', '1 months']) {
  test('reads ' + text, () => assert.equal(ms(text), MONTH));
}
test('does not take minutes for months', () => assert.equal(ms('1m'), 60000));
test('takes months in any case', () => assert.equal(ms('2 MONTHS'), 2 * MONTH));
`;

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

it('adds a feature test-first to a package from the registry', async () => {
  const files = Object.fromEntries(FILES.map((name) => [name, readFileSync(join(MS, name), 'utf8')]));
  const project = makeJobProject({ ...files, '.fluffy/config.yaml': 'test:\n  runner: node-test\n' }, 'ms');
  const regexEdit = { old_string: 'weeks?|w|years?', new_string: 'weeks?|w|months?|mo|years?' };
  const unitEdit = { old_string: 'var y = d * 365.25;', new_string: 'var y = d * 365.25;\nvar mo = y / 12;' };
  const caseEdit = {
    old_string: "    case 'weeks':\n",
    new_string: "    case 'months':\n    case 'month':\n    case 'mo':\n      return n * mo;\n    case 'weeks':\n",
  };
  const model = await startAnthropicServer([
    calls({ tool: 'fs.read', input: { path: 'index.js' } }, { tool: 'fs.read', input: { path: 'readme.md' } }),
    calls({ tool: 'plan.complete', input: { summary: 'Read months', steps: ['test', 'regex, unit, case'] } }),
    calls({ tool: 'fs.write', input: { path: 'test/months.test.js', content: TEST } }),
    calls({ tool: 'test.run', input: { paths: ['test/months.test.js'] } }),
    // Three edits of one file in one message: they must not run side by side.
    calls(
      { tool: 'fs.edit', input: { path: 'index.js', ...regexEdit } },
      { tool: 'fs.edit', input: { path: 'index.js', ...unitEdit } },
      { tool: 'fs.edit', input: { path: 'index.js', ...caseEdit } },
    ),
    calls({ tool: 'test.run', input: {} }),
    calls({ tool: 'git.commit', input: { message: 'Read months' } }),
  ]);
  const home = makeFluffyHome({ FLUFFY_ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-test' });
  close = async () => {
    await home.remove([project.root]);
    await model.close();
    project.remove();
  };

  const result = await home.run(
    ['-p', 'Let ms read months', '--output-format', 'stream-json', '--model', 'anthropic/claude-test'],
    { cwd: project.root },
  );
  expect(result.code).toBe(0);
  const states = result.events.flatMap((event) => (event.type === 'state.changed' ? [event.to] : []));
  expect(states).toEqual(STRICT_STATES);
  expect(project.git('rev-list', '--count', 'HEAD').trim()).toBe('2');
  expect(project.git('status', '--porcelain')).toBe('');
  const value = execFileSync('node', ['-p', "require('./index.js')('1 month')"], {
    cwd: project.root,
    encoding: 'utf8',
  });
  expect(Number(value)).toBe(2_629_800_000);
});
