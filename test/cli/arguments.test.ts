import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../src/cli/arguments.ts';
import type { RunArguments } from '../../src/cli/arguments.ts';

async function run(...argv: string[]): Promise<RunArguments> {
  const command = await parseArguments(argv, '0.0.0');
  if (command.kind !== 'run') throw new Error(`parsed as ${command.kind}`);
  return command.run;
}

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
    expect(await run(...argv)).toMatchObject({ task, print: true, resume: null });
  });

  it('has the defaults of the contract', async () => {
    expect(await run('x')).toEqual({
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
    });
  });

  it('reads every limit in its own unit', async () => {
    const limits = ['--max-turns', '3', '--max-tokens', '5000', '--max-cost', '0.25', '--max-duration', '10m'];
    expect((await run('x', ...limits)).limits).toEqual({
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
    expect((await run(...argv, '-p', 'Go on')).resume).toEqual(resume);
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
    [['review', '--approve', '--reject', 'no'], /approve/],
    [['review', '--reject'], /reject/],
    [['review', '--', 'x'], /no place/],
    [['session'], /action|arguments/],
    [['session', 'destroy'], /destroy/],
    [['audit', 'erase'], /erase/],
    [['audit', 'verify', '--range', 'A..B', '--keys'], /--keys/],
    [['audit', 'verify', '--range', 'A..B', '--keys', '--json'], /--keys/],
    [['audit', 'verify', '--range', 'A..B', '--require', 'all'], /all/],
    [['audit', 'verify', '--keys', 'a'], /--range/],
    [['audit', 'log', '--range', 'A..B'], /audit verify/],
    [['audit', 'log', '--limit', '0'], /--limit/],
    [['session', 'list', '--keys', 'a'], /keys/],
    [['config', 'set', 'a', 'b', '--', 'c'], /no place/],
    [['image', 'push'], /push/],
  ])('%j', async (argv, why) => {
    await expect(parseArguments(argv, '0.0.0')).rejects.toMatchObject({
      code: 'usage',
      exitCode: 2,
      why: expect.stringMatching(why) as unknown,
      fix: 'See fluffy --help',
    });
  });
});

describe('other commands', () => {
  it.each<[string[], object]>([
    [['review'], { kind: 'review', session: undefined, approve: false, reject: undefined, json: false }],
    [
      ['review', 's_1', '--reject', 'too long', '--json'],
      { kind: 'review', session: 's_1', reject: 'too long', json: true },
    ],
    [['review', '--reject=-1 from me'], { kind: 'review', reject: '-1 from me' }],
    [['session', 'show', 's_1', '--project', '/p'], { kind: 'session', action: 'show', session: 's_1', project: '/p' }],
    [['session', 'resume', 's_1'], { kind: 'run', run: { resume: { session: 's_1', fork: false } } }],
    [['session', 'resume', '--project', '/p'], { kind: 'run', run: { resume: { session: 'latest' }, project: '/p' } }],
    [['audit', 'verify', '--range', 'A..B'], { kind: 'audit', action: 'verify', range: 'A..B', keys: [] }],
    [
      ['audit', 'verify', '--keys', 'a', '--range', 'A..B', '--keys=b', '--require', 'verified'],
      { kind: 'audit', action: 'verify', range: 'A..B', keys: ['a', 'b'], require: 'verified' },
    ],
    [['audit', 'log', '--limit', '5'], { kind: 'audit', action: 'log', limit: 5 }],
    [['config', 'set', 'model', 'a/b'], { kind: 'config', action: 'set', key: 'model', value: 'a/b' }],
    [['config', 'set', 'theme', '--', '-dark'], { kind: 'config', action: 'set', key: 'theme', value: '-dark' }],
    [['config', 'policy', 'explain', '--anything'], { kind: 'policy', argv: ['explain', '--anything'] }],
  ])('%j', async (argv, command) => {
    expect(await parseArguments(argv, '0.0.0')).toMatchObject(command);
  });
});
