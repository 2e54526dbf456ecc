import { afterAll, expect, it } from 'vitest';
import { PLAN, STRAIGHT, WRITE_TEST } from '../../support/job/parse-config-turns.ts';
import { sharedScene } from '../../support/job/shared-scene.ts';
import { calls, turn } from '../../support/wire/script.ts';
import type { Script } from '../../support/wire/script.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';

/** What a provider's sandbox adds. How models and vendors misbehave, one by one: test/cli/headless/unruly-models.test.ts, in one process. */

const overloaded = {
  kind: 'error',
  status: 529,
  type: 'overloaded_error',
  message: 'Overloaded',
  headers: { 'retry-after-ms': '20' },
} as const;

const slow = { beforeMs: 50, bytesPerWrite: 1 } as const;

/** One after the other in one run: overloaded, an unknown tool, a stream that is cut in a call, arguments that are no JSON, no commit at the end. */
const UNRULY: Script = [
  overloaded,
  overloaded,
  calls(
    { tool: 'str_replace_editor', input: { command: 'view' } },
    { tool: 'fs.read', input: { path: 'package.json' } },
    { tool: 'fs.exists', input: { path: 'nope' } },
    { tool: 'search.glob', input: { pattern: '**/*.js' } },
    { tool: 'git.status', input: {} },
  ),
  { ...PLAN, ...slow },
  { ...WRITE_TEST, cutAfterEvents: 6 },
  calls({ tool: 'fs.write', rawArguments: '{"path": "test/bad-config.test.js", "content": "' }),
  ...STRAIGHT.slice(1, -1).map((each) => ({ ...each, ...slow })),
  turn({ text: 'All done!' }),
  turn({ text: 'As I said, done.' }),
];

const shared = sharedScene();
afterAll(() => shared.close());

it('a model that is unruly in every way, behind a vendor that is slow and overloaded, ends in one commit', async () => {
  const { project, run, model } = await shared.begin(UNRULY);
  const result = await run(['-p', 'Add error handling']);
  expect(result.events.at(-1)).toMatchObject({ type: 'session.finished', status: 'committed', exit_code: 0 });
  expect(result.code).toBe(0);
  expect(model.requests).toHaveLength(UNRULY.length);
  expect(project.git('rev-list', '--count', 'HEAD').trim()).toBe('2');
  expect(result.events.map((event) => event.seq)).toEqual(result.events.map((_, index) => index + 1));
});

it('a wrong key ends the run with its own exit code, and the project as it was', async () => {
  const { project, run } = await shared.begin([
    { kind: 'error', status: 401, type: 'authentication_error', message: 'invalid x-api-key' },
  ]);
  const before = snapshotTree(project.root);
  const result = await run(['-p', 'Add error handling']);
  expect(result.events.at(-1)).toMatchObject({ type: 'session.finished', status: 'failed', exit_code: 6 });
  expect(result.code).toBe(6);
  expect(snapshotTree(project.root)).toEqual(before);
});
