import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { runHeadless } from '../../../src/cli/headless/run-headless.ts';
import { capturedOutput } from '../../support/cli/captured-output.ts';
import { headlessArguments } from '../../../src/cli/run-task.ts';
import { readRunLine } from '../../support/cli/read-line.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';

const made: RealRepository[] = [];
afterEach(() => {
  for (const each of made.splice(0)) each.remove();
});

describe('a signal before there is a session', () => {
  it.each([
    ['interrupt', 130],
    ['terminate', 143],
  ] as const)('%s: ends with %i and a last line, without waiting for its input', async (signal, code) => {
    const project = makeRepository();
    made.push(project);
    project.write('package.json', '{ "scripts": { "test": "node --test" } }\n');
    project.commit('Begin');
    const argv = ['-p', 'x', '--output-format', 'stream-json', '--project', project.root, '--allow-root'];
    const output = capturedOutput();
    const handlers: ((signal: 'interrupt' | 'terminate') => void)[] = [];
    const running = runHeadless({
      args: headlessArguments(await readRunLine(...argv, '--model', 'anthropic/claude-test')),
      env: { HOME: `${project.root}-home`, GIT_CONFIG_NOSYSTEM: '1', ANTHROPIC_API_KEY: 'sk-ant-test' },
      output,
      stdin: new PassThrough() as unknown as NodeJS.ReadStream,
      signals: { onSignal: (handler) => void handlers.push(handler) },
      nowMs: () => 1_000,
      after: () => () => undefined,
      connect: () => Promise.reject(new Error('it must not come so far')),
    });
    for (const handler of handlers) handler(signal);
    expect(await running).toBe(code);
    expect(JSON.parse(output.text.stdout)).toMatchObject({
      type: 'session.finished',
      session_id: null,
      seq: 1,
      ts: 1_000,
      status: 'cancelled',
      exit_code: code,
    });
    expect(output.text.stderr).toMatch(/^ERROR: Interrupted before the task began\n/);
  });
});
