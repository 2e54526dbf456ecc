import { ALL_THROW, ASSERT_FALSEHOODS, expectFalsehoods } from './falsehoods.ts';

/** Under what name the worker of a test file finds its secrets, once. */
export const SECRETS_KEY = 'vitest:seed';

/** What only the setup file of one worker knows: the names of its two tests, and what begins the message of its hook. */
export interface SetupSecrets {
  readonly passing: string;
  readonly failing: string;
  readonly nonce: string;
}

/**
 * A setup file that vitest runs in the worker of every test file, before it. Two tests show whether the runner runs tests at all; the hook runs last,
 * after the file's tests and the source they load, and shows whether each kind of assertion still works, and whether matchers and the worker's way to report
 * are those from before. It always throws; `NONCE:passed:failed` is the message where nothing is stubbed, of one canary that must pass and one that must
 * fail. The text itself has no secret: the names and the nonce are taken out of what is provided to the worker, so that no later code finds them.
 */
export const SETUP_SOURCE = `import nodeAssert from 'node:assert';
import { randomInt } from 'node:crypto';
import * as api from 'vitest';
const { afterAll, assert, chai, expect, test, vi } = api;
const worker = globalThis.__vitest_worker__;
const { passing, failing, nonce } = worker.providedContext['${SECRETS_KEY}'];
delete worker.providedContext['${SECRETS_KEY}'];
const SELF = import.meta.url;
for (const config of [worker.config, worker.ctx?.config]) {
  if (Array.isArray(config?.setupFiles)) config.setupFiles = config.setupFiles.filter((each) => !SELF.endsWith(each));
}
let replaced = false;
const { rpc } = worker;
Object.defineProperty(worker, 'rpc', { get: () => rpc, set: () => { replaced = true; }, enumerable: true, configurable: false });
const { getOwnPropertyDescriptor: describe, ownKeys } = Reflect;
const before = [];
for (const owner of [chai.Assertion.prototype, chai.assert, nodeAssert, nodeAssert.strict, api.TestRunner?.prototype, Object.getPrototypeOf(vi.fn().mock)]) {
  if (owner === undefined || owner === Object.prototype) continue;
  for (const key of ownKeys(owner)) before.push([owner, key, describe(owner, key)]);
}
function isWhole() {
  if (replaced || globalThis.__vitest_worker__ !== worker || worker.rpc !== rpc) return false;
  for (let at = 0; at < before.length; at += 1) {
    const [owner, key, then] = before[at];
    const now = describe(owner, key);
    if (now?.value !== then.value || now?.get !== then.get || now?.set !== then.set) return false;
  }
  return true;
}
const one = randomInt(1, 2 ** 40);
test(passing, () => { expect(one).toBe(one); });
test(failing, () => { expect(one).toBe(-one); });
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
  if (!isWhole()) return false;
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
  throw new Error(nonce + ':' + (truthsHold() ? 'passed' : 'failed') + ':' + falsehoods);
});
`;
