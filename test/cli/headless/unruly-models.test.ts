import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anthropicClient } from '../../../src/providers/anthropic/anthropic-client.ts';
import { cliScene } from '../../support/cli/cli-scene.ts';
import type { CliScene } from '../../support/cli/cli-scene.ts';
import { COMMIT, PLAN, RUN_TESTS, STRAIGHT, WRITE_SOURCE, WRITE_TEST } from '../../support/job/parse-config-turns.ts';
import { wireModel } from '../../support/kernel/wire-model.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';
import { startAnthropicServer } from '../../support/wire/anthropic-server.ts';
import { OVER, calls, turn } from '../../support/wire/script.ts';
import type { ScriptedReply } from '../../support/wire/script.ts';
import type { WireServer } from '../../support/wire/wire-server.ts';

/** Whole headless runs in this process, over the vendor's real client. With a provider's sandbox: test/docker/job/unruly-models.test.ts. */

const MAX_ATTEMPTS = 8;

interface Case {
  readonly name: string;
  readonly script: readonly ScriptedReply[];
  readonly args?: readonly string[];
  readonly code: number;
  readonly status: string;
}

const overloaded = {
  kind: 'error',
  status: 529,
  type: 'overloaded_error',
  message: 'Overloaded',
  headers: { 'retry-after-ms': '20' },
} as const;

/** How models and their vendors misbehave, and what each run must end with. A run that does not commit leaves the project as it was. */
const CASES: readonly Case[] = [
  {
    name: 'slow, and split at every byte',
    script: STRAIGHT.map((each) => ({ ...each, beforeMs: 50, bytesPerWrite: 1 })),
    code: 0,
    status: 'committed',
  },
  {
    name: 'a stream cut in the middle of a tool call is asked again, once, and nothing is doubled',
    script: [PLAN, { ...WRITE_TEST, cutAfterEvents: 6 }, WRITE_TEST, RUN_TESTS, WRITE_SOURCE, RUN_TESTS, COMMIT],
    code: 0,
    status: 'committed',
  },
  { name: 'overloaded twice', script: [overloaded, overloaded, ...STRAIGHT], code: 0, status: 'committed' },
  {
    name: 'malformed arguments',
    script: [
      PLAN,
      calls({ tool: 'fs.write', rawArguments: '{"path": "test/bad-config.test.js", "content": "' }),
      ...STRAIGHT.slice(1),
    ],
    code: 0,
    status: 'committed',
  },
  {
    name: 'an unknown tool and five calls at once',
    script: [
      calls(
        { tool: 'str_replace_editor', input: { command: 'view' } },
        { tool: 'fs.read', input: { path: 'package.json' } },
        { tool: 'fs.exists', input: { path: 'nope' } },
        { tool: 'search.glob', input: { pattern: '**/*.js' } },
        { tool: 'git.status', input: {} },
      ),
      ...STRAIGHT,
    ],
    code: 0,
    status: 'committed',
  },
  { name: 'an answer without tools', script: [turn({ text: 'parseConfig reads JSON.' })], code: 0, status: 'done' },
  {
    name: 'never calls git.commit',
    script: [...STRAIGHT.slice(0, -1), turn({ text: 'All done!' }), turn({ text: 'As I said, done.' })],
    code: 0,
    status: 'committed',
  },
  {
    name: 'stops in the middle',
    script: [PLAN, turn({ text: 'Tests are boring.' }), turn({ text: 'Really.' }), turn({ text: 'No.' })],
    code: 1,
    status: 'failed',
  },
  {
    name: 'gives up after the source was refused',
    script: [PLAN, WRITE_SOURCE, calls({ tool: 'task.give_up', input: { reason: 'I may not write the source' } })],
    code: 9,
    status: 'failed',
  },
  {
    name: 'gives up after policy refused',
    script: [
      PLAN,
      calls({ tool: 'fs.read', input: { path: '.env' } }),
      calls({ tool: 'task.give_up', input: { reason: 'I need .env' } }),
    ],
    code: 8,
    status: 'failed',
  },
  {
    name: 'a wrong key',
    script: [{ kind: 'error', status: 401, type: 'authentication_error', message: 'invalid x-api-key' }],
    code: 6,
    status: 'failed',
  },
  {
    name: 'an unknown model',
    script: [{ kind: 'error', status: 404, type: 'not_found_error', message: 'model: claude-test' }],
    code: 6,
    status: 'failed',
  },
  { name: 'more turns than allowed', script: STRAIGHT, args: ['--max-turns', '2'], code: 5, status: 'failed' },
  { name: 'more tokens than allowed', script: STRAIGHT, args: ['--max-tokens', '150'], code: 5, status: 'failed' },
  {
    name: 'a test that passes already',
    script: [
      PLAN,
      calls({
        tool: 'fs.write',
        input: { path: 'test/b.test.js', content: "import test from 'node:test'; test('x', () => {});" },
      }),
      RUN_TESTS,
      calls({ tool: 'task.give_up', input: { reason: 'it passes' } }),
    ],
    code: 9,
    status: 'failed',
  },
];

let playing: readonly ScriptedReply[] = [];
let begun = 0;
let model: WireServer;
let scene: CliScene;
beforeAll(async () => {
  model = await startAnthropicServer(({ index }) => playing[index - begun] ?? OVER);
  const chat = wireModel(anthropicClient, { wire: 'messages', base_url: model.url }, MAX_ATTEMPTS);
  scene = await cliScene({ chat });
});
afterAll(async () => {
  await scene.close();
  await model.close();
});

describe('a run ends well, or with its own exit code, with a model that is', { timeout: 60_000 }, () => {
  it.each(CASES)('$name', async ({ script, args = [], code, status }) => {
    const { project } = scene;
    scene.begin([]);
    playing = script;
    begun = model.requests.length;
    const before = snapshotTree(project.root);
    const result = await scene.run(['-p', 'Add error handling', ...args]);
    const last = result.events.at(-1);
    expect({
      code: result.code,
      last: last?.type,
      ...(last?.type === 'session.finished' ? { status: last.status, exit: last.exit_code } : {}),
    }).toEqual({
      code,
      last: 'session.finished',
      status,
      exit: code,
    });
    expect(project.git('rev-list', '--count', 'HEAD').trim()).toBe(status === 'committed' ? '2' : '1');
    if (status !== 'committed') expect(snapshotTree(project.root)).toEqual(before);
    expect(result.events.map((event) => event.seq)).toEqual(result.events.map((_, index) => index + 1));
  });
});
