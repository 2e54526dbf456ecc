import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../../src/cli/command-line/read-command-line.ts';
import { GLOBAL_OPTIONS } from '../../../src/cli/command-line/cli-command.ts';
import { exitMeaning } from '../../../src/cli/command-line/help-text.ts';
import { COMMANDS, DEFAULT_COMMAND } from '../../../src/cli/command-line/registry.ts';
import type { RunArguments } from '../../../src/cli/run-arguments.ts';
import { readLine, readRunLine } from '../../support/cli/read-line.ts';

describe('a task', () => {
  it.each<[string, string[], string]>([
    ['is one argument', ['-p', 'Add error handling'], 'Add error handling'],
    ['is several words', ['-p', 'Add', 'error', 'handling'], 'Add error handling'],
    ['may come before its options', ['Add it', '-p', '--mode', 'explore'], 'Add it'],
    ['is a number', ['-p', '42'], '42'],
    ['begins with a dash, after --', ['-p', '--', '--help me'], '--help me'],
    ['is a dash option alone, after --', ['-p', '--', '-c'], '-c'],
    ['is a command, after --', ['-p', '--', 'review', 'it'], 'review it'],
    ['has two dashes inside', ['-p', 'remove', '--', '--force', '--', 'x'], 'remove --force -- x'],
  ])('that %s is taken as it is', async (_, argv, task) => {
    expect(await readRunLine(...argv)).toMatchObject({ task, print: true, resume: null });
  });

  it('has the defaults of the contract', async () => {
    expect(await readRunLine('x')).toEqual({
      task: 'x',
      print: false,
      outputFormat: 'text',
      inputFormat: 'text',
      mode: undefined,
      model: undefined,
      baseUrl: undefined,
      approve: 'auto',
      limits: {},
      resume: null,
      project: undefined,
      allowRoot: false,
      verbose: false,
      screenReader: false,
    });
  });

  it('reads every limit in its own unit', async () => {
    const limits = ['--max-turns', '3', '--max-tokens', '5000', '--max-cost', '0.25', '--max-duration', '10m'];
    expect((await readRunLine('x', ...limits)).limits).toEqual({
      max_turns: 3,
      max_tokens: 5000,
      max_cost_usd: 0.25,
      max_duration_ms: 600_000,
    });
  });

  it.each<[string[], RunArguments['resume']]>([
    [['-c'], { session: 'latest', fork: false }],
    [['--continue', '--fork'], { session: 'latest', fork: true }],
    [['-r', 's_1'], { session: 's_1', fork: false }],
    [['--resume=s_1', '--fork'], { session: 's_1', fork: true }],
  ])('%j takes a session up', async (argv, resume) => {
    expect((await readRunLine(...argv, '-p', 'Go on')).resume).toEqual(resume);
  });
});

