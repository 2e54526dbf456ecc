import { commit, edit, learn, plan, read, runTests, say, write } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const test = (importing: string) => `import json

${importing}


def test_currency_that_is_given(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"owner": "Ada", "currency": "GBP"}))
    assert load(path) == Settings("Ada", "GBP")


def test_currency_that_is_not(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"owner": "Ada"}))
    assert load(path).currency == "EUR"


def test_no_file(tmp_path):
    assert load(tmp_path / "settings.json") == Settings("", "EUR")
`;

const LOAD = `    with open(path, encoding="utf-8") as file:
        return Settings(**json.load(file))
`;
const NEW_LOAD = `    try:
        with open(path, encoding="utf-8") as file:
            return Settings(**json.load(file))
    except FileNotFoundError:
        return Settings()
`;

/** Writes a test that cannot be loaded for a reason of its own, and edits one file twice in one message. */
function* developer(): Developer {
  yield say('', read('src/ledger/settings.py'), read('src/ledger/settings.py'));
  yield say('', plan('Settings have a currency, EUR if none is given', 'Tests with files', 'Defaults'));
  const broken = yield say(
    '',
    write('tests/check_settings.py', test('from ledger.settings import load, Settings)')),
    runTests(),
  );
  learn(broken.results[1], /did not load: .*Fix the test file/s);
  yield say('A stray bracket.', write('tests/check_settings.py', test('from ledger.settings import Settings, load')));
  yield say('', runTests('tests/check_settings.py'));
  yield say(
    '',
    edit('src/ledger/settings.py', '    owner: str\n', '    owner: str = ""\n    currency: str = "EUR"\n'),
    edit('src/ledger/settings.py', LOAD, NEW_LOAD),
  );
  yield say('', { tool: 'git.diff', input: {} }, runTests());
  yield say('', commit('Give settings a currency, EUR by default'));
}

export const defaultCurrency: SmallTask = {
  name: 'add a default to the configuration',
  ask: 'Add a currency to the settings. EUR if none is configured, or if there is no settings file at all.',
  wire: 'messages',
  developer,
  refused: ['load_failure'],
  commits: ['A tests/check_settings.py', 'M src/ledger/settings.py'],
  forHuman: [],
};
