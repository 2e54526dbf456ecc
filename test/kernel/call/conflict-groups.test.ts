import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflictGroups } from '../../../src/kernel/call/conflict-groups.ts';

describe('calls of one message', () => {
  const reads = (path: string) => ({ reads: [path], writes: [] });
  const writes = (path: string) => ({ reads: [], writes: [path] });

  it('run side by side when their paths have nothing to do with each other', () => {
    expect(conflictGroups([writes('a'), writes('b'), reads('c')])).toEqual([[0, 1, 2]]);
  });

  it.each([
    ['one file twice', [writes('a'), writes('a')]],
    ['a read after a write', [writes('a'), reads('a')]],
    ['a write after a read', [reads('a'), writes('a')]],
    ['a directory and a file beneath it', [writes('dir'), writes('dir/a')]],
    ['one file in two spellings', [writes('./x/../A'), writes('a')]],
    ['the whole project', [writes('a'), { reads: 'everything' as const, writes: [] }]],
  ])('run one after the other: %s', (_, calls) => {
    expect(conflictGroups(calls)).toEqual([[0], [1]]);
  });

  it('keep their order: a later call never overtakes one it conflicts with', () => {
    const path = fc.constantFrom('a', 'b', 'a/c');
    const call = fc.record({ reads: fc.array(path), writes: fc.array(path) });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 8 }), (calls) => {
        const groups = conflictGroups(calls);
        const place = (index: number) => groups.findIndex((group) => group.includes(index));
        expect(groups.flat().sort((x, y) => x - y)).toEqual(calls.map((_, index) => index));
        calls.forEach((later, j) => {
          calls.slice(0, j).forEach((earlier, i) => {
            const clash =
              later.writes.some((w) => [...earlier.writes, ...earlier.reads].includes(w)) ||
              earlier.writes.some((w) => later.reads.includes(w));
            if (clash) expect(place(j)).toBeGreaterThan(place(i));
          });
        });
      }),
    );
  });
});
