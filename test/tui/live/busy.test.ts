import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../../src/contracts/session/events.ts';
import { liveFrame } from '../../../src/tui/live/live-frame.ts';
import type { Action } from '../../../src/tui/store/reduce/reduce.ts';
import { safeLine } from '../../../src/tui/store/safe-text.ts';
import { ViewStore } from '../../../src/tui/store/view-store.ts';
import { freshView, stream } from '../event-stream.ts';

const SIZE = { columns: 100, rows: 24 };

function screen() {
  const time = { nowMs: 1_000_000 };
  const timer = { nowMs: () => time.nowMs, after: (_: number, callback: () => void) => callback() };
  const store = new ViewStore({ ...freshView(), kernel: { kind: 'starting', step: safeLine('starting') } }, timer);
  return {
    time,
    does: (action: Action) => store.dispatch(action),
    happens: (...bodies: EventBody[]) => {
      for (const event of stream(bodies)) store.dispatch({ kind: 'event', event, atMs: time.nowMs });
    },
    /** The row that turns, without its sign. */
    row: () => {
      const { rows } = liveFrame(store.current, SIZE, { tick: 0, nowMs: time.nowMs });
      const turning = rows.find(([first]) => first?.text.includes('⠋') === true) ?? [];
      return turning
        .map(({ text }) => text)
        .slice(1)
        .join('')
        .trim();
    },
  };
}

describe('what goes on', () => {
  it('shows how long it has taken after a second: each step of a start, and the end of a run', () => {
    const { time, does, row } = screen();
    expect(row()).toBe('starting');
    time.nowMs += 3_200;
    expect(row()).toBe('starting · 3s');
    does({ kind: 'kernel', status: { kind: 'starting', step: safeLine('building the image base') } });
    expect(row()).toBe('building the image base');
    time.nowMs += 75_000;
    expect(row()).toBe('building the image base · 1m 15s');
    does({ kind: 'kernel', status: { kind: 'ready' } });
    expect(row()).toBe('');
    does({ kind: 'run-started', atMs: time.nowMs });
    time.nowMs += 2_000;
    expect(row()).toBe('getting ready · 2s');
    does({ kind: 'interrupting' });
    expect(row()).toBe('stopping');
    time.nowMs += 9_000;
    expect(row()).toBe('stopping · 9s');
  });

  it('counts from its own beginning again after something else', () => {
    const { time, does, happens, row } = screen();
    does({ kind: 'kernel', status: { kind: 'ready' } });
    does({ kind: 'run-started', atMs: time.nowMs });
    happens({ type: 'state.changed', from: 'idle', to: 'planning', trigger: 'task' });
    time.nowMs += 40_000;
    expect(row()).toBe('thinking · 40s');
    happens({ type: 'text.delta', text: 'I will' });
    expect(row()).toBe('');
    happens({ type: 'text.done', text: 'I will' });
    expect(row()).toBe('thinking');
  });
});

it('a run of tests counts the cases that are done and those that failed, and says when it would be ended', () => {
  const { time, does, happens, row } = screen();
  does({ kind: 'kernel', status: { kind: 'ready' } });
  happens({ type: 'tool.started', call_id: 'c1', tool: 'test.run', input: {}, summary: 'the whole suite' });
  time.nowMs += 1_000;
  const before = row();
  expect(before).toMatch(/^test\.run {2}1s {2}\S/);
  happens({ type: 'test.counts', call_id: 'c1', done: 1, failed: 0 });
  expect(row()).toMatch(/^test\.run {2}1s {2}1 test done {2}/);
  happens({ type: 'test.counts', call_id: 'c1', done: 40, failed: 3 });
  happens({ type: 'test.progress', call_id: 'c1', elapsed_ms: 30_000, timeout_ms: 300_000 });
  happens({ type: 'test.counts', call_id: 'other', done: 9, failed: 9 });
  expect(row()).toMatch(/^test\.run {2}1s {2}of at most 5m \S* {0,2}40 tests done, 3 failed {2}/);
});

it.each<readonly [string, EventBody]>([
  [
    'its run has ended',
    { type: 'test.finished', call_id: 'c1', valid: true, outcome: 'passed', passed: 40, failed: 0, skipped: 0 },
  ],
  ['the proof runs other tests', { type: 'proof.started', observation: 'removal' }],
])('the count of a run of tests is gone when %s', (_, event) => {
  const { does, happens, row } = screen();
  does({ kind: 'kernel', status: { kind: 'ready' } });
  happens({ type: 'tool.started', call_id: 'c1', tool: 'test.run', input: {}, summary: 'the whole suite' });
  const before = row();
  happens({ type: 'test.counts', call_id: 'c1', done: 40, failed: 3 });
  happens({ type: 'test.progress', call_id: 'c1', elapsed_ms: 30_000, timeout_ms: 300_000 });
  happens(event);
  expect(row()).toBe(before);
});

it('a call that fetches packages counts them, and says of how many where that is known', () => {
  const { does, happens, row } = screen();
  does({ kind: 'kernel', status: { kind: 'ready' } });
  happens({ type: 'tool.started', call_id: 'c1', tool: 'deps.install', input: {}, summary: '' });
  happens({ type: 'packages.fetched', call_id: 'c1', done: 1, total: null });
  expect(row()).toMatch(/^deps\.install {2}\S+ {2}1 package fetched/);
  happens({ type: 'packages.fetched', call_id: 'c1', done: 12, total: 30 });
  expect(row()).toMatch(/ 12 of 30 packages fetched/);
  happens({ type: 'packages.fetched', call_id: 'c1', done: 31, total: 30 });
  expect(row()).toMatch(/ 31 packages fetched/);
});
