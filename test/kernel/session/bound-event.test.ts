import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../../src/contracts/session/events.ts';
import { encodeFrame } from '../../../src/ipc/frame.ts';
import { MAX_SHOWN_DIFF, boundEvent, firstPart } from '../../../src/kernel/session/bound-event.ts';

const LONG = 'é\u0001'.repeat(6_000_000);
const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`) as unknown;
const review = (diff: string): EventBody => ({
  type: 'review.requested',
  review_id: 'r_1',
  kind: 'merge',
  risk: 'low',
  reasons: ['a'],
  message: 'm',
  diff,
  sha256: 'd',
});

describe('an event', () => {
  it.each<[string, EventBody]>([
    ['a text', { type: 'text.done', text: LONG }],
    ['a call', { type: 'tool.started', call_id: 'c', tool: 'fs.write', input: { path: 'a', content: LONG } }],
    ['many values', { type: 'tool.started', call_id: 'c', tool: 't', input: Array(3_000_000).fill(1) }],
    ['deep values', { type: 'tool.started', call_id: 'c', tool: 't', input: deep(2_000) }],
    [
      'many keys',
      {
        type: 'tool.started',
        call_id: 'c',
        tool: 't',
        input: Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`some key ${index}`, index])),
      },
    ],
    ['a diff', { type: 'tool.finished', call_id: 'c', tool: 't', ok: true, summary: 's', duration_ms: 1, diff: LONG }],
    [
      'cases',
      {
        type: 'test.finished',
        valid: true,
        outcome: 'passed',
        passed: 1,
        failed: 0,
        skipped: 0,
        cases: Array.from({ length: 50_000 }, (_, index) => ({
          file: 'a.test.js',
          name: `case ${index} ${'x'.repeat(400)}`,
          status: 'passed' as const,
          duration_ms: 1,
        })),
      },
    ],
    ['a review', review(LONG)],
  ])('with too much of %s still fits a frame', (_name, body) => {
    const bounded = boundEvent(body);
    for (const tail of [true, false]) expect(() => encodeFrame({ event: bounded }, { tail })).not.toThrow();
  });

  it('with too much of a call is kept but for the diff', () => {
    const body = { type: 'tool.finished', call_id: 'c', tool: 't', ok: true, summary: 's', duration_ms: 1 } as const;
    expect(boundEvent({ ...body, diff: LONG })).toEqual(body);
  });

  it('with too much text has its beginning, and says how much more there is', () => {
    const bounded = boundEvent({ type: 'text.done', text: LONG });
    expect(bounded.type === 'text.done' && bounded.text).toMatch(/^(?:é\u0001)+é?… \(\d+ more\)$/);
  });

  it.each<[string, EventBody]>([
    ['small', { type: 'text.done', text: 'hello' }],
    ['large and within its bound', review('+line\n'.repeat(20_000))],
  ])('that is %s stays as it is', (_name, body) => {
    expect(boundEvent(body)).toBe(body);
  });

  it('that cannot be made small enough is replaced by one that says so', () => {
    const body = { type: 'tool.started', call_id: 'c', tool: 't', input: deep(2_000) } as const;
    expect(boundEvent(body)).toMatchObject({ type: 'notice', code: 'event_too_large' });
  });

  it('of a run of the tests keeps the cases that failed', () => {
    const caseOf = (name: string, status: 'passed' | 'failed') => ({ file: 'a.test.js', name, status, duration_ms: 1 });
    const passed = Array.from({ length: 50_000 }, (_, index) => caseOf(`case ${index} ${'x'.repeat(400)}`, 'passed'));
    const counts = { passed: 50_000, failed: 2, skipped: 0 };
    const cases = [...passed, caseOf('one', 'failed'), caseOf('two', 'failed')];
    const bounded = boundEvent({ type: 'test.finished', valid: true, outcome: 'failed', ...counts, cases });
    const kept = bounded.type === 'test.finished' ? (bounded.cases ?? []) : [];
    expect(kept).toHaveLength(1_000);
    expect(kept.slice(0, 3).map(({ name }) => name.slice(0, 6))).toEqual(['one', 'two', 'case 0']);
  });

  it('of a review says how long the whole diff is', () => {
    const diff = '+line\n'.repeat(400_000);
    const bounded = boundEvent(review(diff));
    expect(bounded).toMatchObject({ type: 'review.requested', diff_characters: diff.length, reasons: ['a'] });
    expect(bounded.type === 'review.requested' && bounded.diff).toBe(firstPart(diff));
  });
});

describe('the first part of a diff', () => {
  it('ends with a line', () => {
    const diff = `${'x'.repeat(MAX_SHOWN_DIFF - 10)}\n${'y'.repeat(100)}\n`;
    expect(firstPart(diff)).toBe(`${'x'.repeat(MAX_SHOWN_DIFF - 10)}\n`);
  });

  it('is all of it if it is short, and a part of the line if that is too long', () => {
    expect(firstPart('a\nb')).toBe('a\nb');
    expect(firstPart('x'.repeat(MAX_SHOWN_DIFF + 1))).toHaveLength(MAX_SHOWN_DIFF);
  });
});
