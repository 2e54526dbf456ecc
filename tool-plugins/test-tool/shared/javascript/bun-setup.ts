import { ALL_THROW, ASSERT_FALSEHOODS, expectFalsehoods } from '../falsehoods.ts';
import { GUARDED, WATCHED } from '../watched.ts';
import { CANARIES_SOURCE } from './setup-secrets.ts';
import type { SetupSecrets } from './setup-secrets.ts';
import type { RuntimeVerdict } from './runtime-verdict.ts';
import { NOTED, OFFERED_BY_NAME, WATCHED_NODE_TEST } from './watched-node-test.ts';

/** What the setup file reads on its standard input, which is empty from then on. */
export interface BunSecrets extends SetupSecrets {
  /** Test file of the run, and the one after it, which has the canaries. */
  readonly file: string;
  readonly last: string;
  /** Name of the last case. */
  readonly verdict: string;
  /** Ends the names of cases that are expected to fail. */
  readonly mark: string;
}

/** With how the test file did not load. */
export interface BunVerdict extends RuntimeVerdict {
  readonly load: { readonly type: string; readonly message: string } | null;
}

/**
 * Source of `wrapped(target, owner, isExpected)`: a `test` of Bun's that registers no case which is repeated, and marks the names of those which are expected
 * to fail, since Bun reports both as passed.
 */
const WRAPPED = `function wrapped(target, owner, isExpected) {
  return new Proxy(target, {
    get(_, key) {
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? wrapped(value, target, isExpected || /^failing/.test(String(key))) : value;
    },
    apply(_, self, given) {
      const [name, ...rest] = given;
      const body = rest.find((each) => typeof each === 'function');
      if (body === undefined) {
        const answer = Reflect.apply(target, owner, given);
        return typeof answer === 'function' ? wrapped(answer, undefined, isExpected) : answer;
      }
      const timeout = rest.find((each) => typeof each === 'number');
      const options = { ...rest.find((each) => typeof each === 'object'), ...(timeout === undefined ? {} : { timeout }), retry: 0 };
      return Reflect.apply(target, owner, [isExpected ? String(name) + mark : name, body, options]);
    },
  });
}`;

/**
 * A setup file that Bun runs before the test file, in its process. The canaries are cases of a file after it: two pairs show whether Bun runs tests and
 * reports that they fail; the last case shows whether assertions, matchers and the runner's functions are those from before, and still work. It always fails;
 * \`NONCE{"canaries":"passed:failed"…}\` is its message where nothing is stubbed. The text has no secret: they come on standard input. \`CI\` is read by Bun alone, before.
 */
export const SETUP_SOURCE = `import nodeAssert from 'node:assert';
import { randomInt } from 'node:crypto';
import { readFileSync, unlinkSync } from 'node:fs';
import Module from 'node:module';
import * as api from 'bun:test';
import * as nodeApi from 'node:test';
const { expect, describe, mock, jest, vi } = api;
const secrets = JSON.parse(readFileSync(0, 'utf8'));
unlinkSync(import.meta.path);
delete process.env.CI;
const { file, last, nonce, mark, verdict } = secrets;
const stringify = JSON.stringify;
${WATCHED}
${GUARDED}
${WRAPPED}
${NOTED}
${WATCHED_NODE_TEST}
${OFFERED_BY_NAME}
const native = api.test;
const test = wrapped(native, undefined, false);
const guard = guarded([nodeAssert, nodeAssert.strict]);
const matchers = Object.getPrototypeOf(expect(1));
const names = new Set(Reflect.ownKeys(matchers));
const extend = expect.extend;
let replaced = false;
expect.extend = function (added) {
  if (Reflect.ownKeys(added ?? {}).some((key) => names.has(key))) replaced = true;
  return Reflect.apply(extend, expect, [added]);
};
for (const key of names) {
  const found = Reflect.getOwnPropertyDescriptor(matchers, key);
  if (found?.writable === true) Reflect.defineProperty(matchers, key, { writable: false });
}
mock.module('bun:test', () => ({ ...api, test, it: test, default: undefined }));
const nodeTest = watchedNodeTest(nodeApi.test, note);
const nodeNames = { ...nodeApi };
for (const key of ['test', 'it', 'describe', 'suite', 'skip', 'todo', 'only', 'expectFailure']) if (key in nodeApi) nodeNames[key] = nodeTest[key];
mock.module('node:test', () => ({ ...nodeNames, default: nodeTest }));
offerByName(nodeTest, Module);
const ofFile = Bun.jest;
Bun.jest = (...all) => ({ ...Reflect.apply(ofFile, Bun, all), test, it: test });
const isSame = watched([nodeAssert.AssertionError.prototype, matchers, expect, expect.not, native, describe, jest, vi, mock, Bun.jest, Function.prototype]);
const given = Bun.jest;
const one = randomInt(1, 2 ** 40);
async function isWhole() {
  if (!isSame() || guard.isReplaced() || replaced || Bun.jest !== given) return false;
  const [now, assertNow, nodeNow] = [await import('bun:test'), await import('node:assert'), await import('node:test')];
  return nodeNow.test === nodeTest.test && nodeNow.it === nodeTest.it && now.expect === expect && now.test === test && now.it === test && now.describe === describe && assertNow.default === nodeAssert && assertNow.strictEqual === nodeAssert.strictEqual;
}
const each = expect;
${ALL_THROW}
function truthsHold() {
  try {
    expect(1).toBe(1);
    expect({ a: 1 }).toEqual({ a: 1 });
    nodeAssert.equal(1, 1);
    return true;
  } catch { return false; }
}
async function loadError() {
  try {
    await import(file);
    return null;
  } catch (error) {
    return { __proto__: null, type: String(error?.name ?? typeof error), message: String(error?.message ?? error) };
  }
}
function register() {
  ${CANARIES_SOURCE}
  test(verdict, async () => {
    const load = await loadError();
    const whole = await isWhole();
    guard.release();
    const failed = whole && (await allThrow([...${expectFalsehoods('mock(() => {})')}, ...${ASSERT_FALSEHOODS}])) ? 'failed' : 'passed';
    throw new Error(nonce + stringify({ __proto__: null, canaries: (truthsHold() ? 'passed' : 'failed') + ':' + failed, load, noted }));
  }, 60_000);
}
Bun.plugin({ name: 'setup', setup(build) {
  build.onLoad({ filter: new RegExp(last.replace(/[.*+?^\${}()|[\\]\\\\]/g, '\\\\$&') + '$') }, () => {
    register();
    return { contents: '', loader: 'js' };
  });
} });
`;
