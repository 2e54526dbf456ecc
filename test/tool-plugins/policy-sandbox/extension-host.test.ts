import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ExtensionRequest } from '../../../src/contracts/policy-extension.ts';
import { ExtensionHost } from '../../../tool-plugins/policy-sandbox/extension-host.ts';
import type { IsolatedWorker } from '../../../tool-plugins/policy-sandbox/extension-host.ts';
import type { ToWorker } from '../../../tool-plugins/policy-sandbox/worker-messages.ts';

const REQUEST: ExtensionRequest = { syscall: 'fs.write', state: 'idle', mode: 'strict', tags: [] };

/** A worker that is played by the test. */
class PlayedWorker implements IsolatedWorker {
  readonly got: ToWorker[] = [];
  terminated = false;
  say: (data: unknown) => void = () => undefined;
  fail: (message: string) => void = () => undefined;
  onPost: (message: ToWorker) => void = () => undefined;

  postMessage(message: ToWorker): void {
    this.got.push(message);
    this.onPost(message);
  }
  onMessage(listener: (data: unknown) => void): void {
    this.say = listener;
  }
  onError(listener: (message: string) => void): void {
    this.fail = listener;
  }
  terminate(): void {
    this.terminated = true;
  }
}

let worker: PlayedWorker;
let host: ExtensionHost;
beforeEach(() => {
  worker = new PlayedWorker();
  host = new ExtensionHost('judge', worker);
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

const idOf = (message: ToWorker): number => (message.kind === 'evaluate' ? message.id : -1);

test('what the worker answers is the answer', async () => {
  worker.onPost = (message) =>
    worker.say(
      message.kind === 'load'
        ? { kind: 'loaded' }
        : { kind: 'answered', id: message.id, answer: { decision: 'allow' } },
    );
  await host.load('source', 1000);
  expect(host.failure).toBeNull();
  expect(await host.evaluate(REQUEST, 100)).toEqual({ kind: 'answered', name: 'judge', answer: { decision: 'allow' } });
  expect(worker.got[0]).toEqual({ kind: 'load', name: 'judge', source: 'source' });
});

describe('ends the worker, and fails from then on', () => {
  const allow = { decision: 'allow' };
  test.each<[string, (message: ToWorker) => void, RegExp]>([
    ['no answer', () => void vi.advanceTimersByTimeAsync(100), /no answer within 100 ms/],
    [
      'an exception in the function',
      (message) => worker.say({ kind: 'failed', id: idOf(message), what: 'it threw' }),
      /it threw/,
    ],
    [
      'an exception outside of it',
      () => worker.fail('Uncaught Error: later'),
      /outside of its function: Uncaught Error: later/,
    ],
    [
      'an answer to another question',
      (message) => worker.say({ kind: 'answered', id: idOf(message) + 1, answer: allow }),
      /not requested/,
    ],
    ['a second loading', () => worker.say({ kind: 'loaded' }), /not requested/],
    [
      'an unknown decision',
      (message) => worker.say({ kind: 'answered', id: idOf(message), answer: { decision: 'yes' } }),
      /malformed/,
    ],
    ['an answer of another form', () => worker.say('allow'), /malformed/],
    [
      'control characters',
      (message) => worker.say({ kind: 'answered', id: idOf(message), answer: { ...allow, reason: 'a\u001b[2J' } }),
      /malformed/,
    ],
    [
      'a long reason',
      (message) => worker.say({ kind: 'answered', id: idOf(message), answer: { ...allow, reason: 'x'.repeat(501) } }),
      /malformed/,
    ],
  ])('%s', async (_title, onPost, failure) => {
    worker.onPost = onPost;
    const outcome = await host.evaluate(REQUEST, 100);
    expect(outcome).toEqual({ kind: 'failed', name: 'judge', failure: expect.stringMatching(failure) as string });
    expect(worker.terminated).toBe(true);
    worker.onPost = (message) => worker.say({ kind: 'answered', id: idOf(message), answer: allow });
    expect(await host.evaluate(REQUEST, 100)).toEqual(outcome);
  });

  test('something said unasked', async () => {
    worker.say({ kind: 'answered', id: 1, answer: allow });
    expect(worker.terminated).toBe(true);
    expect((await host.evaluate(REQUEST, 100)).kind).toBe('failed');
  });

  test('an answer before it is loaded', async () => {
    worker.onPost = () => worker.say({ kind: 'answered', id: 0, answer: allow });
    await host.load('', 100);
    expect(host.failure).toBe('it sent a message that was not requested');
  });

  test('a source that cannot be loaded', async () => {
    worker.onPost = () => worker.say({ kind: 'refused', what: 'SyntaxError: two\nlines' });
    await host.load('', 100);
    expect(host.failure).toBe('SyntaxError: two lines');
  });
});
