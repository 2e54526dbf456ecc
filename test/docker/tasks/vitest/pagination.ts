import { commit, edit, learn, plan, read, runTests, say, write } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const TEST = `import { describe, expect, it } from 'vitest';
import { paginate } from '../src/pagination';

const LETTERS = ['a', 'b', 'c', 'd'];

describe('paginate', () => {
  it('begins with the first item', () => expect(paginate(LETTERS, 1, 3).items).toEqual(['a', 'b', 'c']));
  it('ends with what is left', () => expect(paginate(LETTERS, 2, 3).items).toEqual(['d']));
  it('has nothing behind the last page', () => expect(paginate(LETTERS, 3, 3).items).toEqual([]));
  it.each([
    [0, 0],
    [1, 1],
    [3, 1],
    [4, 2],
  ])('makes of %i items %i pages', (count, pages) => {
    expect(paginate(LETTERS.slice(0, count), 1, 3).pages).toBe(pages);
  });
});
`;

/** Has an idea of where the project lies that is not true here, twice. */
function* developer(): Developer {
  const absolute = yield say('Let me look at the function.', read('/workspace/shop/src/pagination.ts'));
  learn(absolute.results[0], /outside the project; write it relative/);
  const above = yield say('', read('../shop/src/pagination.ts'), {
    tool: 'search.glob',
    input: { pattern: '**/pagination.*' },
  });
  learn(above.results[0], /leads out of the project; write it relative/);
  const path = learn(above.results[1], /^src\/pagination\.ts$/m);
  const shown = yield say('Found it. How are tests called here?', read(`./${path}`), {
    tool: 'fs.list',
    input: { path: 'tests/' },
  });
  learn(shown.results[1], /money\.check\.ts/);
  yield say(
    'Both the start and the number of pages are off by one.',
    plan('Count pages from 1', 'Test the ends', 'Mend'),
  );
  yield say('', write('tests/pagination.check.ts', TEST), runTests('tests/pagination.check.ts'));
  yield say(
    '',
    edit(path, 'page * size', '(page - 1) * size'),
    edit(path, 'Math.floor(items.length / size) + 1', 'Math.ceil(items.length / size)'),
    runTests(),
  );
  yield say('', commit('Begin with the first item, and count no empty page'));
}

export const pagination: SmallTask = {
  name: 'mend an off-by-one',
  ask: 'paginate(items, 1, 10) starts with the 11th item, and 20 items have 3 pages. Fix it.',
  wire: 'chat-completions',
  developer,
  refused: ['path_refused', 'path_refused'],
  commits: ['A tests/pagination.check.ts', 'M src/pagination.ts'],
  forHuman: [],
};
