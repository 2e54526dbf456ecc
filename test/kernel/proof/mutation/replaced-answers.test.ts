import { expect, it } from 'vitest';
import type { SyntaxLanguage } from '../../../../src/contracts/ports/syntax.ts';
import { mutantsOf } from '../../../../src/kernel/proof/mutation/mutants-of.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

const go = (type: string, answer: string): string => `package a\n\nfunc f()${type} {\n\treturn ${answer}\n}\n`;
const cpp = (head: string, answer: string): string => `${head} {\n  return ${answer};\n}\n`;
const rust = (type: string, body: string): string => `fn f() -> ${type} {\n    ${body}\n}\n`;
const js = (answer: string): string => `export function f(a) {\n  return ${answer};\n}\n`;

/** What takes the place of an answer, of the type that its function has. */
it.each<readonly [SyntaxLanguage, string, string, readonly string[]]>([
  ['go', go(' int', 'a()'), 'a()', ['(a()) + 1']],
  ['go', go(' (n float64)', 'a()'), 'a()', ['(a()) + 1']],
  ['go', go(' string', 'a()'), 'a()', ['(a()) + " "']],
  ['go', go(' bool', 'a()'), 'a()', ['!(a())']],
  ['go', go(' *T', 'a()'), 'a()', ['nil']],
  ['go', go(' error', 'nil'), 'nil', []],
  ['go', go(' T', 'a()'), 'a()', []],
  ['go', go(' string', '"x"'), '"x"', ['""']],
  ['go', go(' string', '""'), '""', ['"mutant"']],
  ['go', go(' int', '0'), '0', ['1']],
  ['cpp', cpp('int f()', 'a()'), 'a()', ['(a()) + 1']],
  ['cpp', cpp('bool f()', 'a()'), 'a()', ['!(a())']],
  ['cpp', cpp('std::string f()', 'a()'), 'a()', ['(a()) + " "']],
  ['cpp', cpp('T* f()', 'a()'), 'a()', ['0']],
  ['cpp', cpp('T* f()', 'nullptr'), 'nullptr', []],
  ['cpp', cpp('T f()', 'a()'), 'a()', []],
  ['cpp', cpp('int& f()', 'a()'), 'a()', []],
  ['rust', rust('Option<u8>', 'Some(a())'), 'Some(a())', ['None']],
  ['rust', rust('Option<u8>', 'None'), 'None', []],
  ['rust', rust('T', 'a()'), 'a()', ['Default::default()']],
  ['rust', rust('u8', 'return b();'), 'b()', ['Default::default()']],
  ['rust', rust('bool', 'true'), 'true', ['false']],
  ['javascript', js('[]'), '[]', ["['mutant']"]],
  ['javascript', js('{}'), '{}', ["{ mutant: 'mutant' }"]],
  ['javascript', js('a.toSorted((b, c) => b.n - c.n)'), 'b.n - c.n', ['undefined']],
  ['javascript', js('<p />'), '<p />', ['null']],
])('%s: %j', async (language, text, answer, expected) => {
  const changedLines = new Set(text.split('\n').map((_, index) => index + 1));
  const made = await mutantsOf({ text, language, changedLines, maxMutants: 100 }, parse);
  if (made.kind === 'no-tree') throw new Error(made.why);
  expect(made.mutants.flatMap(({ before, after }) => (before === answer ? [after] : []))).toEqual(expected);
});
