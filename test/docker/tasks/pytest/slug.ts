import { learn, plan, read, runTests, say, write } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const TEST = `import pytest
from ledger.slug import slug


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Crème Brûlée", "creme-brulee"),
        ("Straße", "strasse"),
        ("Łódź", "łodz"),
        ("日本 2024", "日本-2024"),
        ("snake_case", "snake-case"),
        ("---", ""),
    ],
)
def test_letters_of_the_world(text, expected):
    assert slug(text) == expected
`;

const SOURCE = `import re
import unicodedata


def slug(text):
    """Letters and digits of any script in lower case, without accents, joined by hyphens."""
    plain = (each for each in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(each))
    return re.sub(r"[\\W_]+", "-", "".join(plain)).strip("-")
`;

/** Reads the same file again and again, and leaves the commit to whoever minds. */
function* developer(): Developer {
  yield say('Let me read the function.', read('src/ledger/slug.py'));
  yield say('And its test.', read('tests/check_slug.py'), read('src/ledger/slug.py'));
  yield say('Once more with line numbers.', {
    tool: 'fs.read',
    input: { path: 'src/ledger/slug.py', offset: 4, limit: 2 },
  });
  yield say('', plan('Slugs keep letters of other alphabets', 'Test with names', 'Normalise'));
  yield say('', write('tests/check_slug_unicode.py', TEST), runTests());
  yield say('', read('src/ledger/slug.py'), write('src/ledger/slug.py', SOURCE), runTests());
  const nudged = yield say('slug() handles accents and other alphabets now.');
  learn(nudged.told, /Call git\.commit/);
}

export const slug: SmallTask = {
  name: 'make slugs of any alphabet',
  ask: 'slug("Crème Brûlée") gives "cr-me-br-l-e"',
  wire: 'chat-completions',
  developer,
  refused: [],
  commits: ['A tests/check_slug_unicode.py', 'M src/ledger/slug.py'],
  forHuman: [],
};
