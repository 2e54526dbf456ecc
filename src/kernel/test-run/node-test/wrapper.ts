import { pathToFileURL } from 'node:url';

/** Canary kinds of one wrapped test file; the number is the file's place in the run. */
export function canaryName(prefix: string, index: number, kind: 'pass' | 'fail' | 'load'): string {
  return `${prefix}-${index}-${kind}`;
}

export function wrapperName(index: number): string {
  return `w${String(index).padStart(5, '0')}.mjs`;
}

/**
 * A module that loads one test file and registers canaries behind its tests, in the same process. The one that must fail does so
 * only if every way of asserting still works after the file and the source it imports have run, so stubbed assertions show; and a process
 * that ends early never reaches either of them.
 */
export function wrapperSource(testFile: string, prefix: string, index: number): string {
  const name = (kind: 'pass' | 'fail' | 'load') => JSON.stringify(canaryName(prefix, index, kind));
  return `import test from 'node:test';
import assert from 'node:assert';
import strict from 'node:assert/strict';
let loadError = null;
try {
  await import(${JSON.stringify(pathToFileURL(testFile).href)});
} catch (error) {
  loadError = { error };
}
if (loadError !== null) test(${name('load')}, () => { throw loadError.error; });
test(${name('pass')}, () => { assert.strictEqual(1, 1); });
test(${name('fail')}, async () => {
  const falsehoods = [
    () => assert(false),
    () => assert.ok(false),
    () => assert.equal(1, 2),
    () => assert.strictEqual(1, 2),
    () => assert.deepEqual({ a: 1 }, { a: 2 }),
    () => assert.deepStrictEqual([1], [2]),
    () => assert.notStrictEqual(1, 1),
    () => assert.throws(() => {}),
    () => assert.match('a', /b/),
    () => strict.equal(1, 2),
    () => strict.deepEqual([1], [2]),
    () => strict.throws(() => {}),
  ];
  for (const falsehood of falsehoods) {
    let held = false;
    try { falsehood(); held = true; } catch {}
    if (held) return;
  }
  let rejected = false;
  await assert.rejects(async () => {}).catch(() => { rejected = true; });
  if (!rejected) return;
  throw new Error('a falsehood was caught, as it should be');
});
`;
}
