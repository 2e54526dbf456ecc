import { expect, it } from 'vitest';
import { PlainProgress } from '../../../../src/cli/interactive/screen/plain-progress.ts';
import { safeLine } from '../../../../src/tui/store/safe-text.ts';
import { freshView } from '../../../tui/event-stream.ts';

it('says each step of a start after the first, once, and those of a restart', () => {
  const progress = new PlainProgress();
  const at = (kind: 'starting' | 'away', step: string) =>
    progress.lines({ ...freshView(), kernel: { kind, step: safeLine(step) } }, 0);
  expect(at('starting', 'starting the kernel')).toEqual([]);
  expect(at('starting', 'building the image base')).toEqual(['building the image base']);
  expect(at('starting', 'building the image base')).toEqual([]);
  expect(progress.lines(freshView(), 0)).toEqual([]);
  expect(at('away', 'the kernel ended')).toEqual(['the kernel ended']);
});

it('says every half minute how long a run of the tests has taken, and how many are done', () => {
  const progress = new PlainProgress();
  const tool = {
    callId: 'c',
    tool: safeLine('test.run'),
    target: safeLine(''),
    sinceMs: 0,
    progress: null,
    counted: null,
  };
  const at = (nowMs: number, more: object) => progress.lines({ ...freshView(), tools: [{ ...tool, ...more }] }, nowMs);
  const late = { progress: safeLine('of at most 5m') };
  expect(at(29_000, { counted: safeLine('3 tests done') })).toEqual([]);
  expect(at(30_100, { ...late, counted: safeLine('4 tests done') })).toEqual([
    'test.run: 30s of at most 5m, 4 tests done',
  ]);
  expect(at(31_000, { ...late, counted: safeLine('5 tests done') })).toEqual([]);
  expect(at(60_200, late)).toEqual(['test.run: 1m 00s of at most 5m']);
});
