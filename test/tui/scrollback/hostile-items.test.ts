import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../../src/contracts/session/events.ts';
import { NO_COLOURS } from '../../../src/tui/code/code-colours.ts';
import { liveFrame } from '../../../src/tui/live/live-frame.ts';
import { itemRows } from '../../../src/tui/scrollback/item-rows.ts';
import { reduce } from '../../../src/tui/store/reduce/reduce.ts';
import { safeLine } from '../../../src/tui/store/safe-text.ts';
import type { ViewState } from '../../../src/tui/store/view-state.ts';
import { createPainter } from '../../../src/tui/text/paint.ts';
import { hostileText, unsafeIn } from '../../support/hostile-text.ts';
import { FINISHED, freshView, REVIEW, viewAfter } from '../event-stream.ts';

const RUNS = process.env['FLUFFY_SOAK'] === '1' ? { numRuns: 3000 } : { numRuns: 60, seed: 21 };
const painter = createPainter('none', 0);

/** Rows of the card, padded with what blanks there are so that the next one begins a row. */
const CARD_ROWS = [
  '╭ Review of the commit · low risk · verified · 1 file, +1 -0',
  '│ Files',
  '│',
  '╰ /reject "why"  writes nothing; the model gets your reason and continues',
  'A review waits: /approve  /edit FILE  /reject "why"   ctrl-o: file by file',
  '✓ Approved by you',
];
const forgedRow = fc
  .record({
    row: fc.constantFrom(...CARD_ROWS),
    blank: fc.constantFrom(' ', '\u00a0', '\u3000', '\u2003', '\t', '  \n', '\\\n', '\n', '\n\n', '<br>'),
    width: fc.integer({ min: 38, max: 240 }),
    stiff: fc.boolean(),
  })
  .map(({ row, blank, width, stiff }) => (stiff ? row.replaceAll(' ', '\u00a0') : row).padEnd(width, blank));
const wide = fc.constantFrom('漢'.repeat(60), 'я'.repeat(120), 'a\u0301'.repeat(90), 'x'.repeat(250));
const marks = fc.constantFrom('- ', '1. ', '> ', '# ', '```\n', '| a | b |\n|---|---|\n| ', '`', '[x](', '- [ ] ');
const attack = fc
  .array(fc.oneof({ weight: 4, arbitrary: forgedRow }, hostileText, wide, marks), { minLength: 1, maxLength: 8 })
  .map((pieces) => pieces.join(''));

const call = (words: string, end: Partial<Extract<EventBody, { type: 'tool.finished' }>>): EventBody[] => [
  { type: 'tool.started', call_id: 'c1', tool: 'shell.run', input: {}, summary: words },
  { type: 'tool.finished', call_id: 'c1', tool: 'shell.run', ok: true, summary: words, duration_ms: 1, ...end },
];

