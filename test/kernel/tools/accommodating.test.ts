import { describe, expect, it } from 'vitest';
import { summaryOf } from '../../../src/kernel/call/perform/patch.ts';
import { TOOLS } from '../../../src/kernel/tools/registry.ts';

describe('shell.run with a text for its command', () => {
  const commandsOf = (input: unknown) => {
    const used = TOOLS.find('shell.run')?.use(input);
    return used?.kind === 'ok' ? used.use.commands : used?.why;
  };

  it('runs it as a script', () => {
    expect(commandsOf({ command: 'ls -la | head' })).toEqual([['sh', '-c', 'ls -la | head']]);
    expect(commandsOf({ command: ['ls', '-la'] })).toEqual([['ls', '-la']]);
  });

  it('does not choose between two ways', () => {
    expect(commandsOf({ command: 'ls', script: 'pwd' })).toContain('command');
    expect(commandsOf({ command: 'ls', commands: [['pwd']] })).toContain('exactly one');
  });
});

it('no two tools have one synonym, and none is the name of a tool', () => {
  const synonyms = TOOLS.names.flatMap((name) => TOOLS.find(name)?.synonyms ?? []);
  expect(new Set(synonyms).size).toBe(synonyms.length);
  expect(synonyms.filter((word) => TOOLS.find(word) !== undefined || word !== word.toLowerCase())).toEqual([]);
});

it.each([
  ['a\nb\nc\n', '3 lines'],
  ['a\nb', '2 lines'],
  ['a\n', '1 line'],
  ['', '0 lines'],
])('a new file with %j has %s', (text, words) => {
  expect(summaryOf('x', null, text, '')).toBe(`Wrote x, ${words}`);
});
