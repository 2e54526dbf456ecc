import { commit, learn, plan, runTests, say, write } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const TEST = `import unittest
from notes.memo import memoise


class Memoise(unittest.TestCase):
    def setUp(self):
        self.calls = []

        @memoise
        def double(number, *, plus=0):
            "Twice as much."
            self.calls.append(number)
            return number * 2 + plus

        self.double = double

    def test_works_once_for_each_argument(self):
        self.assertEqual([self.double(2), self.double(2), self.double(3)], [4, 4, 6])
        self.assertEqual(self.calls, [2, 3])

    def test_tells_keywords_apart(self):
        self.assertEqual([self.double(2), self.double(2, plus=1)], [4, 5])

    def test_keeps_name_and_docstring(self):
        self.assertEqual((self.double.__name__, self.double.__doc__), ("double", "Twice as much."))
`;

const SOURCE = `from functools import wraps


def memoise(function):
    results = {}

    @wraps(function)
    def remembering(*args, **kwargs):
        key = (args, tuple(sorted(kwargs.items())))
        if key not in results:
            results[key] = function(*args, **kwargs)
        return results[key]

    return remembering
`;

/** Would rather write by a shell, and names test files by an object. */
function* developer(): Developer {
  const shell = yield say('', { tool: 'shell.run', input: { command: ['touch', 'notes/memo.py'], effects: 'stage' } });
  learn(shell.results[0], /shell\.run/);
  yield say(
    'No shell here.',
    plan('memoise in notes/memo.py', 'Tests', 'Decorator'),
    write('tests/test_memo.py', TEST),
  );
  const object = yield say('', { tool: 'test.run', input: { paths: { file: 'tests/test_memo.py' } } });
  learn(object.results[0], /paths: Invalid input: expected array/);
  yield say('', runTests('tests/test_memo.py'));
  yield say('', write('notes/memo.py', SOURCE));
  yield say('', runTests());
  yield say('', commit('Add memoise'));
}

export const memoise: SmallTask = {
  name: 'memoise',
  ask: 'Add a memoise decorator',
  wire: 'messages',
  developer,
  refused: ['tool_unavailable', 'invalid_input'],
  commits: ['A notes/memo.py', 'A tests/test_memo.py'],
  forHuman: [],
};
