import { describe, expect, it } from 'vitest';
import { findCommand } from '../../../src/cli/command-line/find-command.ts';
import { FOREIGN_COMMANDS } from '../../../src/cli/command-line/foreign-words.ts';
import { COMMANDS } from '../../../src/cli/command-line/registry.ts';

/** As typed in a shell: a word in quotes is one word. */
function find(line: string) {
  const words = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
  return findCommand(words, COMMANDS);
}

describe('a line that looks like a command and is none is a mistake that names the nearest one', () => {
  it.each<[string, string | null]>([
    ['docter', 'fluffy doctor'],
    ['docotr', 'fluffy doctor'],
    ['Doctor', 'fluffy doctor'],
    ['DOCTOR', 'fluffy doctor'],
    ['doctr', 'fluffy doctor'],
    ['sesion', 'fluffy session'],
    ['sesion list', 'fluffy session list'],
    ['session lst', 'fluffy session list'],
    ['session ls', 'fluffy session list'],
    ['session destroy', null],
    ['session delete s_cf0nz0vh0sdgt95kti2v', null],
    ['sessions', 'fluffy session list'],
    ['sessions list', 'fluffy session list'],
    ['reveiw', 'fluffy review'],
    ['reviw s_cf0nz0vh0sdgt95kti2v', 'fluffy review'],
    ['confg get model', 'fluffy config get'],
    ['config remove model', 'fluffy config unset'],
    ['config polcy show', 'fluffy config policy'],
    ['config policy shw', 'fluffy config policy show'],
    ['audit logs', 'fluffy audit log'],
    ['audti verify', 'fluffy audit verify'],
    ['audit erase', null],
    ['image push', null],
    ['imgae build', 'fluffy image build'],
    ['images', 'fluffy image'],
    ['dmeo', 'fluffy demo'],
    ['hlep', 'fluffy --help'],
    ['udno', 'fluffy session undo'],
    ['redo', 'fluffy session redo'],
    ['revert', 'fluffy session undo'],
    ['rollback', 'fluffy session undo'],
    ['quit', null],
    ['exit', null],
    ['q', null],
    ['login', 'fluffy config set-key PROVIDER'],
    ['login github', 'fluffy config set-key PROVIDER'],
    ['lgoin', 'fluffy config set-key PROVIDER'],
    ['logout', 'fluffy config set-key PROVIDER'],
    ['auth login', 'fluffy config set-key PROVIDER'],
    ['resume', 'fluffy --continue'],
    ['resume s_cf0nz0vh0sdgt95kti2v', 'fluffy --continue'],
    ['continue', 'fluffy --continue'],
    ['plugin list', null],
    ['plugins', null],
    ['plugin install left-pad', null],
    ['mcp', null],
    ['mcp add files', null],
    ['version', 'fluffy --version'],
    ['status', 'fluffy session list'],
    ['list', 'fluffy session list'],
    ['ls', 'fluffy session list'],
    ['model openai/gpt-5', 'fluffy config get model'],
    ['upgrade', null],
    ['update', null],
    ['exec "fix the parser"', 'fluffy -p "task"'],
    ['run "fix the parser"', 'fluffy -p "task"'],
    ['logs', 'fluffy audit log'],
    ['whoami', 'fluffy doctor'],
    ['undo', 'fluffy session undo'],
    ['policy show', 'fluffy config policy'],
    ['setup', 'fluffy doctor --fix'],
  ])('%s', (line, nearest) => {
    const found = find(line);
    if (found.kind !== 'mistake') throw new Error(`it is a ${found.kind}`);
    if (nearest === null) expect(found.why).not.toMatch(/nearest/);
    else expect(found.why).toContain(`the nearest is ${nearest}`);
    expect(found.fix).toMatch(/fluffy -- \S/);
  });
});

describe('an ordinary task runs', () => {
  it.each([
    'list all files that are larger than 1 MB',
    'review the parser and fix the error that it has with tabs',
    'review the parser',
    'test the login flow',
    'show me how the cache works',
    'audit the dependencies for known holes',
    'audit dependencies and licences',
    'config is not read on Windows, fix it',
    'session handling leaks memory',
    'image processing is slow, find out why',
    'demo mode should be on by default',
    'doctor the numbers in the report',
    'update the readme',
    'update dependencies',
    'upgrade vitest to version 5',
    'install eslint and configure it',
    'init the logger before the server starts',
    'login fails with an empty password',
    'run the tests and fix what fails',
    'run tests',
    'resume the download after a lost connection',
    'continue where the last change stopped',
    'help me understand the parser',
    'export the types of the client',
    'import paths are wrong after the move',
    'model the order as a state machine',
    'plugin loading fails on a read-only disk',
    'log every request with its duration',
    'start with the failing test',
    'status page shows the wrong colour',
    'verify that dates are parsed as UTC',
    'undo the change to the lexer',
    'usage text is missing two flags',
    'version numbers must be semver',
    'policy documents need a table of contents',
    'add error handling',
    'add a test for parseConfig',
    'fix',
    'refactor',
    'lint',
    'test',
    'format',
    'cleanup',
    'simplify',
    'build',
    'debug',
    'commit',
    'hello',
    'explain',
    'optimise',
    'document',
    'translate',
    '42',
    'TODO',
    'src/parser.ts',
    'why?',
    '"fluffy doctor says ERROR"',
    '"review the parser and fix it"',
    '"docter is misspelt in the readme"',
    '"list files"',
    'Review the parser and fix it',
    'Sessions are never closed',
    'fixe le bug',
  ])('%s', (line) => expect(find(line)).toEqual({ kind: 'task' }));
});

describe('a command', () => {
  it.each<[string, string]>([
    ['doctor', 'doctor'],
    ['review', 'review'],
    ['review s_cf0nz0vh0sdgt95kti2v', 'review'],
    ['session list', 'session list'],
    ['session show s_cf0nz0vh0sdgt95kti2v', 'session show'],
    ['config set model a/b', 'config set'],
    ['config policy show', 'config policy show'],
    // Refused later, for its further words: what begins with two words of ours is no sentence.
    ['audit log rotation is broken', 'audit log'],
    ['review s_cf0nz0vh0sdgt95kti2v now', 'review'],
    ['doctor now', 'doctor'],
  ])('%s', (line, name) => expect(find(line)).toMatchObject({ kind: 'command', command: { name } }));

  it.each(COMMANDS.map(({ name }) => name))('%s is found by its name', (name) => {
    expect(find(name)).toMatchObject({ kind: 'command', command: { name } });
  });

  it.each(['session', 'config', 'config policy', 'audit', 'image'])('%s alone is a group', (group) => {
    expect(find(group)).toMatchObject({ kind: 'group', group });
  });
});

it('every suggestion for a word of another tool is a command of ours', () => {
  for (const nearest of Object.values(FOREIGN_COMMANDS)) {
    if (nearest === null) continue;
    const words = nearest
      .split(' ')
      .slice(1)
      .filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-'));
    expect(['command', 'group', 'task'], nearest).toContain(findCommand(words, COMMANDS).kind);
  }
});
