import { commit, edit, plan, read, runTests, say } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const WHOLE = `def parse_amounts(text):
    return [parse_amount(line) for line in text.splitlines()]
`;
const NUMBERED = `def parse_amounts(text):
    amounts = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            amounts.append(parse_amount(line))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
    return amounts
`;

/** Changes what an existing test asks for. */
function* developer(): Developer {
  yield say('', read('src/ledger/amounts.py'), read('tests/check_amounts.py'));
  yield say('', plan('Errors name line and text', 'Sharpen the test', 'Say it'));
  yield say(
    'There is a test of the message; it should ask for more.',
    edit('tests/check_amounts.py', 'match="bad amount"', 'match="line 2: bad amount \'x\'"'),
    runTests(),
  );
  yield say(
    '',
    edit(
      'src/ledger/amounts.py',
      'raise ValueError("bad amount")',
      'raise ValueError(f"bad amount {text!r}") from None',
    ),
    edit('src/ledger/amounts.py', WHOLE, NUMBERED),
    runTests(),
  );
  yield say('', commit('Say which amount is bad, and in which line'));
}

export const amountError: SmallTask = {
  name: 'say more in an error message',
  ask: '"bad amount" is useless, say which line and what it says',
  wire: 'responses',
  developer,
  refused: [],
  commits: ['M src/ledger/amounts.py', 'M tests/check_amounts.py'],
  forHuman: [
    /^Existing tests change: tests\/check_amounts\.py \(/,
    /^Look at tests\/check_amounts\.py:\d+: the case test_bad_amount expects something else than before$/,
  ],
};
