import { describe, expect, it } from 'vitest';
import { AnchorComparison } from '../../../src/kernel/audit/compare-anchors.ts';
import type { Anchor } from '../../../src/kernel/audit/compare-anchors.ts';

const hashOf = (id: number): string => `hash-${id}`;
const good = (entries: number): Anchor => ({ entries, head: hashOf(entries) });
const foreign = (entries: number): Anchor => ({ entries, head: 'another' });

describe('a chain of ten records beside the signed heads', () => {
  it.each<[string, readonly Anchor[], number, number | null, RegExp | null]>([
    ['none', [], 0, null, null],
    ['of an empty log', [{ entries: 0, head: 'genesis' }], 0, null, null],
    ['that agree', [good(3), good(7)], 7, null, null],
    ['that agree, in any order and more than once', [good(7), good(3), good(7)], 7, null, null],
    ['up to the last record', [good(10)], 10, null, null],
    ['of which one is another', [good(3), foreign(7)], 3, 4, /rewritten: record 7/],
    ['of which the first is another', [foreign(3), good(7)], 0, 1, /rewritten: record 3/],
    ['of which a middle one is another', [good(2), foreign(5), good(9)], 2, 3, /rewritten: record 5/],
    ['that disagree with each other', [good(5), foreign(5)], 5, 6, /rewritten: record 5/],
    ['beyond its end', [good(4), good(11)], 4, 11, /cut off: 11/],
    ['beyond its end and none before', [good(12)], 0, 11, /cut off: 12/],
    ['beyond its end, and another before', [foreign(4), good(12)], 0, 1, /rewritten: record 4/],
  ])('%s', (_name, anchors, agreedThrough, id, reason) => {
    const comparison = new AnchorComparison(anchors);
    for (let record = 1; record <= 10; record += 1) comparison.see(record, hashOf(record));
    expect(comparison.agreedThrough).toBe(agreedThrough);
    expect(comparison.fault(10)).toEqual(
      id === null ? null : { id, reason: expect.stringMatching(reason ?? /./) as string },
    );
  });
});
