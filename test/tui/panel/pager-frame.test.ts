import { expect, it } from 'vitest';
import { pagerFrame } from '../../../src/tui/panel/pager-frame.ts';
import { pagerAt } from '../../../src/tui/panel/pager-position.ts';
import { rowCells } from '../../../src/tui/text/cut-row.ts';
import { createPainter } from '../../../src/tui/text/paint.ts';
import { own } from '../../../src/tui/text/span.ts';

const rows = Array.from({ length: 45 }, (_, index) => [own(`│ ${index}`)]);
const view = { title: [own('the review')], rows, noun: 'part', pageCount: 3, waits: true };

it.each([
  [40, '╰ esc closes'],
  [60, '╰ 1-14 of 45 · ←→ other parts · esc closes'],
  [80, '╰ 1-14 of 45 · ←→ other parts · / search · esc closes'],
])('at %d columns a pager leaves keys out rather than that a review waits', (columns, keys) => {
  const frame = pagerFrame(view, pagerAt(0), { columns, rows: 20 });
  const last = frame.rows.at(-1) ?? [];
  const line = createPainter('none', 0).row(last);
  expect(rowCells(last)).toBeLessThanOrEqual(columns);
  expect(line).toBe(`${keys} · a review waits`);
});
