import { describe, expect, test } from 'vitest';
import type { ModelEvent, ReplayTurn } from '../../../src/contracts/model/model.ts';
import type { Emit } from '../../../src/providers/shared/attempt.ts';
import { replayClient } from '../../../src/providers/replay/replay-client.ts';
import { collectAnswer } from '../../support/collect-answer.ts';
import { request } from '../conformance.ts';

async function play(turn: ReplayTurn | undefined, signal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  let id = 0;
  const client = replayClient(() => String((id += 1)));
  const emit: Emit = (event) =>
    Promise.resolve(void (event.type === 'thought' || event.type === 'answering' ? 0 : events.push(event)));
  const outcome = await client.attempt({ ...request, replay_turn: turn }, emit, signal);
  return { outcome, events, answer: collectAnswer(events) };
}

describe('replay', () => {
  test('streams text in pieces that never split a character', async () => {
    const text = '👩‍👩‍👧'.repeat(40);
    const { events, answer } = await play({ text });
    const pieces = events.filter((event) => event.type === 'text_delta').map((event) => event.text);
    expect(answer.text).toBe(text);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  });

  test('gives each call an id of its own', async () => {
    const { outcome, answer } = await play({
      calls: [
        { tool: 'fs.read', input: { path: 'a' } },
        { tool: 'fs.read', input: { path: 'b' } },
      ],
    });
    expect(answer.calls.map(({ id }) => id)).toEqual(['call_1', 'call_2']);
    expect(outcome).toEqual({ kind: 'done', stop: 'tool_calls' });
  });

  test('plays a string as the raw arguments it was', async () => {
    const { answer } = await play({ calls: [{ tool: 'fs.read', input: '{"path": "brok' }] });
    expect(answer.calls[0]?.arguments).toBe('{"path": "brok');
  });

  test('an empty turn is an end', async () => {
    expect((await play({})).outcome).toEqual({ kind: 'done', stop: 'end_turn' });
  });

  test('a missing turn is an error that says so', async () => {
    expect((await play(undefined)).outcome).toMatchObject({ kind: 'failed', code: 'bad_request', retryable: false });
  });

  test('a delay ends when the request is given up', async () => {
    await expect(play({ delay_ms: 600_000 }, AbortSignal.timeout(20))).rejects.toThrow();
  });
});
