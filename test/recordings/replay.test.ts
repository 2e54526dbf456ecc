import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/contracts/exit-codes.ts';
import { readRecordings, RECORDINGS, WITHOUT_RECORDINGS } from './read-recordings.ts';
import { PLAYS, replay } from './replay.ts';
import type { Play, Replay } from './replay.ts';

/** How a run may end that nobody interrupts and whose model always answers. */
const FITTING: readonly number[] = [EXIT.done, EXIT.failed, EXIT.decisionNeeded, EXIT.policyDenied, EXIT.gate];
const MINUTES = 60_000;

/** What went wrong in a replay that ended; nothing of it may. */
function faultsOf({ kernel }: Replay): readonly string[] {
  const { session, eventsOf } = kernel;
  const ends = eventsOf('session.finished');
  const asked = session.history().flatMap((message) => (message.role === 'assistant' ? message.calls : []));
  const results = session.history().flatMap((message) => (message.role === 'tool' ? message.results : []));
  const answered = new Map(results.map((result) => [result.call_id, result]));
  return [
    ...ends
      .filter(({ exit_code: code }) => !FITTING.includes(code))
      .map((end) => `exit ${end.exit_code}: ${end.summary}`),
    ...eventsOf('error').map(({ code, why }) => `${code}: ${why}`),
    ...(results.length === asked.length ? [] : [`${asked.length} calls, ${results.length} results`]),
    ...asked.filter(({ call_id: id }) => !answered.has(id)).map(({ tool }) => `no result for ${tool}`),
    ...results
      .filter(({ ok, content }) => !ok && !/^\w+: .{12}/s.test(content))
      .map(({ content }) => `bare: ${content}`),
  ];
}

describe.skipIf(RECORDINGS === null)(`recorded models (${RECORDINGS ?? WITHOUT_RECORDINGS})`, () => {
  it.each(PLAYS)(
    'played %s: every run ends with a code that fits, and every call is answered',
    async (play: Play) => {
      const conversations = readRecordings(RECORDINGS ?? '');
      expect(conversations.length, 'conversations found').toBeGreaterThan(0);
      const faults: string[] = [];
      const refusals = new Map<string, number>();
      let calls = 0;
      for (const conversation of conversations) {
        const played = await replay(conversation, play);
        faults.push(...faultsOf(played).map((fault) => `${conversation.name}: ${fault}`));
        expect(played.played, conversation.name).toBe(conversation.turns.length);
        for (const message of played.kernel.session.history()) {
          for (const { ok, content } of message.role === 'tool' ? message.results : []) {
            const code = ok ? 'answered' : (/^\w+/.exec(content)?.[0] ?? '');
            refusals.set(code, (refusals.get(code) ?? 0) + 1);
            calls += 1;
          }
        }
      }
      const counts = [...refusals].sort(([, a], [, b]) => b - a).map(([code, count]) => `${code} ${count}`);
      process.stderr.write(`${play}: ${conversations.length} conversations, ${calls} calls: ${counts.join(', ')}\n`);
      expect(faults).toEqual([]);
    },
    30 * MINUTES,
  );
});
