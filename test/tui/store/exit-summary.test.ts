import { expect, it } from 'vitest';
import { exitSummary } from '../../../src/tui/store/exit-summary.ts';
import { reduce } from '../../../src/tui/store/reduce/reduce.ts';
import { FINISHED, freshView, REVIEW, USAGE, viewAfter } from '../event-stream.ts';

it('tells time, tokens, money and commits of what was done', () => {
  const view = viewAfter([{ type: 'usage', ...USAGE, cost_usd: 0.0123 }, FINISHED]);
  expect(exitSummary(view)).toBe('12s of work · 1.5k tokens · $0.0123 · commits: 4f3c2d1a09');
});

it('tells of no money where a price is unknown, and of no commit where there was none', () => {
  expect(exitSummary(freshView())).toBe('0s of work · 0 tokens · no commit');
  expect(exitSummary(viewAfter([{ type: 'usage', ...USAGE }]))).toBe('0s of work · 1.5k tokens · no commit');
});

it('names the last commits alone where there are many', () => {
  const commits = Array.from({ length: 7 }, (_, index) => `${index}`.repeat(40));
  expect(exitSummary({ ...freshView(), commits })).toContain('commits: 2 more, 2222222222, ');
});

it('tells of a review that waits, and of no commit that was undone', () => {
  const committed = viewAfter([FINISHED, REVIEW]);
  expect(exitSummary(committed)).toContain('commits: 4f3c2d1a09 · a review waits for you');
  const undone = reduce(committed, { kind: 'commit-undone', commit: FINISHED.commit });
  expect(exitSummary(undone)).toContain('no commit · a review waits for you');
});
