import { RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, it } from 'vitest';
import { ownValues } from '../../bin/lint/own-values.ts';

const TABLE = "const WORDS: Readonly<Partial<Record<string, string>>> = { a: 'b' };";

describe('the ESLint rule on tables', () => {
  const tester = new RuleTester({ languageOptions: { parser: tseslint.parser as object } });
  it.each([
    ['by index', `${TABLE} const found = WORDS[word];`],
    ['of an exported one', `export ${TABLE} const found = WORDS[word] ?? word;`],
    ['above the table', 'const find = () => WORDS[a.b]; const WORDS: Record<string, string> = {};'],
  ])('sees a key that is read %s', (_what, code) => {
    tester.run('own-values', ownValues, { valid: [], invalid: [{ code, errors: [{ messageId: 'inherited' }] }] });
  });
  it.each([
    ['ownValue', `${TABLE} const found = ownValue(WORDS, word);`],
    ['a key that is written there', `${TABLE} const found = WORDS['a'];`],
    [
      'keys of a closed list',
      "const KINDS: Record<'a' | 'b', string> = { a: '1', b: '2' }; const found = KINDS[kind];",
    ],
    ['what a function makes', 'const made = () => { const texts: Record<string, string> = {}; texts[path] = text; };'],
  ])('leaves %s alone', (_what, code) => {
    tester.run('own-values', ownValues, { valid: [code], invalid: [] });
  });
});
