import { ALL_THROW, ASSERT_FALSEHOODS, expectFalsehoods } from '../falsehoods.ts';
import { CANARIES_SOURCE, SECRETS_KEY } from './setup-secrets.ts';
import { GUARDED, WATCHED, WATCHED_MATCHERS } from '../watched.ts';

/**
 * A setup file that jest runs in the environment of every test file, before it. Two pairs of tests show whether the runner runs tests at all and reports
 * that they fail; the hook runs after the file's tests and the source they load, and shows whether assertions, matchers and the runner's functions are those
 * from before, and still work. It always throws; `NONCE:passed:failed` is the message where nothing is stubbed. The text has no secret: names and nonce are
 * taken out of the environment, so that no later code finds them.
 */
export const SETUP_SOURCE = `const nodeAssert = require('node:assert');
const { randomInt } = require('node:crypto');
const jestGlobals = require('@jest/globals');
const { afterAll, describe, expect, jest: mocks, test } = jestGlobals;
const secrets = globalThis['${SECRETS_KEY}'];
delete globalThis['${SECRETS_KEY}'];
${WATCHED}
${GUARDED}
const guard = guarded([nodeAssert, nodeAssert.strict]);
${WATCHED_MATCHERS}
const isReplaced = watchedMatchers();
const { nonce } = secrets;
const one = randomInt(1, 2 ** 40);
const words = ['expect', 'test', 'it', 'describe', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach'];
const hooks = words.map((key) => [key, Reflect.getOwnPropertyDescriptor(globalThis, key)?.value]);
const isSame = watched([nodeAssert.AssertionError.prototype, expect, expect.not, test, describe, mocks, Function.prototype]);
const isWhole = () => isSame() && !guard.isReplaced() && !isReplaced() && hooks.every(([key, value]) => Reflect.getOwnPropertyDescriptor(globalThis, key)?.value === value);
${CANARIES_SOURCE}
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
  const whole = isWhole();
  guard.release();
  const failed = whole && (await allThrow(falsehoods)) ? 'failed' : 'passed';
  throw new Error(nonce + ':' + (truthsHold() ? 'passed' : 'failed') + ':' + failed);
}, 60_000);
`;
