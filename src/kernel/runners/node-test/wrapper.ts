import { pathToFileURL } from 'node:url';
import { ASSERTION_WATCH } from './assertion-watch.ts';

/** Canary kinds of one wrapped test file; the number is the file's place in the run. */
export function canaryName(prefix: string, index: number, kind: 'pass' | 'fail' | 'load'): string {
  return `${prefix}-${index}-${kind}`;
}

export function wrapperName(index: number): string {
  return `w${String(index).padStart(5, '0')}.mjs`;
}

/**
 * A module that loads one test file and registers canaries after its tests, in the same process. The one that must fail does so
 * only if each kind of assertion still works after the file and the source it imports have run, so stubbed assertions are noticed. A process
 * that ends early reaches neither of them.
 */
export function wrapperSource(testFile: string, prefix: string, index: number): string {
  const name = (kind: 'pass' | 'fail' | 'load') => JSON.stringify(canaryName(prefix, index, kind));
  return `${ASSERTION_WATCH}
const test = testExports.default;
let loadError = null;
try {
  await import(${JSON.stringify(pathToFileURL(testFile).href)});
} catch (error) {
  loadError = { error };
}
if (loadError !== null) test(${name('load')}, () => { throw loadError.error; });
test(${name('pass')}, () => { assertExports.default.strictEqual(1, 1); });
test(${name('fail')}, async () => {
  if (await assertionsAreWhole()) throw new Error('each false assertion failed, as it has to');
});
`;
}
