import { commit, edit, learn, plan, read, runTests, say, write } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const TEST = `import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LruCache } from '../src/lru-cache.js';

describe('LruCache', () => {
  it('forgets what was not used for the longest time', () => {
    const cache = new LruCache(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [undefined, 2, 3]);
  });
  it('knows what was never set', () => assert.equal(new LruCache(1).get('a'), undefined));
});
`;
const WRONG = '[undefined, 2, 3]';
const CORRECT = '[1, undefined, 3]';

const SOURCE = `export class LruCache {
  #entries = new Map();
  #size;

  constructor(size) {
    this.#size = size;
  }

  get(key) {
    if (!this.#entries.has(key)) return undefined;
    const value = this.#entries.get(key);
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key, value) {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#size) this.#entries.delete(this.#entries.keys().next().value);
  }
}
`;

/** Expects the wrong entry to be gone, writes the source rightly, and has to find out which of the two is at fault. */
function* developer(): Developer {
  yield say('', read('package.json'), { tool: 'search.glob', input: { pattern: 'src/**' } });
  yield say('', plan('A cache that forgets what was not used for longest', 'Tests', 'src/lru-cache.js'));
  yield say('', write('test/lru-cache.test.js', TEST), runTests());
  yield say('A Map keeps the order of insertion, which is all that this needs.', write('src/lru-cache.js', SOURCE));
  const failed = yield say('', runTests());
  learn(failed.results[0], /forgets what was not used for the longest time/);
  const frozen = yield say(
    'Wait: `a` was read before `c` came, so `b` has to go. My test is wrong, not the cache.',
    edit('test/lru-cache.test.js', WRONG, CORRECT),
  );
  const way = learn(frozen.results[0], /call (workflow\.revise_tests)/);
  yield say('', { tool: way, input: { reason: 'get() counts as a use, so b is the one to be forgotten' } });
  yield say('', edit('test/lru-cache.test.js', WRONG, CORRECT));
  const red = yield say('', runTests());
  learn(red.results[0], /without the staged source.*The source can be written now/s);
  const green = yield say('It fails without the cache; with it, it should pass.', runTests());
  learn(green.results[0], /The whole suite passes/);
  yield say('', commit('Add LruCache'));
}

export const lruCache: SmallTask = {
  name: 'add an LRU cache, with a test that is wrong at first',
  ask: 'Add a small LRU cache class in src/lru-cache.js with get and set',
  wire: 'messages',
  developer,
  refused: ['red_case_failing', 'tool_unavailable'],
  commits: ['A src/lru-cache.js', 'A test/lru-cache.test.js'],
  forHuman: [/^A test was revised after it had been seen to fail: get\(\) counts as a use/],
};
