import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import type { ConnectedKernel } from '../../../src/cli/connect-kernel.ts';
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

type Deaf = 'connect' | 'start' | 'message' | 'interrupt';

/** A run whose kernel stops to answer at `deaf`, on a clock that is turned by hand. */
async function scene(deaf: Deaf, ...options: string[]) {
  const project = makeRepository();
  made.push(project);
  project.write('package.json', '{ "scripts": { "test": "node --test" } }\n');
  project.commit('Begin');
  const requested: string[] = [];
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();
  let nowMs = 0;
  let signal: (signal: 'interrupt' | 'terminate') => void = () => undefined;
  const never = new Promise<never>(() => undefined);
  const answer = <T>(what: Deaf, value: T) => (deaf === what ? never : Promise.resolve(value));
  const client = {
    start: () => answer('start', 's_1'),
    request: (method: string, params: { signal?: string }) => {
      requested.push([method, params.signal].filter((part) => part !== undefined).join(' '));
      return method === 'session.message' ? answer('message', {}) : never;
    },
  };
  const kernel = { client, givenUp: never, close: () => undefined } as unknown as ConnectedKernel;
  const output = capturedOutput();
  const stdin = new PassThrough();
  stdin.end();
  const running = runHeadless({
    args: headlessArguments(
      await readRunLine('-p', 'x', '--output-format', 'json', '--project', project.root, '--allow-root', ...options),
    ),
    env: { HOME: `${project.root}-home`, GIT_CONFIG_NOSYSTEM: '1', ANTHROPIC_API_KEY: 'sk-ant-test' },
    output,
    stdin: stdin as unknown as NodeJS.ReadStream,
    signals: { onSignal: (handler) => void (signal = handler) },
    nowMs: () => nowMs,
    after: (ms, callback) => {
      const timer = { atMs: nowMs + ms, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    connect: () => answer('connect', kernel),
  });
  let code: number | null = null;
  void running.then((ended) => (code = ended));
  /** Lets everything happen that happens without the clock. */
  const settle = async () => {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const settled = async () => {
    // Reading project and configuration takes real time.
    for (let turn = 0; turn < 200 && timers.size === 0 && code === null; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    await settle();
  };
  await settled();
  return {
    output,
    requested,
    ended: () => code,
    signal: async (which: 'interrupt' | 'terminate') => {
      signal(which);
      await settle();
    },
    pass: async (ms: number) => {
      nowMs += ms;
      for (const timer of [...timers]) {
        if (timer.atMs > nowMs) continue;
        timers.delete(timer);
        timer.callback();
      }
      await settle();
    },
  };
}

const ANTHROPIC = ['--model', 'anthropic/claude-test'];

describe('a kernel that never answers', () => {
  it.each<Deaf>(['connect', 'start', 'message', 'interrupt'])(
    '%s: --max-duration ends the run with exit 5 and a last line, after a grace time',
    async (deaf) => {
      const run = await scene(deaf, '--max-duration', '1m', ...ANTHROPIC);
      await run.pass(74_999);
      expect(run.ended()).toBeNull();
      await run.pass(1);
      expect(run.ended()).toBe(5);
      expect(JSON.parse(run.output.text.stdout)).toMatchObject({
        type: 'session.finished',
        status: 'failed',
        exit_code: 5,
      });
      expect(run.output.text.stderr).toContain('--max-duration');
      expect(run.requested.includes('session.interrupt interrupt')).toBe(deaf === 'message' || deaf === 'interrupt');
    },
  );

  it.each([
    ['terminate', 143, 'SIGTERM'],
    ['interrupt', 130, 'SIGINT'],
  ] as const)('%s: ends with %i and a last line, ten seconds after the signal', async (signal, exit, name) => {
    const run = await scene('interrupt', '--max-duration', '1h', ...ANTHROPIC);
    await run.signal(signal);
    expect(run.requested.at(-1)).toBe(`session.interrupt ${signal}`);
    await run.pass(9_999);
    expect(run.ended()).toBeNull();
    await run.pass(1);
    expect(run.ended()).toBe(exit);
    expect(JSON.parse(run.output.text.stdout)).toMatchObject({ status: 'cancelled', exit_code: exit });
    expect(run.output.text.stderr).toContain(name);
  });

  it.each<Deaf>(['connect', 'start'])('%s: a signal before there is a session ends at once', async (deaf) => {
    const run = await scene(deaf, '--max-duration', '1h', ...ANTHROPIC);
    await run.signal('terminate');
    expect(run.ended()).toBe(143);
  });
});
