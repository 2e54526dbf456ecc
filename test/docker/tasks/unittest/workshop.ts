import type { Workshop } from '../small-task.ts';
import { emptySummary } from './empty-summary.ts';
import { memoise } from './memoise.ts';
import { notePath } from './note-path.ts';
import { readme } from './readme.ts';
import { stableOrder } from './stable-order.ts';

/** A Python package with tests and nothing that says how they run but the tests themselves. */
export const unittestWorkshop: Workshop = {
  runner: 'unittest',
  files: {
    '.gitignore': '__pycache__/\n',
    'README.md': '# notes\n\nKeeps notess in a directory.\n',
    'notes/__init__.py': '',
    'notes/listing.py': `def by_priority(notes):
    """Most urgent first."""
    return list(reversed(sorted(notes, key=lambda note: note["priority"])))
`,
    'notes/summary.py': `def average_length(notes):
    return sum(len(note["text"]) for note in notes) / len(notes)


def longest(notes):
    return max(notes, key=lambda note: len(note["text"]))
`,
    'notes/paths.py': `def join(directory, name):
    return directory + "/" + name
`,
    'notes/store.py': `from notes.paths import join


def place_of(root, title):
    return join(root, title + ".txt")
`,
    'tests/test_listing.py': `import unittest
from notes.listing import by_priority


class ByPriority(unittest.TestCase):
    def test_most_urgent_first(self):
        notes = [{"priority": 1}, {"priority": 3}, {"priority": 2}]
        self.assertEqual([note["priority"] for note in by_priority(notes)], [3, 2, 1])
`,
    'tests/test_paths.py': `import unittest
from notes.paths import join


class Join(unittest.TestCase):
    def test_join(self):
        self.assertEqual(join("a", "b"), "a/b")
`,
    'tests/test_store.py': `import unittest
from notes.store import place_of


class PlaceOf(unittest.TestCase):
    def test_place(self):
        self.assertEqual(place_of("/notes", "rent"), "/notes/rent.txt")
`,
  },
  test: ['/usr/bin/python3', '-B', '-m', 'unittest', 'discover', '-s', 'tests'],
  tasks: [stableOrder, emptySummary, notePath, memoise, readme],
};
