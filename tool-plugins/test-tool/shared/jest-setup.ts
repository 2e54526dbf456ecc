import { ALL_THROW, ASSERT_FALSEHOODS, expectFalsehoods } from './falsehoods.ts';

/**
 * A setup file that jest runs in the environment of every test file, before it. Two tests show whether the runner runs tests at all; the hook runs after
 * the file's tests and the source they load, and shows whether each kind of assertion still works. It always throws; `PREFIX:passed:failed` is the
 * message where nothing is stubbed, of one canary that must pass and one that must fail.
 */
export function setupSource(prefix: string): string {
  return `const nodeAssert = require('node:assert');
const { afterAll, expect, jest: mocks, test } = require('@jest/globals');
test(${JSON.stringify(`${prefix}-ran`)}, () => {});
test(${JSON.stringify(`${prefix}-threw`)}, () => { expect(1).toBe(2); });
const expects = () => [expect, ...(typeof globalThis.expect === 'function' ? [globalThis.expect] : [])];
function truthsHold() {
  try {
    for (const each of expects()) { each(1).toBe(1); each({ a: 1 }).toEqual({ a: 1 }); }
    nodeAssert.equal(1, 1);
    return true;
  } catch { return false; }
}
${ALL_THROW}
afterAll(async () => {
  const falsehoods = [...expects().flatMap((each) => ${expectFalsehoods('mocks.fn()')}), ...${ASSERT_FALSEHOODS}];
  const failed = (await allThrow(falsehoods)) ? 'failed' : 'passed';
  throw new Error(${JSON.stringify(`${prefix}:`)} + (truthsHold() ? 'passed' : 'failed') + ':' + failed);
}, 60_000);
`;
}
