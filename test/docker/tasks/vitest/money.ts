import { commit, edit, learn, plan, read, runTests, say, write } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const test = (cases: string) => `import { expect, test } from 'vitest';
import { toCents } from '../src/money';

test.each([${cases}])('%f is %i cents', (amount, cents) => expect(toCents(amount)).toBe(cents));
`;

/** Writes a test under a name that nobody collects, then one that passes already, then one that proves something. */
function* developer(): Developer {
  yield say('', read('src/money.ts'), read('tests/money.check.ts'));
  yield say('Rounding down is the mistake.', plan('Round to the nearest cent', 'Test', 'Round'));
  const uncollected = yield say(
    '',
    write('tests/rounding.test.ts', test('[0.5, 50]')),
    runTests('tests/rounding.test.ts'),
  );
  learn(
    uncollected.results[1],
    /The run did not include tests\/rounding\.test\.ts.*tests\/rounding\.check\.ts in place of/s,
  );
  const passes = yield say(
    'The others are called *.check.ts, of course.',
    { tool: 'fs.move', input: { from: 'tests/rounding.test.ts', to: 'tests/rounding.check.ts' } },
    runTests(),
  );
  learn(passes.results[1], /proves nothing/);
  yield say(
    '0.5 was right all along. 0.29 is not.',
    write('tests/rounding.check.ts', test('[0.29, 29], [1.1, 110], [-0.29, -29]')),
  );
  yield say('', runTests());
  yield say('', edit('src/money.ts', 'Math.floor', 'Math.round'), runTests());
  yield say('', commit('Round to the nearest cent'));
}

export const money: SmallTask = {
  name: 'fix rounding',
  ask: 'toCents(0.29) is 28',
  wire: 'messages',
  developer,
  refused: ['not_executed', 'unexpected_green'],
  commits: ['A tests/rounding.check.ts', 'M src/money.ts'],
  forHuman: [],
};
