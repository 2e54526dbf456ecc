import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { EventBody, FluffyEvent } from '../../../src/contracts/session/events.ts';
import { exitSummary } from '../../../src/tui/store/exit-summary.ts';
import { reduce } from '../../../src/tui/store/reduce/reduce.ts';
import { edit } from '../../../src/tui/composer/composer.ts';
import { FRESH_VIM } from '../../../src/tui/composer/vim/vim-keys.ts';
import { liveRegion, statusLine } from '../../../src/tui/store/live-rows.ts';
import { layoutPrompt } from '../../../src/tui/composer/layout-prompt.ts';
import { safeLine } from '../../../src/tui/store/safe-text.ts';
import type { ViewState } from '../../../src/tui/store/view-state.ts';
import { EMPTY_COMPOSER } from '../../../src/tui/composer/composer.ts';
import { FINISHED, freshView, REVIEW, START_MS, STRICT_RUN, viewAfter } from '../event-stream.ts';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 140, rows: 40 },
  { columns: 40, rows: 10 },
  { columns: 20, rows: 4 },
  { columns: 10, rows: 3 },
  { columns: 1, rows: 1 },
];

/** As much at once as there can be. */
function crowded(): ViewState {
  const calls: EventBody[] = Array.from({ length: 12 }, (_, index) => ({
    type: 'tool.started',
    call_id: `c${index}`,
    tool: 'fs.read',
    input: { path: 'x'.repeat(300) },
  }));
  const view = viewAfter([...STRICT_RUN, ...calls, { type: 'text.delta', text: 'word '.repeat(2000) }, REVIEW]);
  return {
    ...view,
    stream: { text: 'word '.repeat(2000), printed: 0, fence: null },
    queue: Array.from({ length: 20 }, (_, index) => `task ${index}`),
    hint: safeLine('h'.repeat(400)),
    composer: edit(EMPTY_COMPOSER, { kind: 'insert', text: `${'long '.repeat(200)}\n`.repeat(20) }, 1),
  };
}

describe('the live region', () => {
  it.each(SIZES)('is lower than a terminal of $columns x $rows, whatever goes on', (size) => {
    for (const view of [crowded(), freshView(), viewAfter(STRICT_RUN)]) {
      const { rows, prompt, showStatus } = liveRegion(view, size, START_MS);
      const height = rows.length + prompt.rows.length + (showStatus ? 1 : 0);
      expect(height).toBeLessThan(Math.max(2, size.rows));
      expect(prompt.rows.length).toBeGreaterThan(0);
    }
  });

  it('shows a hint whole that is wider than the terminal, broken between words', () => {
    const words = 'tests are frozen since the source was opened. To have it changed: /reject test/a.test.js "why"';
    const { rows } = liveRegion({ ...freshView(), hint: safeLine(words) }, { columns: 60, rows: 24 }, START_MS);
    const hint = rows.flatMap((row) => (row.kind === 'hint' ? [row.row.map(({ text }) => text).join('')] : []));
    expect(hint.length).toBeGreaterThan(1);
    expect(hint.map((row) => row.trim()).join(' ')).toBe(words);
    for (const row of hint) expect(stringWidth(row)).toBeLessThanOrEqual(60);
  });

  it('reads [mode] [state] > at the prompt, as they are', () => {
    const size = { columns: 80, rows: 24 };
    expect(liveRegion(freshView(), size, START_MS).prompt.rows[0]).toBe('[strict] [idle] > ');
    expect(liveRegion(viewAfter(STRICT_RUN), size, START_MS).prompt.rows[0]).toBe('[strict] [code_writing] > ');
  });

  it('says at the prompt and above it what goes on where no state of the workflow does', () => {
    const shown = (view: ViewState) => {
      const { rows, prompt } = liveRegion(view, { columns: 80, rows: 24 }, START_MS);
      return [prompt.rows[0], ...rows.flatMap((row) => (row.kind === 'busy' ? [row.text] : []))];
    };
    const ready = freshView();
    const stopping = (view: ViewState) => reduce(view, { kind: 'interrupting' });
    const run = (command?: true) =>
      reduce(ready, { kind: 'run-started', atMs: 0, ...(command === undefined ? {} : { command }) });
    const committed = viewAfter([
      ...STRICT_RUN,
      { type: 'state.changed', from: 'committing', to: 'idle', trigger: 'commit_completed' },
    ]);
    const step = safeLine('building the image base');
    expect(shown({ ...ready, kernel: { kind: 'starting', step } })).toEqual(['[strict] [starting] > ', step]);
    expect(shown({ ...ready, kernel: { kind: 'away', step } })).toEqual(['[strict] [restarting] > ', step]);
    expect(shown(run())).toEqual(['[strict] [starting] > ', 'getting ready']);
    expect(shown(run(true))).toEqual(['[strict] [running] > ', 'getting ready']);
    expect(shown(stopping(viewAfter(STRICT_RUN)))).toEqual(['[strict] [stopping] > ', 'stopping']);
    expect(shown(committed)).toEqual(['[strict] [ending] > ', 'cleaning up']);
    expect(shown(viewAfter([FINISHED], committed))).toEqual(['[strict] [idle] > ']);
    const again = viewAfter(STRICT_RUN.slice(1, 3), committed);
    expect(shown(again)).toEqual(['[strict] [planning] > ', 'thinking']);
  });

  it('names no key that stops a run which is being stopped', () => {
    const view = viewAfter(STRICT_RUN);
    if (view.run.kind === 'idle') throw new Error('a run is under way');
    const stopping = { ...view, run: { ...view.run, interrupting: true } };
    expect(statusLine(stopping, START_MS + 65_000, 80)).toMatch(/ · ctrl-c twice leaves$/);
  });

  it('names project, model, tokens, cost and time below the prompt', () => {
    expect(statusLine(viewAfter(STRICT_RUN), START_MS + 65_000, 80)).toBe(
      'project · replay/demo.jsonl · 1.5k tokens · $0.0123 · 1m 04s · esc interrupts',
    );
  });

  it.each([
    ['insert', /^INSERT · /],
    ['normal', /^NORMAL · /],
  ] as const)('names the %s mode of vi, before everything else', (mode, line) => {
    const view = viewAfter(STRICT_RUN);
    const vim = { ...view, composer: { ...view.composer, vim: { ...FRESH_VIM, mode } } };
    expect(statusLine(vim, START_MS, 30)).toMatch(line);
    expect(statusLine(view, START_MS, 100)).not.toMatch(line);
  });

  it('counts no time for which a review waited for a person', () => {
    const at = (view: ViewState, event: EventBody, ms: number): ViewState =>
      reduce(view, {
        kind: 'event',
        event: { ...event, session_id: 's', seq: 1, ts: 0 } as FluffyEvent,
        atMs: START_MS + ms,
      });
    const clock = (view: ViewState, ms: number) => /(?:\d+m )?\d+s/.exec(statusLine(view, START_MS + ms, 100))?.[0];
    const waiting = at(viewAfter(STRICT_RUN), REVIEW, 10_500);
    expect([clock(waiting, 10_500), clock(waiting, 600_000)]).toEqual(['10s', '10s']);
    const decided = { type: 'review.decided', review_id: REVIEW.review_id, decision: 'rejected', by: 'human' } as const;
    const gone = at(waiting, decided, 600_500);
    expect([clock(gone, 600_500), clock(gone, 605_500)]).toEqual(['10s', '15s']);
    const ended = at(waiting, { ...FINISHED, status: 'cancelled', duration_ms: 600_500 }, 600_500);
    expect(exitSummary(ended)).toContain('10s of work');
  });

  it('names the key that ends a run while a review waits: Esc does not', () => {
    const waiting = viewAfter([...STRICT_RUN, REVIEW]);
    expect(statusLine(waiting, START_MS + 65_000, 80)).toContain('ctrl-c interrupts');
    const row = (kind: 'merge' | 'policy') =>
      liveRegion(viewAfter([...STRICT_RUN, { ...REVIEW, kind }]), { columns: 100, rows: 30 }, START_MS)
        .rows.filter((each) => each.kind === 'review')
        .map(({ row }) => row.map(({ text }) => text).join(''));
    expect(row('merge')).toEqual(['A review waits: /approve  /edit FILE  /reject "why"   ctrl-o: file by file']);
    expect(row('policy').join()).not.toContain('/edit');
  });

  it.each([
    [70, 'project · replay/demo.jsonl · $0.0123 · 1m 04s · esc interrupts'],
    [60, 'project · replay/demo.jsonl · $0.0123 · esc interrupts'],
    [30, '$0.0123 · esc interrupts'],
    [5, 'esc interrupts'],
  ])('leaves out what matters least where only %d columns are there', (columns, line) => {
    expect(statusLine(viewAfter(STRICT_RUN), START_MS + 65_000, columns)).toBe(line);
  });
});

