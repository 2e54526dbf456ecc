import { commit, edit, grep, learn, move, plan, runTests, say } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const everywhere = (path: string) => ({
  tool: 'fs.edit',
  input: { path, old_string: 'calc', new_string: 'totalPrice', replace_all: true },
});

/** Moves test and source with everything that names them, the tests first. */
function* developer(): Developer {
  const found = yield say('Who uses it?', grep('\\bcalc\\b'));
  learn(found.results[0], /src\/receipt\.ts/);
  yield say(
    '',
    plan('calc becomes totalPrice, in src/total-price.ts', 'Move the test', 'Move the source', 'Adapt receipt'),
  );
  yield say(
    'First the test, so that it asks for the new name.',
    move('tests/calc.check.ts', 'tests/total-price.check.ts'),
    everywhere('tests/total-price.check.ts'),
    edit('tests/total-price.check.ts', "'../src/totalPrice'", "'../src/total-price'"),
  );
  const red = yield say('', runTests());
  learn(red.results[0], /tests\/total-price\.check\.ts \(does not load yet\)/);
  yield say(
    'As expected, the module is not there. Now it will be.',
    move('src/calc.ts', 'src/total-price.ts'),
    everywhere('src/total-price.ts'),
    everywhere('src/receipt.ts'),
  );
  const broken = yield say('', runTests());
  learn(broken.results[0], /\.\/totalPrice/);
  yield say(
    'The path is spelled with a hyphen.',
    {
      tool: 'fs.edit',
      input: { path: 'src/receipt.ts', old_string: './totalPrice', new_string: './total-price', replace_all: true },
    },
    runTests(),
  );
  yield say('', commit('Rename calc to totalPrice'));
}

export const renameTotal: SmallTask = {
  name: 'rename a function with its file and its tests',
  ask: 'Rename calc to totalPrice, in src/total-price.ts, tests included',
  wire: 'generate-content',
  developer,
  refused: ['tests_failed'],
  commits: [
    'A src/total-price.ts',
    'A tests/total-price.check.ts',
    'D src/calc.ts',
    'D tests/calc.check.ts',
    'M src/receipt.ts',
  ],
  forHuman: [
    /^Existing tests change: tests\/calc\.check\.ts \(deleted\)\.$/,
    /sums prices by count passed before and no longer exists/,
    /^Old tests on the new source: .*sums prices by count$/,
  ],
};
