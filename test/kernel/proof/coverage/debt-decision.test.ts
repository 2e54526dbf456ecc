import { describe, expect, it, test } from 'vitest';
import { baselineText, parseBaseline } from '../../../../src/kernel/proof/coverage/baseline-file.ts';
import { comparedWords, shareWords } from '../../../../src/kernel/proof/coverage/coverage-words.ts';
import { debtDecision, dropOf, setsBaseline } from '../../../../src/kernel/proof/coverage/debt-decision.ts';

const SETTINGS = { warningThreshold: -2, lockoutThreshold: -5, minDelta: 0 };
const of = (covered: number, total: number) => ({ covered, total });

describe('a measurement against a baseline of 80 of 100 lines', () => {
  it.each([
    [of(90, 100), 'unchanged', -10],
    [of(80, 100), 'unchanged', 0],
    [of(160, 200), 'unchanged', 0],
    [of(78, 100), 'unchanged', 2],
    [of(779, 1000), 'warning', 2.1],
    [of(75, 100), 'warning', 5],
    [of(749, 1000), 'locked', 5.1],
    [of(0, 1), 'locked', 80],
  ] as const)('%j is %s', (measured, kind, dropPoints) => {
    const decision = debtDecision(of(80, 100), measured, SETTINGS);
    expect(decision).toMatchObject({ kind, dropPoints: expect.closeTo(dropPoints, 6) as number });
  });

  it.each([
    [of(80, 100), 0, true],
    [of(81, 100), 0, true],
    [of(799, 1000), 0, false],
    [of(81, 100), 2, false],
    [of(82, 100), 2, true],
    [of(79, 100), -1, true],
  ])('%j sets the baseline of a strict commit with min_delta %d: %s', (measured, minDelta, sets) => {
    expect(setsBaseline(of(80, 100), measured, { minDelta })).toBe(sets);
  });
});

test('a drop of exactly a threshold is within it, whatever the figures', () => {
  // 100 * (1/3 - 1/3 + 0.02): no fraction of 2 is exact.
  expect(debtDecision(of(1, 3), of(47, 150), SETTINGS).kind).toBe('unchanged');
  expect(debtDecision(of(1, 3), of(46, 150), SETTINGS).kind).toBe('warning');
});

test('without a baseline nothing is compared, and a strict commit sets one', () => {
  expect(debtDecision(null, of(1, 2), SETTINGS)).toEqual({ kind: 'no-baseline' });
  expect(setsBaseline(null, of(0, 2), SETTINGS)).toBe(true);
});

test('the words have no more than two decimals', () => {
  expect(shareWords(of(1, 3))).toBe('33.33% (1 of 3 lines)');
  expect(comparedWords(dropOf(of(80, 100), of(79, 100)))).toBe('1 point below the baseline');
  expect(comparedWords(dropOf(of(80, 100), of(825, 1000)))).toBe('2.5 points above the baseline');
  expect(comparedWords(dropOf(of(80, 100), of(80, 100)))).toBe('as the baseline');
});

describe('the baseline file', () => {
  const baseline = { version: 1 as const, lines: of(1, 2), runner: 'node-test', languages: ['javascript'] };

  it('is read as it was written', () => {
    expect(parseBaseline(baselineText(baseline))).toEqual({ kind: 'ok', baseline });
  });

  it.each([
    ['a mark of a conflict', '<<<<<<< HEAD\n', 'it is not JSON'],
    ['another version', '{"version":2,"lines":null}', 'version: '],
    ['a key that nobody knows', '{"version":1,"lines":null,"locked":false}', 'Unrecognized key'],
    ['more lines than there are', '{"version":1,"lines":{"covered":3,"total":2}}', 'more lines are covered'],
    ['no line at all', '{"version":1,"lines":{"covered":0,"total":0}}', 'lines.total'],
  ])('is not believed with %s', (_what, text, why) => {
    expect(parseBaseline(text)).toEqual({ kind: 'invalid', why: expect.stringContaining(why) as string });
  });
});
