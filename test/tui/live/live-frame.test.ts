import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../../src/contracts/session/events.ts';
import type { SessionState } from '../../../src/contracts/session/workflow-states.ts';
import type { ObservationName } from '../../../src/contracts/review/proof.ts';
import { liveFrame, rowsAddedByWrapping } from '../../../src/tui/live/live-frame.ts';
import { workflowStrip } from '../../../src/tui/live/workflow-strip.ts';
import { rowCells } from '../../../src/tui/text/cut-row.ts';
import { createPainter } from '../../../src/tui/text/paint.ts';
import type { ViewState } from '../../../src/tui/store/view-state.ts';
import { FINISHED, freshView, REVIEW, START_MS, STRICT_RUN, viewAfter } from '../event-stream.ts';

const painter = createPainter('none', 0);
const strip = (bodies: readonly EventBody[], columns: number, nowMs = START_MS) => {
  const rows = workflowStrip(viewAfter(bodies), { columns, rows: 24 }, nowMs);
  return rows.length === 0 ? null : rows.map((row) => painter.row(row)).join('\n');
};
const to = (state: SessionState): EventBody => ({
  type: 'state.changed',
  from: 'idle',
  to: state,
  trigger: 'x',
});

describe('the workflow strip', () => {
  it.each([
    ['nothing while the session is idle', [], null],
    [
      'what leads to the next step',
      [to('test_writing')],
      '✓ plan › ● red › source › green › proof › review › commit   tests are open; next: a new test that fails',
    ],
    [
      'what is observed beside the tests',
      [to('validating'), { type: 'proof.started', observation: 'removal' }],
      '✓ plan › ✓ red › ✓ source › ✓ green › ● proof › review › commit   removal',
    ],
    [
      'no red and no proof of a change that is exempt from them',
      [to('exploring'), to('validating'), to('reviewing')],
      '✓ write › ✓ suite › ● review › commit   next: the commit',
    ],
    [
      'them again of the next change',
      [to('exploring'), to('reviewing'), to('idle'), to('test_writing'), to('validating')],
      '✓ plan › ✓ red › ✓ source › ● green › proof › review › commit   the whole suite runs',
    ],
    [
      'that a person has to decide',
      [{ type: 'state.changed', from: 'validating', to: 'reviewing', trigger: 'x' }, REVIEW],
      '✓ plan › ✓ red › ✓ source › ✓ green › ✓ proof › ● review › commit   your decision',
    ],
  ] satisfies [string, EventBody[], string | null][])('says %s', (_, bodies, shown) => {
    expect(strip(bodies, 140)).toBe(shown);
  });

  it('has two rows in an ordinary terminal, and names only the current step where there is little room', () => {
    const narrow = '✓●····· red  tests are open; next: a new test that fails';
    expect(strip([to('test_writing')], 80)).toBe(
      '✓ plan › ● red › source › green › proof › review › commit\n  tests are open; next: a new test that fails',
    );
    expect(strip([to('test_writing')], 50)).toBe(narrow);
    const low = workflowStrip(viewAfter([to('test_writing')]), { columns: 80, rows: 14 }, START_MS);
    expect(low.map((row) => painter.row(row))).toEqual([narrow]);
  });

  it('says which step of the list is under way, until the session is idle', () => {
    const todo = (...states: readonly ('open' | 'doing' | 'done')[]): EventBody => ({
      type: 'todo.updated',
      items: states.map((state, index) => ({ text: `step ${index}\u001b[2J`, state })),
    });
    expect(strip([to('planning'), todo('done', 'doing', 'open')], 140)).toMatch(
      /nothing can be written yet; next: a plan · 1\/3 step 1/,
    );
    expect(strip([to('planning'), todo('done', 'doing', 'open')], 140)).not.toContain('\u001b');
    expect(strip([to('planning'), todo('done', 'done')], 140)).toMatch(/ · 2\/2 done/);
    const next = [todo('doing'), to('idle'), to('planning')];
    expect(strip(next, 140)).toMatch(/nothing can be written yet/);
  });

  it('counts the proof, what it is made of, and how long steps take that nobody can hasten', () => {
    const started = (...names: readonly ObservationName[]): EventBody[] =>
      names.map((observation) => ({ type: 'proof.started', observation }));
    const count = (observation: ObservationName, done: number, total: number): EventBody => ({
      type: 'proof.progress',
      observation,
      done,
      total,
    });
    const finished = (...names: readonly ObservationName[]): EventBody[] =>
      names.map((observation) => ({ type: 'proof.finished', observation, ok: true, detail: 'so', duration_ms: 1 }));
    const said = (more: readonly EventBody[], columns = 80) =>
      strip([to('validating'), ...more], columns, START_MS + 8_500)
        ?.split(/\n {2}|proof {2}/)
        .at(-1);
    const begun = [{ type: 'proof.progress', done: 0, total: 6 } as const, ...started('removal', 'plain', 'old_tests')];
    expect(said([])).toBe('the whole suite runs · 8s');
    expect(said(begun)).toBe('0 of 6 done · removal, plain run, old tests · 8s');
    expect(said([...begun, ...finished('old_tests'), count('plain', 1, 4)])).toBe(
      '1 of 6 done · removal, checks 1 of 4 · 8s',
    );
    const first = [...begun, ...finished('old_tests', 'plain', 'removal')];
    expect(said(first)).toBe('3 of 6 done · the results are compared · 8s');
    const mutants = [...first, ...started('mutation'), count('mutation', 12, 30)];
    // Two were not made: they would have begun before.
    expect(said(mutants)).toBe('3 of 4 done · mutants 12 of 30 · 8s');
    expect(said(mutants, 50)).toBe('3 of 4 done · mutants 12 of 30 · 8s');
    expect(said([...mutants, { ...FINISHED, status: 'cancelled' }])).toBe('the whole suite runs · 8s');
  });

  it('has no red in a mode without one', () => {
    const [row = []] = workflowStrip(
      { ...viewAfter([to('planning')]), mode: 'explore' },
      { columns: 140, rows: 24 },
      START_MS,
    );
    expect(painter.row(row)).toMatch(/^● write › suite › review › commit /);
  });
});