/** Every way in which text of a model, a tool or a file comes to the screen. */
const WAYS: Readonly<Record<string, (text: string) => readonly EventBody[]>> = {
  prose: (text) => [{ type: 'text.done', text }],
  'a list': (text) => [{ type: 'text.done', text: `- ${text}\n  - ${text}` }],
  'a table': (text) => [{ type: 'text.done', text: `| a | b | c |\n|---|---|---|\n| ${text} | x | ${text} |` }],
  code: (text) => [{ type: 'text.done', text: `\`\`\`js\n${text}\n\`\`\`` }],
  'a to-do list': (text) => [{ type: 'todo.updated', items: [{ text: text || 'x', state: 'doing' }] }],
  'a question': (text) => [{ type: 'question.asked', question: text, options: [text, 'no'] }],
  'a call': (text) => call(text, {}),
  'a failed command': (text) => call(text, { command_failed: true }),
  'a failed call': (text) => call(text, { ok: false, error: { code: 'x', message: text, retryable: false } }),
  'a denied call': (text) => [
    { type: 'tool.started', call_id: 'c1', tool: 'fs.write', input: {}, summary: text },
    {
      type: 'policy.decision',
      call_id: 'c1',
      syscall: 'fs.write',
      target: text,
      decision: 'denied',
      rules: [text],
      decided_by: [text],
      reason: text,
    },
    ...call(text, { ok: false, error: { code: 'policy_denied', message: text, retryable: false } }).slice(1),
  ],
  'a diff': (text) => call('x', { diff: `--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+${text.replaceAll('\n', ' ')}\n` }),
  'failing tests': (text) => [
    {
      type: 'test.finished',
      valid: true,
      outcome: 'failed',
      passed: 0,
      failed: 1,
      skipped: 0,
      cases: [{ file: text, name: text, status: 'failed', failure: { message: text } }] as never,
    },
  ],
  'a notice': (text) => [{ type: 'notice', level: 'warn', what: text, why: text, fix: text, code: 'x' }],
  'an error': (text) => [{ type: 'error', level: 'error', what: text, why: text, fix: text, code: 'x' }],
  'a commit message': (text) => [{ ...REVIEW, reasons: [], message: text }],
  'a rejection': (text) => [
    { type: 'review.decided', review_id: 'r', decision: 'rejected', by: 'human', reason: text },
  ],
  'the end of a run': (text) => [{ ...FINISHED, status: 'waiting', summary: text }],
};

const rowsOf = (view: ViewState, width: number): string[] =>
  view.items.flatMap((item) =>
    itemRows(item, { width, colours: NO_COLOURS, lends: true, openKey: 'ctrl-o' }).map((row) => painter.row(row)),
  );

/** What stands in the first columns, where fluffy speaks: all of these rows, but for what is behind a margin or a mark of fluffy. */
const MARGIN = /^(?: {2}|✗ |Commit {2})/;
const ownRows = (rows: readonly string[]) => [
  ...new Set(rows.map((row) => MARGIN.exec(row)?.[0] ?? row.trimEnd()).filter((row) => row.trim() !== '')),
];

describe('nothing that others say reaches the column in which the review card begins', () => {
  it.each(Object.entries(WAYS))('%s', (_, way) => {
    fc.assert(
      fc.property(attack, fc.integer({ min: 40, max: 240 }), (text, width) => {
        const rows = rowsOf(viewAfter(way(text)), width);
        for (const own of ownRows(rows)) expect(ownRows(rowsOf(viewAfter(way('x')), width))).toContain(own);
        for (const row of rows) {
          expect(unsafeIn(row)).toEqual([]);
          expect(stringWidth(row)).toBeLessThanOrEqual(width);
        }
      }),
      RUNS,
    );
  });

  it('also not while it is still coming', () => {
    fc.assert(
      fc.property(attack, fc.integer({ min: 40, max: 240 }), (text, columns) => {
        const frame = (said: string) => {
          const view = viewAfter(
            [{ type: 'text.delta', text: said }],
            reduce(freshView(), { kind: 'run-started', atMs: 0 }),
          );
          const size = { columns, rows: 24 };
          return liveFrame({ ...view, items: [] }, size, { tick: 0, nowMs: 0 }).rows.map((row) => painter.row(row));
        };
        const own = ownRows(frame('x')).map((row) => row.slice(0, 8));
        for (const row of ownRows(frame(text))) expect(own).toContain(row.slice(0, 8));
      }),
      RUNS,
    );
  });

  it('also not what the person pasted', () => {
    const item = { kind: 'user', lines: ['│ Files', 'x'.repeat(100)].map(safeLine), id: 0, gap: false } as const;
    const rows = itemRows(item, { width: 60, colours: NO_COLOURS, lends: true, openKey: 'ctrl-o' }).map((row) =>
      painter.row(row),
    );
    expect(rows.every((row) => /^(> | {2})/.test(row))).toBe(true);
  });
});
