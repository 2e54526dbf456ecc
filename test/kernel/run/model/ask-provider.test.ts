import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelRequest } from '../../../../src/contracts/model/model.ts';
import { askProvider } from '../../../../src/kernel/run/model/ask-provider.ts';
import { settle } from '../../../support/standing-clock.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const request: ModelRequest = {
  model: 'm',
  system: '',
  messages: [],
  tools: [],
  max_output_tokens: 10,
  deadline_ms: 600_000,
};
const text: ModelEvent = { type: 'text_delta', text: 'So' };

/** A request that answers only with what the test sends. */
function silentProvider() {
  const kernel = testKernel();
  const end = Promise.withResolvers<void>();
  let send: (event: ModelEvent) => void = () => undefined;
  const provider = {
    chat: (_request: ModelRequest, onEvent: (event: ModelEvent) => void) => {
      send = onEvent;
      return end.promise;
    },
  };
  const taken: ModelEvent[] = [];
  const asked = { model: 'openai/m', request, take: (event: ModelEvent) => void taken.push(event) };
  const done = askProvider(
    kernel,
    { of: () => Promise.resolve(provider) },
    { ...asked, signal: new AbortController().signal },
  );
  const words = () => kernel.eventsOf('notice').map(({ code, what }) => `${code}: ${what}`);
  return { kernel, words, taken, send: (event: ModelEvent) => send(event), end: () => end.resolve(), done };
}

describe('a request whose program is lost', () => {
  const lost: ModelEvent = { type: 'failed', code: 'program_failed', message: 'SIGKILL', retryable: false };
  const done: ModelEvent = { type: 'done', stop: 'end_turn' };
  const again = { type: 'restart', attempt: 2, after_ms: 0, code: 'program_failed', message: 'SIGKILL' };

  it.each<[string, ModelEvent[][], unknown[]]>([
    [
      'is made once more',
      [
        [text, lost],
        [text, done],
      ],
      [text, again, text, done],
    ],
    ['fails when the next one is lost too', [[lost], [lost], [done]], [again, lost]],
    [
      'is made once where it failed otherwise',
      [[{ ...lost, code: 'protocol' }], [done]],
      [{ ...lost, code: 'protocol' }],
    ],
  ])('%s', async (_, answers, expected) => {
    const taken: ModelEvent[] = [];
    const of = () =>
      Promise.resolve({
        chat: (_request: ModelRequest, onEvent: (event: ModelEvent) => void) => {
          for (const event of answers.shift() ?? []) onEvent(event);
          return Promise.resolve();
        },
      });
    const { signal } = new AbortController();
    await askProvider(
      testKernel(),
      { of },
      { model: 'openai/m', request, take: (event) => void taken.push(event), signal },
    );
    expect(taken).toEqual(expected);
  });
});

describe('a provider that sends nothing', () => {
  it('is reported after 30 seconds, and each time that twice as long has passed', async () => {
    const { kernel, words, end, done } = silentProvider();
    await kernel.advance(29_999);
    expect(words()).toEqual([]);
    for (const ms of [1, 30_000, 59_999, 1]) await kernel.advance(ms);
    expect(words()).toEqual([
      'provider_silent: No answer for 30 s',
      'provider_silent: No answer for 1 min',
      'provider_silent: No answer for 2 min',
    ]);
    end();
    await done;
    await kernel.advance(600_000);
    expect(words()).toHaveLength(3);
  });

  it('is reported again where it falls silent in the middle of an answer', async () => {
    const { kernel, words, taken, send } = silentProvider();
    await kernel.advance(20_000);
    send(text);
    await kernel.advance(29_000);
    expect(words()).toEqual([]);
    await kernel.advance(1_000);
    expect(words()).toEqual(['provider_silent: No answer for 30 s']);
    send(text);
    await kernel.advance(30_000);
    expect(words()).toHaveLength(2);
    expect(taken).toEqual([text, text]);
  });

  it('is not reported while it is left alone for as long as it wants', async () => {
    const { kernel, words, send } = silentProvider();
    await settle();
    send({ type: 'restart', attempt: 2, after_ms: 60_000, code: 'overloaded', message: 'busy' });
    await kernel.advance(60_000);
    expect(words()).toEqual([]);
    await kernel.advance(30_000);
    await settle();
    expect(words()).toHaveLength(1);
  });
});
