import { commit, learn, plan, runTests, say, write } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const TEST = `import { expect, test } from 'vitest';
import { deepMerge } from '../src/deep-merge';

test('merges what is nested', () => {
  expect(deepMerge({ a: { x: 1, y: 2 }, b: 1 }, { a: { y: 3 }, c: 4 })).toEqual({ a: { x: 1, y: 3 }, b: 1, c: 4 });
});
test('replaces lists', () => expect(deepMerge({ a: [1, 2] }, { a: [3] })).toEqual({ a: [3] }));
test('changes neither of both', () => {
  const left = { a: { x: 1 } };
  const right = { a: { y: 2 } };
  const merged = deepMerge(left, right);
  expect(merged).toEqual({ a: { x: 1, y: 2 } });
  expect([left, right]).toEqual([{ a: { x: 1 } }, { a: { y: 2 } }]);
});
test('lets nobody into the prototype', () => {
  deepMerge({}, JSON.parse('{"__proto__": {"admin": true}}') as Record<string, unknown>);
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
});
`;

const HEAD = `type Tree = Record<string, unknown>;

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

`;
const IN_PLACE = `${HEAD}export function deepMerge(left: Tree, right: Tree): Tree {
  for (const key in right) {
    const theirs = right[key];
    const ours = left[key];
    left[key] = isTree(ours) && isTree(theirs) ? deepMerge(ours, theirs) : theirs;
  }
  return left;
}
`;
const COPYING = `${HEAD}/** What \`right\` says wins; objects are merged, all else is replaced. Neither argument is changed. */
export function deepMerge(left: Tree, right: Tree): Tree {
  const merged: Tree = { ...left };
  for (const [key, theirs] of Object.entries(right)) {
    if (key === '__proto__') continue;
    const ours = merged[key];
    merged[key] = isTree(ours) && isTree(theirs) ? deepMerge(ours, theirs) : theirs;
  }
  return merged;
}
`;

/** Writes the source beside the tests in one message, then a version that is wrong in two ways. */
function* developer(): Developer {
  yield say('', plan('deepMerge in src/deep-merge.ts', 'Tests', 'Source'));
  const both = yield say(
    'Test and source belong together.',
    write('tests/deep-merge.check.ts', TEST),
    write('src/deep-merge.ts', IN_PLACE),
    runTests(),
  );
  learn(both.results[1], /not open in state test_writing/);
  learn(both.results[2], /tests\/deep-merge\.check\.ts \(does not load yet\)/);
  const failed = yield say('It is open now.', write('src/deep-merge.ts', IN_PLACE), runTests());
  learn(failed.results[1], /2 failed, .*changes neither of both.*lets nobody into the prototype/s);
  yield say(
    'It must not work in place, and must keep off `__proto__`.',
    write('src/deep-merge.ts', COPYING),
    runTests(),
  );
  yield say('', commit('Add deepMerge'));
}

export const deepMerge: SmallTask = {
  name: 'add a deep merge',
  ask: 'Add a deepMerge function for plain objects',
  wire: 'responses',
  developer,
  refused: ['tool_unavailable', 'red_case_failing'],
  commits: ['A src/deep-merge.ts', 'A tests/deep-merge.check.ts'],
  forHuman: [],
};
