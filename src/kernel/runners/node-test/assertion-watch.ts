/**
 * Source that watches the assertions of a test file, for the top of a module that then imports that file. It defines
 * `assertionsAreWhole()`, async: false if a member of node:test, node:assert or node:assert/strict is or was replaced, or if an assertion
 * passes on what is false.
 *
 * Properties are watched as they are set, not only compared at the end: a stub that is removed in time, or that only ESM's named exports still
 * hold (`syncBuiltinESMExports`), would not be seen there. The functions that the watch needs are taken before any other code runs.
 */
export const ASSERTION_WATCH = `import * as testExports from 'node:test';
import * as assertExports from 'node:assert';
import * as strictExports from 'node:assert/strict';
import { randomInt } from 'node:crypto';
const assertionsAreWhole = (() => {
  const { ownKeys, defineProperty, getOwnPropertyDescriptor: describe } = Reflect;
  const roots = [testExports, assertExports, strictExports];
  let touched = false;
  for (const owner of [testExports.default, assertExports.default, strictExports.default]) {
    for (const key of ownKeys(owner)) {
      const found = describe(owner, key);
      if (!found.configurable || !found.writable || key === 'name' || key === 'length') continue;
      const get = () => found.value;
      const set = () => { touched = true; };
      defineProperty(owner, key, { get, set, enumerable: found.enumerable, configurable: false });
    }
  }
  const isObject = (value) => typeof value === 'function' || (typeof value === 'object' && value !== null);
  const seen = new Set();
  const pristine = [];
  const remember = (owner, depth) => {
    if (!isObject(owner) || seen.has(owner) || depth > 3) return;
    seen.add(owner);
    const keys = ownKeys(owner);
    const members = keys.map((key) => describe(owner, key));
    pristine.push({ owner, keys, members });
    for (const { value } of members) remember(value, depth + 1);
  };
  for (const root of roots) remember(root, 0);
  const isPristine = () => {
    for (let at = 0; at < pristine.length; at += 1) {
      const { owner, keys, members } = pristine[at];
      for (let index = 0; index < keys.length; index += 1) {
        const now = describe(owner, keys[index]);
        const then = members[index];
        if (now === undefined || now.value !== then.value || now.get !== then.get || now.set !== then.set) return false;
      }
    }
    return true;
  };
  const one = randomInt(1, 2 ** 40);
  const other = one + randomInt(1, 2 ** 7);
  const ways = [assertExports.default, assertExports, strictExports.default, strictExports];
  return async () => {
    if (touched) return false;
    if (!isPristine()) return false;
    for (let at = 0; at < ways.length; at += 1) {
      const way = ways[at];
      const falsehoods = [
        () => way.default?.(false) ?? way(false),
        () => way.ok(false),
        () => way.equal(one, other),
        () => way.strictEqual(one, other),
        () => way.deepEqual({ a: one }, { a: other }),
        () => way.deepStrictEqual([one], [other]),
        () => way.notStrictEqual(one, one),
        () => way.throws(() => {}),
        () => way.match(String(one), /[a-z]/),
      ];
      for (let index = 0; index < falsehoods.length; index += 1) {
        let held = false;
        try { falsehoods[index](); held = true; } catch (error) { if (!(error instanceof way.AssertionError)) return false; }
        if (held) return false;
      }
      let rejected = false;
      try { await way.rejects(async () => {}); } catch { rejected = true; }
      if (!rejected) return false;
    }
    return true;
  };
})();
`;
