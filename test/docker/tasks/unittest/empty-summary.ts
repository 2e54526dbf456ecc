import { commit, edit, learn, plan, read, runTests, say, write } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const TEST = `import unittest
from notes.summary import average_length, longest


class NoNotes(unittest.TestCase):
    def test_average(self):
        self.assertEqual(average_length([]), 0)

    def test_longest(self):
        self.assertIsNone(longest([]))


class SomeNotes(unittest.TestCase):
    def test_both(self):
        notes = [{"text": "ab"}, {"text": "abcd"}]
        self.assertEqual(average_length(notes), 3)
        self.assertEqual(longest(notes), {"text": "abcd"})
`;

/** Misremembers a file's name, mends half of it, and finds the other half in the report. */
function* developer(): Developer {
  const missing = yield say('', read('notes/sumary.py'));
  const path = learn(missing.results[0], /nearest name in "notes" is "(summary\.py)"/);
  yield say('A slip.', read(`notes/${path}`), plan('No notes are no error', 'Test', 'Both functions'));
  yield say('', write('tests/test_summary.py', TEST), runTests());
  const AVERAGE = '    return sum(len(note["text"]) for note in notes) / len(notes)\n';
  const half = yield say(
    '',
    edit('notes/summary.py', AVERAGE, `    if not notes:\n        return 0\n${AVERAGE}`),
    runTests(),
  );
  learn(half.results[1], /NoNotes > test_longest/);
  yield say(
    'And `longest`.',
    edit('notes/summary.py', 'note: len(note["text"]))', 'note: len(note["text"]), default=None)'),
    runTests(),
  );
  yield say('', commit('Summarise no notes at all'));
}

export const emptySummary: SmallTask = {
  name: 'handle empty input',
  ask: 'average_length([]) raises ZeroDivisionError. Handle empty input in notes/summary.py.',
  wire: 'responses',
  developer,
  refused: ['not_found', 'red_case_failing'],
  commits: ['A tests/test_summary.py', 'M notes/summary.py'],
  forHuman: [],
};