describe('the prompt', () => {
  const prefix = '[strict] [idle] > ';
  const typed = (text: string, cursor = text.length) => ({ ...EMPTY_COMPOSER, text, cursor });

  it.each([20, 40, 80, 140])(
    'shows all that was typed in rows that fit %d columns, the cursor where it is',
    (columns) => {
      const text =
        'The quick brown fox — 速い茶色の狐 — jumps over\nthe lazy dog and a-very-long-word-without-any-blank-in-it-at-all';
      for (let cursor = 0; cursor <= text.length; cursor += 1) {
        const { rows, cursor: place } = layoutPrompt(prefix, typed(text, cursor), columns, 60);
        for (const row of rows) expect(stringWidth(row)).toBeLessThan(columns);
        const shown = rows.map((row, index) => (index === 0 ? row : row.slice(2))).join('');
        expect(shown).toBe(prefix + text.replace('\n', ''));
        const before = rows
          .slice(0, place.row + 1)
          .map((row, index) => (index === 0 ? row : row.slice(2)))
          .map((row, index) => (index === place.row ? cellsOf(row, place.column - (index === 0 ? 0 : 2)) : row))
          .join('');
        expect(before).toBe(prefix + text.slice(0, cursor).replace('\n', ''));
      }
    },
  );

  it('shows the rows around the cursor when there are too many', () => {
    const text = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
    const { rows, cursor } = layoutPrompt(prefix, typed(text, text.indexOf('line 50')), 80, 6);
    expect(rows).toHaveLength(6);
    expect(rows[cursor.row]).toBe('  line 50');
    expect(cursor.column).toBe(2);
  });

  it('spells what a terminal would act on', () => {
    const { rows } = layoutPrompt(prefix, typed('a\u001b]0;x\u0007\u202eb'), 80, 6);
    expect(rows[0]).toBe(`${prefix}a\\x1b]0;x\\x07\\u{202e}b`);
  });
});

/** The beginning of a row, as far as the given number of cells. */
function cellsOf(row: string, cells: number): string {
  let text = '';
  for (const character of row) {
    if (stringWidth(text) >= cells) break;
    text += character;
  }
  return text;
}
