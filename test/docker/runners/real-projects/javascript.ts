import { readFileSync } from 'node:fs';
import { installFromHere } from '../installed-packages.ts';
import type { RealProject } from './real-project.ts';

const published = (path: string): string => readFileSync(`node_modules/${path}`, 'utf8');
const manifest = (name: string, test: string): string =>
  JSON.stringify({ name, version: '1.0.0', main: 'index.js', scripts: { test } });

export const jestProject: RealProject = {
  runner: 'jest',
  name: 'ms: an hour less a millisecond is "60m"',
  files: () => ({
    '.gitignore': 'node_modules/\n',
    'package.json': manifest('ms', 'jest --ci'),
    'index.js': published('ms/index.js'),
    'test/old.test.js': `const ms = require('..');\n\ntest('minutes', () => expect(ms(120000)).toBe('2m'));\n`,
  }),
  prepare: (root) => installFromHere(root, 'jest'),
  test: {
    path: 'test/rounding.test.js',
    content: `const ms = require('..');

test('what rounds up to an hour is an hour', () => {
  expect(ms(3599999)).toBe('1h');
  expect(ms(3540000)).toBe('59m');
});
`,
  },
  fix: {
    path: 'index.js',
    old_string: "  if (msAbs >= h) {\n    return Math.round(ms / h) + 'h';",
    new_string: "  if (Math.round(msAbs / m) * m >= h) {\n    return Math.round(ms / h) + 'h';",
  },
  cases: ['what rounds up to an hour is an hour'],
  forHuman: [],
};

export const mochaProject: RealProject = {
  runner: 'mocha',
  name: 'fast-deep-equal: objects without a prototype throw',
  files: () => ({
    '.gitignore': 'node_modules/\n',
    'package.json': manifest('fast-deep-equal', 'mocha spec/*.spec.js -R spec'),
    'index.js': published('fast-deep-equal/index.js'),
    'spec/old.spec.js': `const assert = require('assert');
const equal = require('..');

describe('equal', () => {
  it('compares numbers', () => assert.strictEqual(equal(1, 1), true));
});
`,
  }),
  prepare: (root) => installFromHere(root, 'mocha'),
  test: {
    path: 'spec/prototype.spec.js',
    content: `const assert = require('assert');
const equal = require('..');

const bare = (entries) => Object.assign(Object.create(null), entries);

describe('objects without a prototype', () => {
  it('are equal with equal entries', () => assert.strictEqual(equal(bare({ a: 1 }), bare({ a: 1 })), true));
  it('differ with other entries', () => assert.strictEqual(equal(bare({ a: 1 }), bare({ a: 2 })), false));
});
`,
  },
  fix: {
    path: 'index.js',
    old_string:
      '    if (a.valueOf !== Object.prototype.valueOf) return a.valueOf() === b.valueOf();\n    if (a.toString !== Object.prototype.toString) return a.toString() === b.toString();',
    new_string:
      "    if (typeof a.valueOf === 'function' && a.valueOf !== Object.prototype.valueOf) return a.valueOf() === b.valueOf();\n    if (typeof a.toString === 'function' && a.toString !== Object.prototype.toString) return a.toString() === b.toString();",
  },
  cases: [
    'objects without a prototype > are equal with equal entries',
    'objects without a prototype > differ with other entries',
  ],
  forHuman: [],
};
