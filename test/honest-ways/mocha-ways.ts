import { MAX } from './largest.ts';
import { testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const about = (module: string, names: string, body: string): readonly [string, string] => [
  `test/${module}.js`,
  `const assert = require('node:assert');\nconst { ${names} } = require('../src/${module}');\n${body}`,
];

export const MOCHA_WAYS: RunnerWays = {
  runner: 'mocha',
  project: { 'package.json': '{ "name": "way", "scripts": { "test": "mocha" } }\n' },
  ways: [
    {
      name: 'hooks and suites within suites',
      steps: testFirst(
        about(
          'stack',
          'Stack',
          "describe('a stack', () => {\n  let stack;\n  beforeEach(() => { stack = new Stack(); });\n  it('is empty', () => assert.strictEqual(stack.size, 0));\n  describe('with two items', () => {\n    beforeEach(() => { stack.push('a'); stack.push('b'); });\n    it('gives the last one first', () => {\n      assert.strictEqual(stack.pop(), 'b');\n      assert.strictEqual(stack.size, 1);\n    });\n  });\n});\n",
        ),
        [
          'src/stack.js',
          'class Stack {\n  #items = [];\n  get size() {\n    return this.#items.length;\n  }\n  push(item) {\n    this.#items.push(item);\n  }\n  pop() {\n    return this.#items.pop();\n  }\n}\nexports.Stack = Stack;\n',
        ],
      ),
    },
    {
      name: 'assertions of chai',
      steps: testFirst(
        [
          'test/max.mjs',
          "import { expect } from 'chai';\nimport { max } from '../src/max.mjs';\ndescribe('max', () => {\n  it('is the larger one', () => {\n    expect(max(1, 2)).to.equal(2);\n    expect(max(2, 1)).to.equal(2);\n  });\n});\n",
        ],
        ['src/max.mjs', MAX],
      ),
      files: { '.mocharc.json': '{ "spec": "test/*.{js,mjs}" }\n' },
    },
    {
      name: 'events that arrive later',
      steps: testFirst(
        about(
          'feed',
          'Feed',
          "it('tells each listener', (done) => {\n  const feed = new Feed();\n  const seen = [];\n  feed.on('item', (item) => seen.push(item));\n  feed.on('end', () => {\n    assert.deepStrictEqual(seen, [1, 2]);\n    done();\n  });\n  feed.play([1, 2]);\n});\n",
        ),
        [
          'src/feed.js',
          "const { EventEmitter } = require('node:events');\n\nclass Feed extends EventEmitter {\n  play(items) {\n    for (const item of items) this.emit('item', item);\n    setImmediate(() => this.emit('end'));\n  }\n}\nexports.Feed = Feed;\n",
        ],
      ),
    },
    {
      name: 'cases that a loop makes, and a helper in their file',
      steps: testFirst(
        about(
          'clamp',
          'clamp',
          "function same(got, wanted, message) {\n  assert.strictEqual(got, wanted, message);\n}\nfor (const [n, wanted] of [[-3, 0], [4, 4], [12, 9]]) {\n  it(`brings ${n} to ${wanted}`, () => same(clamp(n, 0, 9), wanted, 'clamped'));\n}\nit('keeps a number between its bounds', () => same(clamp(5, 0, 9), 5, 'kept'));\n",
        ),
        ['src/clamp.js', 'exports.clamp = (n, low, high) => Math.min(Math.max(n, low), high);\n'],
      ),
    },
    {
      name: 'tests alone',
      files: { 'src/clamp.js': 'exports.clamp = (n, low, high) => Math.min(Math.max(n, low), high);\n' },
      kind: 'tests',
      steps: [
        about(
          'clamp',
          'clamp',
          "it('keeps to its bounds', () => {\n  assert.strictEqual(clamp(-3, 0, 9), 0);\n  assert.strictEqual(clamp(12, 0, 9), 9);\n  assert.strictEqual(clamp(4, 0, 9), 4);\n});\n",
        ),
        'run',
      ],
    },
  ],
};
