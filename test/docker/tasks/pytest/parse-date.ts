import { commit, learn, list, plan, read, runTests, say, write } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const TEST = `from datetime import date

import pytest
from ledger.dates import parse_date


@pytest.mark.parametrize("text", ["2024-02-29", "29.02.2024", "29/02/2024", " 29.2.2024 "])
def test_reads(text):
    assert parse_date(text) == date(2024, 2, 29)


@pytest.mark.parametrize("text", ["", "tomorrow", "30.02.2024", "2024-13-01", "29.02.2024x"])
def test_refuses(text):
    with pytest.raises(ValueError, match="not a date"):
        parse_date(text)
`;

const LOOSE = `import re
from datetime import date

_ISO = re.compile(r"(\\d{4})-(\\d{1,2})-(\\d{1,2})")
_LOCAL = re.compile(r"(\\d{1,2})[./](\\d{1,2})[./](\\d{4})")


def parse_date(text):
    """A date as 2024-02-29, 29.2.2024 or 29/2/2024."""
    if found := _ISO.match(text):
        return date(*map(int, found.groups()))
    if found := _LOCAL.match(text):
        return date(*map(int, reversed(found.groups())))
    raise ValueError(f"not a date: {text!r}")
`;

const STRICT = `import re
from datetime import date

_ISO = re.compile(r"(\\d{4})-(\\d{1,2})-(\\d{1,2})")
_LOCAL = re.compile(r"(\\d{1,2})[./](\\d{1,2})[./](\\d{4})")


def parse_date(text):
    """A date as 2024-02-29, 29.2.2024 or 29/2/2024. Raises ValueError for all else."""
    iso, local = _ISO.fullmatch(text.strip()), _LOCAL.fullmatch(text.strip())
    parts = iso.groups() if iso else reversed(local.groups()) if local else ()
    try:
        return date(*map(int, parts))
    except (TypeError, ValueError):
        raise ValueError(f"not a date: {text!r}") from None
`;

/** Puts its test where it would lie elsewhere, then lets too much through. */
function* developer(): Developer {
  yield say("I'll see how the package is laid out.", list('src/ledger'), list('tests'), read('pyproject.toml'));
  yield say('', plan('parse_date in ledger.dates', 'Parametrised tests', 'The parser'));
  const elsewhere = yield say('', write('src/ledger/check_dates.py', TEST));
  learn(elsewhere.results[0], /is source code/);
  const red = yield say('Into tests/ with it.', write('tests/check_dates.py', TEST), runTests());
  learn(red.results[1], /tests\/check_dates\.py \(does not load yet\)/);
  const failed = yield say('', write('src/ledger/dates.py', LOOSE), runTests());
  learn(failed.results[1], /test_reads\[ 29\.2\.2024 \]/);
  yield say(
    'Blanks, impossible days and what follows a date: all of these have to be handled.',
    write('src/ledger/dates.py', STRICT),
    runTests(),
  );
  yield say('', commit('Add parse_date'));
}

export const parseDate: SmallTask = {
  name: 'add a date parser',
  ask: 'Write parse_date(text) that accepts ISO dates and the usual European ones',
  wire: 'responses',
  developer,
  refused: ['tool_unavailable', 'red_case_failing'],
  commits: ['A src/ledger/dates.py', 'A tests/check_dates.py'],
  forHuman: [],
};
