import { expect, it } from 'vitest';
import type { SyntaxLanguage } from '../../../../src/contracts/ports/syntax.ts';
import { codeLines } from '../../../../src/kernel/proof/executed/code-lines.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

/** A line that ends in `+` contains code that runs. */
it.each<[string, SyntaxLanguage, string]>([
  ['statements outside of functions', 'php', '<?php\n$a = 1;\nfunction f() {\n  return 1; // +\n}\n'],
  ['a statement without braces', 'php', '<?php\nfunction f($a) {\n  if ($a) // +\n    return 1; // +\n}\n'],
  ['an expression in a body', 'php', '<?php\nfunction f() {\n  return fn($a) => // +\n    $a + 1;\n}\n'],
  [
    'the value of a case',
    'php',
    '<?php\nfunction f($a) {\n  switch ($a) { // +\n    case\n      1:\n      g(); // +\n    default:\n      h(); // +\n  }\n}\n',
  ],
  [
    'blocks',
    'php',
    '<?php\nfunction f() {\n  // why\n  try {\n    g(); // +\n  } catch (E $e) {\n    h(); // +\n  }\n}\n',
  ],
  [
    'declarations and documentation',
    'python',
    '@g\ndef f():\n    """Says it."""\n    global a\n    # why\n    a = 1  # +\n',
  ],
  ['a string that is used', 'python', 'a = (  # +\n    "b"\n)\n'],
  ['a separator of statements', 'python', 'a = g(  # +\n    1\n);\npass  # +\n'],
  ['a separator of statements', 'ruby', 'a = g( # +\n  1\n);\n'],
  [
    'parts of a branch',
    'ruby',
    'class A\n  def f(a) # +\n    if a # +\n      g # +\n    elsif h\n      i # +\n    else\n      j # +\n    end\n  end\nend\n',
  ],
  [
    'nodes without statements',
    'ruby',
    'def f( # +\n  a\n)\n  # why\n  begin\n    g( # +\n      a\n    )\n  rescue E\n    h # +\n  end\nend\n',
  ],
  ['types and brackets', 'typescript', 'type A =\n  | string;\nexport function f( // +\n) {\n  return 1; // +\n}\n'],
  ['declarations outside of functions', 'go', 'package a\n\nvar a = 1\n\nfunc f() int {\n\treturn a // +\n}\n'],
])('%s in %s', async (_, language, text) => {
  const parsed = await parse(language, text);
  if (parsed.kind !== 'parsed') throw new Error('not parsed');
  const marked = text.split('\n').flatMap((line, index) => (line.endsWith('+') ? [index + 1] : []));
  expect([...codeLines(language, parsed.root)].toSorted((a, b) => a - b)).toEqual(marked);
});
