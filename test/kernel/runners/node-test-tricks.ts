const HEAD = "import { describe, it, test } from 'node:test';\nimport assert from 'node:assert';\n";
const FALSE = 'assert.equal(1, 2);';

/** What is expected to fail in a test and in a suite. */
export const INNER = `${HEAD}test('x', async (t) => { await t.test('y', { expectFailure: true }, () => { ${FALSE} }); });
describe('s', () => { it('z', { expectFailure: true }, () => { ${FALSE} }); });`;

/** Cases of node:test that are no pass, in a runtime that has an implementation of its own. */
export const NODE_TEST_TRICKS: readonly (readonly [name: string, text: string])[] = [
  ['by options it is expected to fail', `test('x', { expectFailure: true }, () => { ${FALSE} });`],
  ['it skips itself, with nothing asserted', `test('x', (t) => { t.skip(); });`],
  ['it makes itself a todo, and fails', `test('x', (t) => { t.todo(); ${FALSE} });`],
  ['by options it is a todo', `test('x', { todo: true }, () => { ${FALSE} });`],
  ['test.todo', `test.todo('x', () => { ${FALSE} });`],
  ['its name has blanks', `test('\\t x\\n y', { expectFailure: 'soon' }, () => { ${FALSE} });`],
  [
    'by the name of a built-in module',
    `process.getBuiltinModule('node:test').test('x', { expectFailure: true }, () => { ${FALSE} });`,
  ],
  [
    'by require',
    `import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)('node:test')('x', { expectFailure: true }, () => { ${FALSE} });`,
  ],
  [
    'by options that answer once',
    `let n = 0; const options = { get expectFailure() { n += 1; return n === 1; } }; test('x', options, () => { if (n > 1) ${FALSE} throw new Error('x'); });`,
  ],
].map(([name = '', text = '']) => [`node:test: ${name}`, HEAD + text]);
