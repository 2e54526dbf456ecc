import { commit, edit, learn, plan, read, runTests, say, write } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const TEST = `import unittest
from notes.listing import by_priority


class Order(unittest.TestCase):
    def test_equal_priorities_stay_as_they_came(self):
        notes = [{"priority": p, "id": i} for i, p in enumerate([1, 2, 1, 2])]
        self.assertEqual([note["id"] for note in by_priority(notes)], [1, 3, 0, 2])

    def test_leaves_its_argument_alone(self):
        notes = [{"priority": 1}, {"priority": 2}]
        by_priority(notes)
        self.assertEqual(notes, [{"priority": 1}, {"priority": 2}])
`;

/** Begins to write before there is a plan, makes a package with an empty file, and asks for the tests of one directory. */
function* developer(): Developer {
  const early = yield say('', read('notes/listing.py'), write('tests/order/test_ties.py', TEST));
  learn(early.results[1], /Writing opens with plan\.complete/);
  yield say('A plan first, then.', plan('Equal priorities keep their order', 'Test', 'sorted with reverse'));
  yield say('', write('tests/order/__init__.py', ''), write('tests/order/test_ties.py', TEST), runTests('tests'));
  yield say(
    '`reversed` turns equal ones round; `reverse=True` does not.',
    edit(
      'notes/listing.py',
      'list(reversed(sorted(notes, key=lambda note: note["priority"])))',
      'sorted(notes, key=lambda note: note["priority"], reverse=True)',
    ),
    runTests('tests/order/test_ties.py'),
  );
  yield say('', commit('Keep the order of notes of equal priority'));
}

export const stableOrder: SmallTask = {
  name: 'make a sort stable',
  ask: 'Notes of equal priority come out in reverse order',
  wire: 'messages',
  developer,
  refused: ['tool_unavailable'],
  commits: ['A tests/order/__init__.py', 'A tests/order/test_ties.py', 'M notes/listing.py'],
  forHuman: [],
};
