import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseLine } from '../../../src/tui/commands/parse-line.ts';
import { SLASH_COMMANDS } from '../../../src/tui/commands/registry.ts';
import { usageOf } from '../../../src/tui/commands/slash-command.ts';
import { tableUnder } from '../../support/source/markdown-tables.ts';
import { REPOSITORY } from '../../support/source/source-files.ts';

describe('a line that was entered', () => {
  it.each<[string, object]>([
    ['', { kind: 'nothing' }],
    [' \n ', { kind: 'nothing' }],
    ['Add a test', { kind: 'message', text: 'Add a test' }],
    [' /etc/passwd is world-readable', { kind: 'message', text: '/etc/passwd is world-readable' }],
    ['two\nlines\n', { kind: 'message', text: 'two\nlines' }],
    ['!git log -3 | head', { kind: 'script', script: 'git log -3 | head' }],
    [' !important', { kind: 'message', text: '!important' }],
    ['! ', { kind: 'misused' }],
    ['#Tests run with npm test', { kind: 'note', text: 'Tests run with npm test' }],
    ['# Tests run with make ', { kind: 'note', text: 'Tests run with make' }],
    ['#', { kind: 'misused' }],
    [' #note', { kind: 'message', text: '#note' }],
    ['#12 fails: fix it', { kind: 'message', text: '#12 fails: fix it' }],
    ['# Title\n\nThe text.', { kind: 'message' }],
    ['/explore ', { kind: 'command', command: { name: 'explore' } }],
    ['exit', { kind: 'command', command: { name: 'quit' } }],
    ['quit ', { kind: 'command', command: { name: 'quit' } }],
    [':q', { kind: 'command', command: { name: 'quit' } }],
    ['/exit', { kind: 'command', command: { name: 'quit' } }],
    [' exit', { kind: 'message', text: 'exit' }],
    ['exit early when the file is missing', { kind: 'message' }],
    ['?', { kind: 'command', command: { name: 'keys' } }],
    ['? what is this', { kind: 'message' }],
    ['/undo 2', { kind: 'misused', usage: '/undo' }],
    ['/reject "not yet"', { kind: 'command', command: { name: 'reject' }, argument: '"not yet"' }],
    ["/pin 'not yet'", { kind: 'command', command: { name: 'pin' }, argument: 'not yet' }],
    ['/reject not yet', { kind: 'command', command: { name: 'reject' }, argument: 'not yet' }],
    ['/reject say "why" first', { kind: 'command', command: { name: 'reject' }, argument: 'say "why" first' }],
    ['/reject "two\nlines"', { kind: 'command', command: { name: 'reject' }, argument: '"two\nlines"' }],
    ['/reject', { kind: 'misused', usage: '/reject "why"' }],
    ['/reject ""', { kind: 'misused', usage: '/reject "why"' }],
    ['/approve "a b.js"', { kind: 'command', command: { name: 'approve' }, argument: '"a b.js"' }],
    ['/edit', { kind: 'misused', usage: '/edit FILE...' }],
    ['/reset --hard', { kind: 'misused', usage: '/reset' }],
    ['/toString', { kind: 'unknown', word: '/toString', suggestion: '/help lists the commands.' }],
  ])('%j', (line, entered) => {
    expect(parseLine(line, SLASH_COMMANDS)).toMatchObject(entered);
  });

  it.each(SLASH_COMMANDS.map((command) => [usageOf(command), command] as const))(
    '%s is a command',
    (usage, command) => {
      expect(parseLine(usage, SLASH_COMMANDS)).toMatchObject({ kind: 'command', command });
    },
  );

  it('is never taken for a decision unless it is exactly one', () => {
    for (const line of [
      'approve',
      'y',
      'yes',
      '/approve!',
      '/ approve',
      '/approve\u200b',
      '//approve',
      'a',
      '/Approve',
      '/accept',
    ])
      expect(parseLine(line, SLASH_COMMANDS).kind, line).not.toBe('command');
  });
});

describe('a command that there is not', () => {
  it.each<[string, RegExp]>([
    ['/aprove', /mean \/approve/],
    ['/Approve', /mean \/approve/],
    ['/expl', /mean \/explore/],
    ['/stauts', /mean \/status/],
    ['/bye', /\/quit/],
    ['/permissions', /\/policy/],
    ['/checkpoint', /\/rewind/],
    ['/review', /^\/diff shows the staged changes/],
    ['/agents', /\/agents-file/],
    ['/costs', /\/cost/],
    ['/stats', /\/cost/],
    ['/usage', /\/budget/],
    ['/clear', /\/new/],
    ['/accept', /\/approve/],
    ['/revert', /\/undo/],
    ['/frobnicate', /^\/help lists the commands\.$/],
    ['/', /^\/help lists the commands\.$/],
    ['/re', /^\/help lists the commands\.$/],
  ])('%s suggests %s', (line, suggestion) => {
    expect(parseLine(line, SLASH_COMMANDS)).toMatchObject({
      kind: 'unknown',
      suggestion: expect.stringMatching(suggestion) as unknown,
    });
  });

  // It was suggested to who typed /cost or /resume, and dropped staged work.
  it.each(['/cost', '/resume', '/clear', '/new', '/restart', '/rename', '/preset-all'])(
    '%s does not suggest /reset',
    (line) => {
      expect(JSON.stringify(parseLine(line, SLASH_COMMANDS))).not.toContain('/reset');
    },
  );
});

it('names each command that begins with what was typed, where they are few', () => {
  const [help] = SLASH_COMMANDS.filter(({ name }) => name === 'help');
  if (help === undefined) throw new Error('there is no /help');
  const commands = [...SLASH_COMMANDS, { ...help, name: 'explain', synonyms: [] }];
  expect(parseLine('/expl', commands)).toMatchObject({ suggestion: 'Did you mean /explore or /explain?' });
  expect(parseLine('/e', commands)).toMatchObject({ suggestion: '/help lists the commands.' });
});

describe('the registry', () => {
  it('gives every word to one command', () => {
    const words = SLASH_COMMANDS.flatMap(({ name, synonyms }) => [name, ...synonyms]);
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  });

  it('describes each command in what is left of a row of 80 columns', () => {
    const usage = Math.max(...SLASH_COMMANDS.map((command) => usageOf(command).length));
    for (const { help } of SLASH_COMMANDS) expect(usage + help.length, help).toBeLessThanOrEqual(74);
  });

  it('is what docs/interactive.md lists', () => {
    const page = readFileSync(join(REPOSITORY, 'docs/interactive.md'), 'utf8');
    const rows = tableUnder(page, 'Commands').map(([usage, what]) => [usage, what]);
    expect(rows).toEqual(SLASH_COMMANDS.map((command) => [`\`${usageOf(command)}\``, command.help]));
  });
});