describe('a frame', () => {
  it.each([20, 40, 80, 240])('has no row wider than a terminal of %d columns', (columns) => {
    const view = viewAfter([
      ...STRICT_RUN,
      { type: 'tool.started', call_id: 'c9', tool: 'fs.read', input: { path: '速い茶色の狐/👩🏽‍💻'.repeat(30) } },
    ]);
    for (const row of liveFrame(view, { columns, rows: 24 }, { tick: 3, nowMs: START_MS }).rows)
      expect(rowCells(row)).toBeLessThanOrEqual(columns);
  });

  it('has its cursor parked in its first cell while a run draws and nothing is typed, and at the prompt otherwise', () => {
    const running = viewAfter([{ type: 'message.user', text: 'Look' }]);
    const cursorOf = (view: ViewState) => liveFrame(view, { columns: 80, rows: 24 }, { tick: 0, nowMs: 0 }).cursor;
    const typing = { ...running, composer: { ...running.composer, text: 'x', cursor: 1 } };
    expect(cursorOf(running)).toEqual({ row: 0, column: 0 });
    expect(cursorOf(typing).column).toBe('[strict] [starting] > x'.length);
    expect(cursorOf(freshView()).column).toBe('[strict] [idle] > '.length);
    const prompt = liveFrame(running, { columns: 80, rows: 24 }, { tick: 0, nowMs: 0 }).rows.at(-2);
    expect(prompt?.at(-1)).toEqual({ text: ' ', role: 'cursor' });
  });

  it('knows how many rows a narrower terminal makes of what is above the cursor', () => {
    const frame = liveFrame(freshView(), { columns: 80, rows: 24 }, { tick: 0, nowMs: START_MS });
    expect(rowsAddedByWrapping(frame, 80)).toBe(0);
    const wide = {
      rows: [[{ ...frame.rows.flat()[0]!, text: 'x'.repeat(100) as never }], []],
      cursor: { row: 1, column: 0 },
    };
    expect([100, 99, 50, 33].map((columns) => rowsAddedByWrapping(wide, columns))).toEqual([0, 1, 1, 3]);
    expect(rowsAddedByWrapping({ ...wide, cursor: { row: 0, column: 45 } }, 20)).toBe(2);
  });
});
