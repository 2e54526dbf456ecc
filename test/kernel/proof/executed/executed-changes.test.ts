import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { executedChanges } from '../../../../src/kernel/proof/executed/executed-changes.ts';
import type { ChangedText } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';
import { ranLines } from '../../../support/kernel/ran-lines.ts';

const parse = syntaxParser(() => performance.now());
const JS = "import { a } from './a.js';\n// a comment\nexport function f(b) {\n  return a(b);\n}\ninterface";
const PY = 'import a\n\n\ndef f(b):\n    """Says it."""\n    c = a.a(\n        b,\n    )\n    return c\n';
const GO = 'package a\n\nvar table = 1\n\nfunc F(b int) int {\n\tc := b\n\treturn c\n}\n';
const source = (path: string, after: string, before: string | null = null): ChangedText => ({
  path,
  role: 'source',
  before,
  after,
});

describe('of the changed lines those count that hold code', () => {
  it.each<[string, ChangedText, readonly number[], { changed: number; executed: number }]>([
    ['all of a new file', source('f.js', JS.replace('interface', '')), [3, 4], { changed: 2, executed: 2 }],
    ['none that ran', source('f.js', JS.replace('interface', '')), [], { changed: 2, executed: 0 }],
    ['types are none', source('f.ts', `${JS} A {\n  b: string;\n}\n`), [4], { changed: 2, executed: 1 }],
    ['those that are new', source('f.js', 'a();\nb();\n', 'a();\n'), [1], { changed: 1, executed: 0 }],
    ['statements of Python', source('f.py', PY), [1, 4, 6, 9], { changed: 2, executed: 2 }],
    ['the body of a function of Go', source('f.go', GO), [6], { changed: 2, executed: 1 }],
    ['a language without grammar', source('f.kt', 'exit!'), [1], { changed: 0, executed: 0 }],
  ])('%s', async (_, text, lines, counted) => {
    expect(await executedChanges([text], ranLines('a.test.js', { [text.path]: lines }), parse)).toEqual(counted);
  });

  it('and nothing is known where nothing was counted', async () => {
    expect(await executedChanges([source('f.js', 'a();')], null, parse)).toBeNull();
    expect(await executedChanges([source('f.js', 'a();')], new Map(), parse)).toEqual({ changed: 1, executed: 0 });
  });
});
