import { describe, expect, it } from 'vitest';
import type { SyntaxLanguage, SyntaxNode } from '../../../../src/contracts/ports/syntax.ts';
import { additionsOf } from '../../../../src/kernel/proof/findings/added-nodes.ts';
import type { SourceText } from '../../../../src/kernel/proof/findings/finding.ts';
import { nodesOf, textOf } from '../../../../src/kernel/proof/syntax/walk.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

async function read(language: SyntaxLanguage, text: string): Promise<SourceText> {
  const parsed = await parse(language, text);
  if (parsed.kind !== 'parsed' || !parsed.complete) throw new Error(`not parsed: ${text}`);
  return { text, root: parsed.root };
}

/** The texts of the new nodes of one kind. */
async function added(language: SyntaxLanguage, kind: string, before: string | null, after: string): Promise<string[]> {
  const now = await read(language, after);
  const isAdded = additionsOf(now, before === null ? null : await read(language, before));
  const fits = (node: SyntaxNode): boolean => node.kind === kind && isAdded(node);
  return [...nodesOf(now.root)].filter(fits).map((node) => textOf(node, after));
}

const F = 'function f(a) {\n  return 42;\n}\n';

describe('a node is old where', () => {
  it.each<readonly [string, SyntaxLanguage, string, string, string]>([
    ['nothing has changed', 'javascript', 'return_statement', F, F],
    ['it is written with other blanks', 'javascript', 'return_statement', F, 'function f(a) {\n    return   42 ;\n}\n'],
    [
      'its function has another place',
      'javascript',
      'return_statement',
      `${F}const a = 1;\n`,
      `const a = 1;\nconst b = 2;\n${F}`,
    ],
    [
      'its function has another name, and is the same otherwise',
      'javascript',
      'return_statement',
      F,
      F.replace('f(', 'g('),
    ],
    [
      'it is in a method of the same class',
      'python',
      'return_statement',
      'class A:\n    def f(self):\n        return 42\n',
      'class A:\n    x = 1\n\n    def f(self):\n        return 42\n',
    ],
    [
      'a statement around it is new',
      'go',
      'return_statement',
      'package p\n\nfunc F() int {\n\treturn 42\n}\n',
      'package p\n\nfunc F() int {\n\tif on {\n\t\treturn 42\n\t}\n\tpanic(1)\n}\n',
    ],
  ])('%s', async (_, language, kind, before, after) => {
    expect(await added(language, kind, before, after)).toEqual([]);
  });
});

describe('a node is new where', () => {
  it.each<readonly [string, SyntaxLanguage, string, string | null, string]>([
    ['its file is', 'javascript', 'return_statement', null, F],
    ['its line was in another function', 'javascript', 'return_statement', F, `${F}function g(a) {\n  return 42;\n}\n`],
    [
      'its line was in a function that is gone',
      'javascript',
      'return_statement',
      F,
      'function g(b) {\n  return 42;\n}\n',
    ],
    [
      'its line was in a text',
      'javascript',
      'return_statement',
      'const help = `\n  return 42;\n`;\nfunction f(a) {\n  return a;\n}\n',
      F,
    ],
    [
      'its line was in a docstring of the same function',
      'python',
      'return_statement',
      'def f(a):\n    """\n    return 42\n    """\n    return a\n',
      'def f(a):\n    return 42\n',
    ],
    [
      'only the line that it begins on was there',
      'javascript',
      'return_statement',
      'function f(a) {\n  return (\n    a\n  );\n}\n',
      'function f(a) {\n  return (\n    42\n  );\n}\n',
    ],
    [
      'a blank in a text is',
      'javascript',
      'return_statement',
      'function f(a) {\n  return `${a}${a}`;\n}\n',
      'function f(a) {\n  return `${a} ${a}`;\n}\n',
    ],
    [
      'an arrow function has another name',
      'javascript',
      'return_statement',
      'const six = (a) => {\n  return 42;\n};\n',
      'const six = (a) => {\n  return 42;\n};\nconst mul = (a) => {\n  return 42;\n};\n',
    ],
  ])('%s', async (_, language, kind, before, after) => {
    expect(await added(language, kind, before, after)).toHaveLength(1);
  });
});
