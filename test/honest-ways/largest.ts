/** The small function that most ways are about. */
export const MAX = 'export function max(a, b) {\n  if (a > b) return a;\n  return b;\n}\n';
export const MAX_SHORTER = 'export function max(a, b) {\n  return a > b ? a : b;\n}\n';
export const STUB = "export function max() {\n  throw new Error('not implemented');\n}\n";
export const USES_MAX = "import { max } from '../src/max.js';\n";
export const NODE = "import assert from 'node:assert/strict';\nimport test, { describe } from 'node:test';\n";
export const MAX_TEST = `${NODE}${USES_MAX}test('larger', () => assert.equal(max(1, 2), 2));\ntest('first', () => assert.equal(max(2, 1), 2));\n`;
export const NODE_PACKAGE = {
  'package.json': '{ "name": "way", "type": "module", "scripts": { "test": "node --test" } }\n',
};
export const PY_MAX = 'def largest(a, b):\n    if a > b:\n        return a\n    return b\n';
