import { ALL_THROW, ASSERT_FALSEHOODS, CHAI_FALSEHOODS, expectFalsehoods } from '../falsehoods.ts';
import { GUARDED, WATCHED } from '../watched.ts';
import { CANARIES_SOURCE } from './setup-secrets.ts';
import { NOTED, OFFERED_BY_NAME, WATCHED_NODE_TEST } from './watched-node-test.ts';

/** Packages to assert with, by the specifiers that Deno's projects have for them. */
const PACKAGES =
  /^(?:jsr:\/?|npm:\/?)?(?:@std\/(?:assert|expect)|chai|expect)(?:@[^/]*)?(?:\/.*)?$|^https:\/\/deno\.land\/std(?:@[^/]*)?\/(?:assert|expect|testing\/asserts)\b/;
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"\n]+)\1/g;

/** Specifiers of the packages that a test file asserts with. */
export function assertionPackages(test: string): readonly string[] {
  const found = [...test.matchAll(IMPORT)].map(([, , specifier = '']) => specifier);
  return [...new Set(found.filter((specifier) => PACKAGES.test(specifier)))];
}

/** Deno says of a test that it is in the first file of the stack that is not Deno's own: under such a name the functions of ours are none. */
const WATCHED_AS_OF_DENO = JSON.stringify(`(${WATCHED_NODE_TEST})\n//# sourceURL=ext:deno_node/testing.ts`);

/** Calls of \`@std/assert\` that must throw, by the name of the function. */
const STD_FALSEHOODS = `[
  ['assert', false], ['assertEquals', 1, 2], ['assertEquals', { a: 1 }, { a: 2 }], ['assertEquals', [1], [2]], ['assertStrictEquals', 1, 2],
  ['assertNotEquals', 1, 1], ['assertNotStrictEquals', 1, 1], ['assertExists', null], ['assertFalse', true], ['assertInstanceOf', 1, Map],
  ['assertMatch', 'a', /b/], ['assertStringIncludes', 'a', 'b'], ['assertArrayIncludes', [1], [2]], ['assertObjectMatch', { a: 1 }, { a: 2 }],
  ['assertThrows', () => {}], ['assertRejects', async () => {}], ['assertAlmostEquals', 1, 2], ['assertGreater', 1, 2], ['assertLess', 2, 1],
  ['fail'], ['unreachable'],
]`;

/** Source that puts the watched node:test in place of Deno's own, whose exports cannot be changed: its address leads to another module. */
const NODE_TEST = `const nodeTest = watchedNodeTest(nodeTestOfDeno, note);
const given = 'given' + randomInt(2 ** 40);
globalThis[given] = { api: nodeTest };
const nodeTestUrl = 'data:text/javascript,' + encodeURIComponent(\`const { api } = globalThis.\${given}; export default api;
export const { \${Object.keys(nodeTestOfDeno).filter((key) => /^\\w+$/.test(key) && !['only', 'skip', 'todo', 'expectFailure'].includes(key)).join(', ')} } = api;\`);
const { test: watchedTest } = await import(nodeTestUrl);
delete globalThis[given];
registerHooks({ resolve: (specifier, context, next) => specifier === 'node:test' ? { url: nodeTestUrl, shortCircuit: true } : next(specifier, context) });
offerByName(nodeTest, Module);`;

/**
 * A module that Deno runs before the test file, in its isolate. The canaries are registered once the file and its modules are loaded, so they are its last
 * tests: two pairs show whether Deno runs tests and reports that they fail; the last one shows whether assertions and the runner's functions are those from
 * before, and still work. It always fails; \`NONCE{"canaries":"passed:failed"…}\` is its message where nothing is stubbed. The text has no secret: they come on standard input.
 */
export function setupSource(packages: readonly string[]): string {
  const names = packages.map((_, index) => `package${index}`);
  return `import nodeAssert from 'node:assert';
import { randomInt } from 'node:crypto';
import Module, { registerHooks } from 'node:module';
import nodeTestOfDeno from 'node:test';
${packages.map((specifier, index) => `import * as ${names[index] ?? ''} from ${JSON.stringify(specifier)};`).join('\n')}
const secrets = (() => {
  let text = '';
  const [part, decoder] = [new Uint8Array(65536), new TextDecoder()];
  for (let size = Deno.stdin.readSync(part); size !== null; size = Deno.stdin.readSync(part)) text += decoder.decode(part.subarray(0, size), { stream: true });
  return JSON.parse(text);
})();
const { nonce, verdict } = secrets;
const packages = [${names.join(', ')}];
const stringify = JSON.stringify;
${WATCHED}
${GUARDED}
${NOTED}
${OFFERED_BY_NAME}
const watchedNodeTest = (0, eval)(${WATCHED_AS_OF_DENO});
const test = Deno.test;
const guard = guarded([nodeAssert, nodeAssert.strict, test]);
${NODE_TEST}
let replaced = false;
Object.defineProperty(Deno, 'test', { get: () => test, set: () => { replaced = true; }, enumerable: true, configurable: false });
const expects = packages.flatMap((each) => typeof each.expect === 'function' ? [each.expect] : typeof each.default === 'function' ? [each.default] : []);
for (const each of expects) if (typeof each.extend === 'function') watchExtend(each);
function watchExtend(each) {
  const { extend } = each;
  const known = each(1);
  try {
    each.extend = (added) => {
      if (Reflect.ownKeys(added ?? {}).some((key) => key in known)) replaced = true;
      return Reflect.apply(extend, each, [added]);
    };
  } catch {}
}
const isSame = watched([
  nodeAssert.AssertionError.prototype, Function.prototype, ...expects,
  ...packages.flatMap((each) => [each.AssertionError?.prototype, each.Assertion?.prototype, each.assert, each.util]),
]);
const one = randomInt(1, 2 ** 40);
const expect = (value) => ({ toBe: (other) => nodeAssert.strictEqual(value, other) });
const describe = (name, body) => body();
${ALL_THROW}
const stdFalsehoods = packages.flatMap((each) => ${STD_FALSEHOODS}
  .filter(([name]) => typeof each[name] === 'function' && typeof each.Assertion !== 'function')
  .map(([name, ...given]) => () => each[name](...given)));
const fn = packages.find((each) => typeof each.fn === 'function')?.fn ?? (() => () => {});
const chais = packages.filter((each) => typeof each.Assertion === 'function' && typeof each.assert === 'function');
const expectsOfJest = expects.filter((each) => chais.every(({ expect }) => expect !== each));
const falsehoods = [
  ...stdFalsehoods,
  ...expectsOfJest.flatMap((each) => ${expectFalsehoods('fn()')}),
  ...chais.flatMap((chai) => ${CHAI_FALSEHOODS}),
  ...${ASSERT_FALSEHOODS},
];
function truthsHold() {
  try {
    nodeAssert.equal(1, 1);
    for (const each of packages) each.assertEquals?.({ a: 1 }, { a: 1 });
    return true;
  } catch { return false; }
}
addEventListener('load', () => {
  ${CANARIES_SOURCE}
  test(verdict, async () => {
    const whole = isSame() && !guard.isReplaced() && !replaced && Deno.test === test && (await import('node:test')).test === watchedTest;
    guard.release();
    const failed = whole && (await allThrow(falsehoods)) ? 'failed' : 'passed';
    throw new Error(nonce + stringify({ __proto__: null, canaries: (truthsHold() ? 'passed' : 'failed') + ':' + failed, noted }));
  });
});
`;
}