describe('a command line that cannot be used ends with exit code 2', () => {
  it.each<[string[], RegExp]>([
    [['-p', 'x', '--nope'], /nope/],
    [['-p', 'x', '--no-print'], /no-print|noPrint/],
    [['-p', 'x', '--mode', 'yolo'], /yolo/],
    [['-p', 'x', '--output-format', 'xml'], /xml/],
    [['-p', 'x', '--input-format', 'json'], /json/],
    [['-p', 'x', '--approve', 'always'], /always/],
    [['-p', 'x', '--max-turns', '0'], /--max-turns/],
    [['-p', 'x', '--max-turns', '1.5'], /--max-turns/],
    [['-p', 'x', '--max-turns', 'many'], /--max-turns/],
    [['-p', 'x', '--max-tokens', '-5'], /max-tokens/],
    [['-p', 'x', '--max-cost', '0'], /--max-cost/],
    [['-p', 'x', '--max-cost', 'Infinity'], /--max-cost/],
    [['-p', 'x', '--max-duration', '10'], /--max-duration/],
    [['-p', 'x', '--max-duration', '10 m'], /--max-duration/],
    [['-p', 'x', '--max-duration', '0s'], /--max-duration/],
    [['-p', 'x', '--model'], /model/],
    [['-p', 'x', '--resume'], /resume/],
    [['-p', 'x', '--fork'], /--fork/],
    [['-p', 'x', '-c', '-r', 's_1'], /--continue and --resume/],
    [['review', '--reject'], /reject/],
    [['review', '--', 'x', 'y'], /no place for "y"/],
    [['doctor', '--', 'x'], /no place for "x"/],
    [['session'], /session needs a further word/],
    [['session', 'destroy'], /destroy/],
    [['audit', 'erase'], /erase/],
    [['audit', 'verify', '--range', 'A..B', '--keys'], /--keys/],
    [['audit', 'verify', '--range', 'A..B', '--keys', '--json'], /--keys/],
    [['audit', 'log', '--range', 'A..B'], /range/],
    [['session', 'list', '--keys', 'a'], /keys/],
    [['config', 'set', 'a', 'b', '--', 'c'], /no place/],
    [['image', 'push'], /push/],
    [['-p', 'x', '--verbsoe'], /the nearest is --verbose/],
    [['config', 'policy'], /config policy needs a further word/],
    [['config', 'get'], /needs a key/],
    [['config', 'set', 'theme'], /needs the value/],
  ])('%j', async (argv, why) => {
    await expect(readCommandLine(argv, '0.0.0')).rejects.toMatchObject({
      code: 'usage',
      exitCode: 2,
      why: expect.stringMatching(why) as unknown,
    });
  });
});

describe('other commands', () => {
  it.each<[string[], string, object]>([
    [['review'], 'review', { session: undefined, approve: false, json: false }],
    [['review', 's_1', '--reject', 'too long', '--json'], 'review', { session: 's_1', reject: 'too long', json: true }],
    [['review', '--reject=-1 from me'], 'review', { reject: '-1 from me' }],
    [['--json', 'review'], 'review', { json: true }],
    [['--project', 'review', 'session', 'list'], 'session list', { project: 'review' }],
    [['session', '--project=/p', 'show', 's_1'], 'session show', { session: 's_1', project: '/p' }],
    [['session', 'resume', 's_1'], 'session resume', { resume: { session: 's_1', fork: false } }],
    [['session', 'resume', '--project', '/p'], 'session resume', { resume: { session: 'latest' }, project: '/p' }],
    [['audit', 'verify', '--range', 'A..B'], 'audit verify', { range: 'A..B', keys: [] }],
    [
      [
        'audit',
        'verify',
        '--keys',
        'a',
        '--range',
        'A..B',
        '--keys=b',
        '--require',
        'verified',
        '--require=mutants>=80%',
      ],
      'audit verify',
      {
        range: 'A..B',
        keys: ['a', 'b'],
        require: [
          { kind: 'status', status: 'verified' },
          { kind: 'share', of: 'mutants', percent: 80 },
        ],
      },
    ],
    [['audit', 'log', '--limit', '5', '--limit', '6'], 'audit log', { limit: 6 }],
    [['config', 'set', 'model', 'a/b'], 'config set', { key: 'model', value: 'a/b' }],
    [['config', 'set', 'theme', '--', '-dark'], 'config set', { key: 'theme', value: '-dark' }],
    [
      ['config', 'policy', 'explain', 'fs.read', '--tag', 'a', '--tag=b'],
      'config policy explain',
      { query: { syscall: 'fs.read', tags: ['a', 'b'] } },
    ],
    [['config', 'policy', 'explain', '--batch'], 'config policy explain', { query: null }],
    [['demo', '-y', '--base', 'host'], 'demo', { yes: true, base: 'host', keep: false }],
  ])('%j', async (argv, name, input) => {
    expect(await readLine(...argv)).toMatchObject({ name, input });
  });
});

