import { RuleTester } from 'eslint';
import { describe, expect, it } from 'vitest';
import { plainWords, rejectedIn, wordsOfName } from '../../bin/lint/plain-words.ts';

const rejected: readonly (readonly [text: string, kind: 'name' | 'prose', word: string])[] = [
  ['mendingCommands', 'name', 'mending'],
  ['the command that mends it', 'prose', 'mends'],
  ['what the model is told', 'prose', 'told'],
  ['there are only so many of them', 'prose', 'so many'],
  ['askedFor', 'name', 'asked for'],
  ['kernelDoors', 'name', 'doors'],
  ['CommitsWorld', 'name', 'world'],
  ['its surroundings', 'prose', 'surroundings'],
  ['for want of a better one', 'prose', 'for want of'],
  ['carryOut', 'name', 'carry out'],
  ['instead', 'name', 'instead'],
  ['the file stands beside it', 'prose', 'stands'],
];

const accepted: readonly (readonly [text: string, kind: 'name' | 'prose'])[] = [
  ['Use the other tool instead.', 'prose'],
  ['FD stands for file descriptor', 'prose'],
  ['amended', 'prose'],
  ['recommended', 'name'],
  ['outdoors', 'name'],
  ['Add surrounding lines until it is unique.', 'prose'],
  ['carries out a commit', 'prose'],
  ['somany', 'name'],
];

describe('words that a reader has to read twice', () => {
  it.each(rejected)('%s (%s) is rejected for %s', (text, kind, word) => {
    expect(rejectedIn(text, kind).map((found) => found.word.toLowerCase())).toContain(word);
  });
  it.each(accepted)('%s (%s) is accepted', (text, kind) => {
    expect(rejectedIn(text, kind)).toEqual([]);
  });
  it('reads names word by word', () => {
    expect(wordsOfName('openHTTPDoor_now')).toBe('open http door now');
  });
});

describe('the ESLint rule', () => {
  const tester = new RuleTester();
  it.each([
    ['a variable', 'const worlds = 1;'],
    ['a parameter', 'function f(world) { return world; }'],
    ['a parameter with a default', 'function f(instead = []) { return instead; }'],
    ['an element of an array', 'const [told] = [1];'],
    ['a comment', '// This mends it.\nconst a = 1;'],
    ['a text', "const a = 'the doors';"],
    ['a template', 'const a = `so many ${1}`;'],
    ['a property', 'const a = { doors: 1 };'],
    ['a private method', 'class A { #carryOut() {} }'],
    ['a private property', 'class A { #told = 1; }'],
  ])('sees %s', (_what, code) => {
    tester.run('plain-words', plainWords, { valid: [], invalid: [{ code, errors: 1 }] });
  });
  it('leaves names of others alone where they are only used', () => {
    tester.run('plain-words', plainWords, { valid: ['api.world();'], invalid: [] });
  });
});
