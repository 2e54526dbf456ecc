import { expect, it } from 'vitest';
import { tipFor } from '../../../src/tui/menu/tips.ts';
import { liveRegion } from '../../../src/tui/store/live-rows.ts';
import { reduce } from '../../../src/tui/store/reduce/reduce.ts';
import type { Action } from '../../../src/tui/store/reduce/reduce.ts';
import { safeLine } from '../../../src/tui/store/safe-text.ts';
import { freshView, START_MS } from '../event-stream.ts';

function shown(...actions: readonly Action[]): string {
  const view = actions.reduce(reduce, freshView());
  const { rows } = liveRegion(view, { columns: 200, rows: 24 }, START_MS);
  return rows
    .flatMap((row) => (row.kind === 'hint' ? row.row.map(({ text }) => text) : []))
    .join('')
    .trim();
}

const TIP: Action = { kind: 'tip', text: tipFor(0) };
const type = (text: string): Action => ({ kind: 'edit', edit: { kind: 'replace', text }, atMs: 0 });

it('a tip is shown until the first run, where nothing is typed and nothing else is said', () => {
  expect(shown(TIP)).toBe(tipFor(0));
  expect(shown(TIP, type('a'))).toBe('');
  expect(shown(TIP, type('a'), type(''))).toBe(tipFor(0));
  expect(shown(TIP, { kind: 'hint', text: safeLine('No review waits.') })).toBe('No review waits.');
  expect(shown(TIP, { kind: 'run-started', atMs: 0 }, { kind: 'run-refused' })).toBe('');
  expect(shown({ kind: 'run-started', atMs: 0 }, TIP, { kind: 'run-refused' })).toBe('');
});

it('each message that was sent leads to another tip, which fits a row of 80 columns', () => {
  const tips = Array.from({ length: 20 }, (_, sent) => tipFor(sent));
  expect(new Set(tips).size).toBe(20);
  for (const tip of tips) expect(tip.length, tip).toBeLessThanOrEqual(77);
  expect(tipFor(20)).toBe(tipFor(0));
});
