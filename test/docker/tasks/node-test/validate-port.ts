import { edit, learn, list, plan, read, runTests, say, write, commit } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { parseConfig } from '../src/config.js';

for (const port of [0, -1, 65536, 1.5, '80', null]) {
  test('refuses the port ' + JSON.stringify(port), () => {
    assert.throws(() => parseConfig(JSON.stringify({ port })), /port must be/);
  });
}

test('takes both ends of the range', () => {
  assert.equal(parseConfig('{"port":1}').port, 1);
  assert.equal(parseConfig('{"port":65535}').port, 65535);
});
`;

const CHECK = `  if (given.port !== undefined && !(Number.isInteger(given.port) && given.port >= 1 && given.port <= 65535)) {
    throw new RangeError('port must be a whole number from 1 to 65535, not ' + JSON.stringify(given.port));
  }
`;
const RETURN = '  return { ...DEFAULTS, ...given };';

/** Names an argument wrongly, goes for the source at once, and remembers a line as it is not. */
function* developer(): Developer {
  const looked = yield say(
    "I'll start by understanding how the configuration is parsed today, and what the tests cover.",
    list('.'),
    read('src/config.js'),
    { tool: 'fs.read', input: { name: 'test/config.test.js' } },
  );
  learn(looked.results[2], /path is missing \(string\)/);
  yield say(
    'The argument is called path. Once more, and the source again to be sure.',
    read('test/config.test.js'),
    read('src/config.js'),
  );
  yield say(
    'Clear enough: `parseConfig` never looks at the port.\n\n1. tests for what must be refused\n2. the check',
    plan('parseConfig refuses ports outside 1 to 65535', 'Write tests', 'Add the check'),
  );
  const early = yield say('A one-line fix, so let me put it in.', edit('src/config.js', RETURN, CHECK + RETURN));
  learn(early.results[0], /Write and run the tests first/);
  yield say('Right, tests come first here.', write('test/config-port.test.js', TEST));
  const red = yield say('', runTests());
  learn(red.results[0], /The source can be written now/);
  const missed = yield say(
    'Red for the right reason. Now the check.',
    edit('src/config.js', '  return {...DEFAULTS, ...given}', CHECK + RETURN),
  );
  const line = learn(missed.results[0], /^ +\d+\t(.*return.*)$/m);
  yield say('I had the spacing wrong; copying the line as it is.', edit('src/config.js', line, CHECK + line));
  const green = yield say('Running everything.', runTests());
  learn(green.results[0], /The whole suite passes/);
  yield say('All green. Committing.', commit('Refuse ports outside 1 to 65535'));
}

export const validatePort: SmallTask = {
  name: 'add validation',
  ask: 'parseConfig should refuse ports outside 1 to 65535',
  wire: 'messages',
  developer,
  refused: ['invalid_input', 'tool_unavailable', 'edit_no_match'],
  commits: ['A test/config-port.test.js', 'M src/config.js'],
  forHuman: [],
};
