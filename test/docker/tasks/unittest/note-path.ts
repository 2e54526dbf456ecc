import { commit, grep, learn, plan, remove, runTests, say, write } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const TEST = `import unittest
from notes.store import place_of


class Titles(unittest.TestCase):
    def test_slash_at_the_end(self):
        self.assertEqual(str(place_of("/notes/", "rent")), "/notes/rent.txt")

    def test_title_that_leads_elsewhere(self):
        for title in ("../rent", "/etc/passwd", "a/b", ""):
            with self.subTest(title=title), self.assertRaises(ValueError):
                place_of("/notes", title)
`;

const SOURCE = `from pathlib import PurePosixPath


def place_of(root, title):
    if title == "" or "/" in title:
        raise ValueError(f"not a title: {title!r}")
    return str(PurePosixPath(root) / (title + ".txt"))
`;

/** Clears away what is no longer needed, its test included; a little too early at first. */
function* developer(): Developer {
  const used = yield say('', grep('notes\\.paths|import join'));
  learn(used.results[0], /notes\/store\.py/);
  yield say(
    'Only the store uses it.',
    plan('pathlib instead of notes.paths', 'Test titles', 'pathlib', 'Delete notes.paths'),
  );
  const early = yield say(
    '',
    write('tests/test_titles.py', TEST),
    remove('tests/test_paths.py'),
    remove('notes/paths.py'),
  );
  learn(early.results[2], /notes\/paths\.py is source code/);
  yield say('The module goes later.', runTests());
  yield say('', write('notes/store.py', SOURCE), remove('notes/paths.py'), runTests());
  yield say('', commit('Place notes with pathlib, and keep titles in their directory'));
}

export const notePath: SmallTask = {
  name: 'replace path joining, and delete what it replaces',
  ask: 'Use pathlib instead of our own join in notes/paths.py and delete that. A title must not lead out of the directory.',
  wire: 'chat-completions',
  developer,
  refused: ['tool_unavailable'],
  commits: ['A tests/test_titles.py', 'D notes/paths.py', 'D tests/test_paths.py', 'M notes/store.py'],
  forHuman: [
    /^Existing tests change: tests\/test_paths\.py \(deleted\)\.$/,
    /Join > test_join passed before and no longer exists/,
    /^Old tests on the new source: unchanged, these do not pass on the new source: tests\/test_paths\.py › Join > test_join$/,
  ],
};
