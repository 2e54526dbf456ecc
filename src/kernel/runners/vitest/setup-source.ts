import { ALL_THROW, ASSERT_FALSEHOODS, expectFalsehoods } from '../javascript/falsehoods.ts';

/**
 * A setup file that vitest runs in the worker of every test file, before it. Two tests show whether the runner runs tests at all; the hook runs last,
 * after the file's tests and the source they load, and shows whether each kind of assertion still works. It always throws; `PREFIX:passed:failed`
 * is the message where nothing is stubbed, of one canary that must pass and one that must fail.
 */
export function setupSource(prefix: string): string {
  return `import nodeAssert from 'node:assert';
import * as api from 'vitest';
const { afterAll, assert, expect, test, vi } = api;
test(${JSON.stringify(`${prefix}-ran`)}, () => {});
test(${JSON.stringify(`${prefix}-threw`)}, () => { throw new Error('as it should'); });
const expects = () => [expect, ...(typeof globalThis.expect === 'function' ? [globalThis.expect] : [])];
function truthsHold() {
  try {
    for (const each of expects()) { each(1).toBe(1); each({ a: 1 }).toEqual({ a: 1 }); }
    assert.equal(1, 1);
    return true;
  } catch { return false; }
}
${ALL_THROW}
async function falsehoodsFail() {
  const falsehoods = [
    ...expects().flatMap((each) => ${expectFalsehoods('vi.fn()')}),
    ...expects().map((each) => () => each(1).to.equal(2)),
    () => expect.unreachable(),
    () => assert(false),
    () => assert.equal(1, 2),
    () => assert.deepEqual([1], [2]),
    ...${ASSERT_FALSEHOODS},
  ];
  return allThrow(falsehoods);
}
afterAll(async () => {
  const falsehoods = (await falsehoodsFail()) ? 'failed' : 'passed';
  throw new Error(${JSON.stringify(`${prefix}:`)} + (truthsHold() ? 'passed' : 'failed') + ':' + falsehoods);
});
`;
}
