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
async function falsehoodsFail() {
  const falsehoods = [
    ...expects().flatMap((each) => [
      () => each(1).toBe(2),
      () => each(1).not.toBe(1),
      () => each({ a: 1 }).toEqual({ a: 2 }),
      () => each([1]).toStrictEqual([2]),
      () => each({ a: 1 }).toMatchObject({ a: 2 }),
      () => each(0).toBeTruthy(),
      () => each(1).toBeFalsy(),
      () => each(undefined).toBeDefined(),
      () => each(1).toBeUndefined(),
      () => each(1).toBeNull(),
      () => each(1).toBeInstanceOf(Map),
      () => each(1).toBeGreaterThan(2),
      () => each(2).toBeLessThan(1),
      () => each(1).toBeCloseTo(2),
      () => each([1]).toContain(2),
      () => each([1]).toHaveLength(2),
      () => each({}).toHaveProperty('a'),
      () => each('a').toMatch(/b/),
      () => each(() => {}).toThrow(),
      () => each(() => { throw new Error('a'); }).toThrow('b'),
      () => each(vi.fn()).toHaveBeenCalled(),
      () => each(1).to.equal(2),
      () => each(Promise.resolve(1)).rejects.toThrow(),
      () => each(Promise.resolve(1)).resolves.toBe(2),
    ]),
    () => expect.unreachable(),
    () => assert(false),
    () => assert.equal(1, 2),
    () => assert.deepEqual([1], [2]),
    () => nodeAssert(false),
    () => nodeAssert.strictEqual(1, 2),
    () => nodeAssert.deepStrictEqual([1], [2]),
    () => nodeAssert.throws(() => {}),
  ];
  for (const falsehood of falsehoods) {
    let held = false;
    try { await falsehood(); held = true; } catch {}
    if (held) return false;
  }
  return true;
}
afterAll(async () => {
  const falsehoods = (await falsehoodsFail()) ? 'failed' : 'passed';
  throw new Error(${JSON.stringify(`${prefix}:`)} + (truthsHold() ? 'passed' : 'failed') + ':' + falsehoods);
});
`;
}
