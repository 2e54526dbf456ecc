import { describe, expect, it } from 'vitest';
import type { EventBody, FluffyEvent } from '../../../src/contracts/session/events.ts';
import { RunWatch } from '../../../src/cli/headless/run-watch.ts';

function stream(watch: RunWatch): (body: EventBody) => void {
  let seq = 0;
  return (body) => {
    seq += 1;
    watch.see({ ...body, session_id: 's_1', seq, ts: seq } as FluffyEvent);
  };
}

const said = (id: string): EventBody => ({ type: 'message.user', text: 'the same in all', message_id: id });
const ended = (summary: string): EventBody => ({
  type: 'session.finished',
  status: 'done',
  exit_code: 0,
  files_changed: [],
  summary,
  duration_ms: 1,
  usage: { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0 },
  audit_head: null,
});
const asked = (reasons: string[]): EventBody => ({
  type: 'review.requested',
  review_id: 'r_1',
  kind: 'merge',
  risk: 'low',
  reasons,
  diff: '',
  sha256: '',
});

describe('RunWatch', () => {
  it("does not take the end of another's run for the end of ours", async () => {
    const watch = new RunWatch();
    const see = stream(watch);
    const own = watch.expect('mine');
    see(said('theirs'));
    see(ended('theirs'));
    expect(watch.busy).toBe(true);
    see(said('mine'));
    see(ended('ours'));
    expect(watch.busy).toBe(false);
    expect(await own).toMatchObject({ summary: 'ours' });
    expect(watch.finished).toMatchObject({ summary: 'ours' });
  });

  it('knows a review that waits for a person from one that policy decides', () => {
    const watch = new RunWatch();
    const see = stream(watch);
    see(asked([]));
    expect(watch.review).toBeNull();
    see(asked(['a sensitive file']));
    expect(watch.review).toMatchObject({ review_id: 'r_1' });
    see({ type: 'review.decided', review_id: 'r_1', decision: 'approved', by: 'human' });
    expect(watch.review).toBeNull();
  });

  it('lets go of a review when its run has ended', () => {
    const watch = new RunWatch();
    const see = stream(watch);
    see(asked(['x']));
    see(ended('waiting'));
    expect(watch.review).toBeNull();
  });
});
