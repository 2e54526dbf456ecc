import { commit, edit, learn, plan, read, runTests, say, write } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const TEST = `import csv
import io

from ledger.export import export

ROWS = [["plain", "with, comma", 'with "quotes"', "two\\nlines", ""]]


def test_what_is_written_is_read_again():
    assert list(csv.reader(io.StringIO(export(ROWS)))) == ROWS


def test_quotes_only_where_needed():
    assert export([["a", "b,c"]]) == 'a,"b,c"\\n'
`;

const AS_REMEMBERED = `def row(fields):
\treturn ",".join(str(field) for field in fields)
`;
const NEW_ROW = `def quoted(field):
    text = str(field)
    if any(character in text for character in ',"\\r\\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def row(fields):
    return ",".join(quoted(field) for field in fields)
`;

/** Remembers tabs where there are blanks. */
function* developer(): Developer {
  yield say(
    '',
    read('src/ledger/export.py'),
    read('tests/check_export.py'),
    plan('Quote fields', 'Round trip as a test', 'Quote'),
  );
  yield say('The csv module can tell whether it is right.', write('tests/check_quoting.py', TEST));
  yield say('', runTests());
  const tabs = yield say('', edit('src/ledger/export.py', AS_REMEMBERED, NEW_ROW));
  const nearest = learn(
    tabs.results[0],
    /differs from these lines in white space[^\n]*\n([\s\S]*)\nCopy the text exactly/,
  );
  const lines = nearest.split('\n').map((line) => line.replace(/^ *\d+\t/, ''));
  yield say('Blanks, not tabs.', edit('src/ledger/export.py', lines.join('\n'), NEW_ROW.trimEnd()), runTests());
  yield say('', commit('Quote what CSV would take apart'));
}

export const csvQuoting: SmallTask = {
  name: 'quote CSV fields',
  ask: 'The CSV export breaks when a field contains a comma or a quote',
  wire: 'chat-completions',
  developer,
  refused: ['edit_no_match'],
  commits: ['A tests/check_quoting.py', 'M src/ledger/export.py'],
  forHuman: [],
};
