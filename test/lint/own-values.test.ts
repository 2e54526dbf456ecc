import { RuleTester } from 'eslint';
import { describe, it } from 'vitest';
import tseslint from 'typescript-eslint';
import { ownValues } from '../../bin/lint/own-values.ts';

RuleTester.describe = describe;
RuleTester.it = it;

const TABLE = "const WORDS: Readonly<Partial<Record<string, string>>> = { a: 'b' };";
const messageId = 'inherited';

new RuleTester({ languageOptions: { parser: tseslint.parser as object } }).run('own-values', ownValues, {
  valid: [
    `${TABLE} const found = ownValue(WORDS, word);`,
    `${TABLE} const found = WORDS['a'];`,
    "const KINDS: Record<'a' | 'b', string> = { a: '1', b: '2' }; const found = KINDS[kind];",
    'const made = () => { const texts: Record<string, string> = {}; texts[path] = text; };',
  ],
  invalid: [
    { code: `${TABLE} const found = WORDS[word];`, errors: [{ messageId }] },
    { code: `export ${TABLE} const found = WORDS[word] ?? word;`, errors: [{ messageId }] },
    { code: 'const find = () => WORDS[a.b]; const WORDS: Record<string, string> = {};', errors: [{ messageId }] },
  ],
});
