import { expect, test } from 'vitest';
import type { PlaceFinding } from '../../../../src/contracts/ports/host-services.ts';
import type { MergeTarget } from '../../../../src/contracts/ports/merge-target.ts';
import type { ObjectId } from '../../../../src/contracts/ids.ts';
import type { MergeStep } from '../../../../src/contracts/review/merge-plan.ts';
import { mergeInPlace } from '../../../../src/kernel/commit/merge/merge-in-place.ts';

const BRANCH = 'refs/heads/main';
const LOCK: MergeStep = { kind: 'lock', refs: [BRANCH] };
const CHECK: MergeStep = { kind: 'check', branchRef: BRANCH, head: 'a'.repeat(40) as ObjectId, changes: [], edits: [] };

function scene(place: PlaceFinding) {
  const applied: string[] = [];
  const target: MergeTarget = {
    apply(_, step) {
      applied.push(step.kind);
      return Promise.resolve({ kind: 'applied' });
    },
    revert: () => Promise.resolve([]),
    forget: () => Promise.resolve(),
  };
  return { applied, target: mergeInPlace(target, () => Promise.resolve(place)) };
}

test.each([LOCK, CHECK])('$kind is refused where another directory is at the path', async (step) => {
  const { applied, target } = scene({ kind: 'replaced', what: 'project', why: '/p is another directory than before' });
  expect(await target.apply('op', step)).toEqual({
    kind: 'conflict',
    paths: [],
    reason: 'the project was replaced: /p is another directory than before',
  });
  expect(applied).toEqual([]);
});

test('in its place it is applied', async () => {
  const { applied, target } = scene({ kind: 'same' });
  for (const step of [LOCK, CHECK]) expect(await target.apply('op', step)).toEqual({ kind: 'applied' });
  expect(applied).toEqual(['lock', 'check']);
});

test('what has begun is taken back wherever the directory is by now', async () => {
  const { target } = scene({ kind: 'replaced', what: 'project', why: 'moved' });
  expect(await target.revert('op', LOCK)).toEqual([]);
});
