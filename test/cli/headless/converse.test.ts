import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { ConversationActions } from '../../../src/cli/headless/converse.ts';
import { converse } from '../../../src/cli/headless/converse.ts';
import type { RunWatch } from '../../../src/cli/headless/run-watch.ts';

/** A run that ends at its first signal; messages are answered for as long as nobody stops. */
function conversation(lines: readonly object[]) {
  const sent: string[] = [];
  const stopped = new AbortController();
  const watch = { busy: false, review: null, change: () => Promise.resolve() } as unknown as RunWatch;
  const actions: ConversationActions = {
    stopped: stopped.signal,
    send: (text) => {
      sent.push(text);
      if (sent.length === 2) stopped.abort();
      return Promise.resolve();
    },
    interrupt: () => Promise.resolve(),
    decide: () => Promise.resolve('decided'),
    onSkipped: () => undefined,
  };
  const stdin = Readable.from(lines.map((line) => `${JSON.stringify(line)}\n`));
  return { sent, ended: converse(stdin, '', watch, actions) };
}

it('sends no further message when the process was asked to end', async () => {
  const lines = ['one', 'two', 'three', 'four'].map((text) => ({ type: 'message', text }));
  const { sent, ended } = conversation(lines);
  await ended;
  expect(sent).toEqual(['one', 'two']);
});
