import { describe, expect, it } from 'vitest';
import { conditionText, isAtLeast, parseCondition, shareOf } from '../../../src/lib/evidence/conditions.ts';

describe('a condition', () => {
  it.each(['attested', 'verified', 'mutants>=80%', 'lines>=0%', 'mutants>=100%'])('is %s', (text) => {
    const condition = parseCondition(text);
    expect(condition === null ? null : conditionText(condition)).toBe(text);
  });

  it.each([
    ...['', 'Verified', 'verified ', 'mutants', 'mutants>80%', 'mutants >= 80%', 'mutants>=80', 'mutants>=101%'],
    ...['mutants>=080%', 'mutants>=8.5%', 'mutants>=-1%', 'cases>=80%', 'verified,attested'],
  ])('is not %j', (text) => {
    expect(parseCondition(text)).toBeNull();
  });

  it('is met without rounding', () => {
    expect(isAtLeast({ part: 2, whole: 3 }, 66)).toBe(true);
    expect(isAtLeast({ part: 2, whole: 3 }, 67)).toBe(false);
    expect(isAtLeast({ part: 4, whole: 5 }, 80)).toBe(true);
  });

  it('is about what was measured', () => {
    const proof = { mutants: { tried: 3, noticed: 2, survivors: [] }, lines: { changed: 0, executed: 0 } };
    expect(shareOf(proof, 'mutants')).toEqual({ part: 2, whole: 3 });
    expect(shareOf(proof, 'lines')).toBeNull();
    expect(shareOf(undefined, 'mutants')).toBeNull();
  });
});
