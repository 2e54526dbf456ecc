import { edit, learn, plan, read, runTests, say, write } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const QUIET = "test('says it quietly otherwise', () => assert.equal(greet('Ada'), 'Hello, Ada!\\n'));\n";

const TEST = `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { parseArguments } from '../src/arguments.js';

const greet = (...args) => execFileSync(process.execPath, [join(import.meta.dirname, '../bin/greet.js'), ...args], { encoding: 'utf8' });

test('reads the flag before and after the name', () => {
  assert.deepEqual(parseArguments(['--shout', 'Ada']), { name: 'Ada', shout: true });
  assert.deepEqual(parseArguments(['Ada', '--shout']), { name: 'Ada', shout: true });
  assert.deepEqual(parseArguments([]), { name: 'world', shout: false });
});

test('refuses a flag that it does not know', () => {
  assert.throws(() => parseArguments(['--whisper']), /unknown option --whisper/);
});

test('shouts', () => assert.equal(greet('--shout', 'Ada'), 'HELLO, ADA!\\n'));
${QUIET}`;

const ARGUMENTS = `export function parseArguments(args) {
  const flags = args.filter((arg) => arg.startsWith('-'));
  const unknown = flags.find((flag) => flag !== '--shout');
  if (unknown !== undefined) throw new Error('unknown option ' + unknown);
  const [name = 'world'] = args.filter((arg) => !arg.startsWith('-'));
  return { name, shout: flags.length > 0 };
}
`;

const PROGRAM = `#!/usr/bin/env node
import { parseArguments } from '../src/arguments.js';
import { greeting } from '../src/greeting.js';

const { name, shout } = parseArguments(process.argv.slice(2));
const text = greeting(name);
console.log(shout ? text.toUpperCase() : text);
`;

const USAGE = '    greet NAME        says hello\n';

/**
 * Wants to document what is not there yet, begins with a case that passes without the change, writes three files in one message, and runs tests that
 * have passed already.
 */
function* developer(): Developer {
  yield say(
    'Reading the program, what it uses, and its documentation.',
    read('bin/greet.js'),
    read('src/greeting.js'),
    read('README.md'),
  );
  yield say('', plan('greet --shout prints in capitals', 'Test parsing and the program', 'Parse', 'Document'));
  const early = yield say(
    'Tests for the parser and for the program as people call it; and the usage line with it.',
    write('test/shout.test.js', TEST),
    edit('README.md', USAGE, USAGE + '    greet --shout NAME\n'),
  );
  learn(early.results[0], /^Wrote test\/shout\.test\.js/);
  learn(early.results[1], /README\.md is documentation; it can be written once/);
  const held = yield say('The README has to wait.', runTests('test/shout.test.js'));
  learn(held.results[0], /Does not fail although nothing that it imports exists yet: .*says it quietly otherwise/);
  yield say(
    'That case holds already, so it proves nothing.',
    edit('test/shout.test.js', QUIET, ''),
    runTests('test/shout.test.js'),
  );
  yield say(
    'Now all of it at once.',
    write('src/arguments.js', ARGUMENTS),
    write('bin/greet.js', PROGRAM),
    edit('README.md', USAGE, USAGE + '    greet --shout NAME  says it loudly\n'),
  );
  yield say('', runTests());
  const again = yield say('Once more, to be sure that it is not flaky.', runTests());
  const next = learn(again.results[0], /call (git\.commit)/i);
  yield say('It passed already.', {
    tool: next,
    input: { message: 'Add --shout to greet\n\nUnknown options are an error now.' },
  });
}

export const shoutFlag: SmallTask = {
  name: 'add a command-line flag',
  ask: 'Add a --shout flag to bin/greet.js that prints the greeting in capitals. Document it.',
  wire: 'responses',
  developer,
  refused: ['tool_unavailable', 'empty_case', 'tool_unavailable'],
  commits: ['A src/arguments.js', 'A test/shout.test.js', 'M README.md', 'M bin/greet.js'],
  forHuman: [],
};