/** However it is broken into rows. */
const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('help', () => {
  const text = async (...argv: string[]) => {
    const line = await readCommandLine(argv, '1.2.3');
    return line.kind === 'text' ? line.text : line.name;
  };

  it.each([...COMMANDS, DEFAULT_COMMAND].map((command) => [command.name, command] as const))(
    'of "%s" has its summary, arguments, options, examples and exit codes',
    async (name, command) => {
      const shown = onOneLine(await text(...name.split(' ').filter((word) => word !== ''), '--help'));
      for (const { describe: what } of command.arguments) expect(shown).toContain(what);
      for (const option of Object.keys({ ...command.options, ...GLOBAL_OPTIONS }))
        expect(shown).toContain(`--${option}`);
      for (const { line, what } of command.examples) expect(shown).toContain(`${line} ${what}`);
      for (const code of command.exitCodes) expect(shown).toContain(` ${code} ${exitMeaning(code)}`);
      if (name !== '') expect(shown).toContain(`${command.summary}.`);
    },
  );

  it('lists every command', async () => {
    const shown = onOneLine(await text('--help'));
    for (const { name, summary, forPrograms } of COMMANDS)
      expect(new RegExp(` ${name} [^:]*?${escaped(summary)}`).test(shown)).toBe(forPrograms !== true);
  });

  it('breaks no word at the edge of an ordinary terminal, and names no default of an option without a value', async () => {
    for (const { name } of [...COMMANDS, DEFAULT_COMMAND]) {
      const shown = await text(...name.split(' ').filter((word) => word !== ''), '--help');
      const examples = [...COMMANDS, DEFAULT_COMMAND].flatMap((each) => each.examples.map(({ line }) => `  ${line}`));
      expect(shown.split('\n').filter((row) => row.length > 80 && !examples.includes(row))).toEqual([]);
      expect(shown).not.toContain('[default: false]');
    }
  });

  it.each(['session', 'audit', 'config', 'config policy', 'image'])(
    'of the group "%s" lists its commands',
    async (group) => {
      const shown = await text(...group.split(' '), '--help');
      for (const { name } of COMMANDS.filter((each) => each.name.startsWith(`${group} `)))
        expect(shown).toContain(name);
    },
  );

  it('is not shown where --help is text', async () => {
    expect(await text('--', '--help')).toBe('');
  });

  it.each(['', 'doctor', 'session', 'config policy', 'config policy show'])('follows "help %s" too', async (name) => {
    const words = name.split(' ').filter((word) => word !== '');
    expect(await text('help', ...words)).toBe(await text(...words, '--help'));
  });

  it.each([
    ['help', 'me', 'understand'],
    ['--', 'help'],
  ])('is not meant by %j', async (...argv) => expect(await text(...argv)).toBe(''));

  it('is left out for the version', async () => expect(await text('--version')).toBe('1.2.3\n'));
});

describe('the registry', () => {
  it('has each name once, and no command that another one begins with', () => {
    const names = COMMANDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(names.filter((each) => each.startsWith(`${name} `))).toEqual([]);
  });

  // Words are told from options before the command is known.
  it('gives an option with and without a value its choices', () => {
    const all = [...COMMANDS, DEFAULT_COMMAND].flatMap(({ options }) => Object.entries(options));
    for (const [name, { type, choices }] of all) {
      const both = all.some(([each, option]) => each === name && (option.type === 'boolean') !== (type === 'boolean'));
      if (both && type !== 'boolean') expect(choices, name).toBeDefined();
    }
  });

  it.each<[string[], string]>([
    [['review', '--approve', 's_1'], 'review'],
    [['-p', '--approve', 'never', 'Add it'], ''],
    [['-pr', 's_1', 'Go on'], ''],
  ])('%j', async (argv, name) => expect((await readLine(...argv).catch(() => ({ name: 'refused' }))).name).toBe(name));
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
