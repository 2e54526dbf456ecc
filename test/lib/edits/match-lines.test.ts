import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdit } from '../../../src/lib/edits/apply-edit.ts';
import type { Leniency } from '../../../src/lib/edits/match-lines.ts';

const FILE = [
  'class Cart:',
  '    def total(self):',
  '        sum = 0',
  '        for item in self.items:',
  '            sum += item.price',
  '        return sum',
  '',
  '    def names(self):',
  '        return [item.name for item in self.items]',
  '',
].join('\n');

interface Case {
  readonly title: string;
  readonly how: Leniency;
  readonly file: string;
  readonly old: string;
  readonly replacement: string;
  readonly expected: string;
}

const CASES: readonly Case[] = [
  {
    title: 'blanks at line ends, which stay where nothing changes',
    how: 'trailing_blanks',
    file: 'a = 1;  \nb = 2;\t\nc = 3;\n',
    old: 'a = 1;\nb = 2;\nc = 3;',
    replacement: 'a = 1;\nb = 20;\nc = 3;',
    expected: 'a = 1;  \nb = 20;\nc = 3;\n',
  },
  {
    title: 'blanks that the model added',
    how: 'trailing_blanks',
    file: 'a = 1;\nb = 2;\n',
    old: 'a = 1;  \nb = 2;\n',
    replacement: 'a = 1;\nb = 3;\n',
    expected: 'a = 1;\nb = 3;\n',
  },
  {
    title: 'blank lines around the text',
    how: 'trailing_blanks',
    file: 'a = 1;\nb = 2;\n',
    old: '\nb = 2;\n\n',
    replacement: '\nb = 3;\n\n',
    expected: 'a = 1;\nb = 3;\n',
  },
  {
    title: 'a block without its indentation',
    how: 'indentation',
    file: FILE,
    old: 'for item in self.items:\n    sum += item.price\nreturn sum\n',
    replacement: 'for item in self.items:\n    if item.price:\n        sum += item.price\nreturn sum\n',
    expected: FILE.replace(
      '            sum += item.price\n',
      '            if item.price:\n                sum += item.price\n',
    ),
  },
  {
    title: 'a block that is indented too far',
    how: 'indentation',
    file: 'if (a) {\n  first();\n}\n',
    old: '    if (a) {\n      first();\n    }\n',
    replacement: '    if (a) {\n      first();\n\n      second();\n    }\n',
    expected: 'if (a) {\n  first();\n\n  second();\n}\n',
  },
  {
    title: 'spaces for tabs',
    how: 'indentation',
    file: 'func f() {\n\tif a {\n\t\tfirst()\n\t}\n}\n',
    old: '    if a {\n        first()\n    }\n',
    replacement: '    if a {\n        for {\n            first()\n        }\n    }\n',
    expected: 'func f() {\n\tif a {\n\t\tfor {\n\t\t\tfirst()\n\t\t}\n\t}\n}\n',
  },
  {
    title: 'four spaces for two',
    how: 'indentation',
    file: 'a {\n  b {\n    c();\n  }\n}\n',
    old: 'a {\n    b {\n        c();\n    }\n}\n',
    replacement: 'a {\n    b {\n        c();\n        d();\n    }\n}\n',
    expected: 'a {\n  b {\n    c();\n    d();\n  }\n}\n',
  },
  {
    title: 'typographic quotes and dashes, which stay where nothing changes',
    how: 'unicode',
    file: 'It’s “new” – really.\nNothing else.\n',
    old: 'It\'s "new" - really.\nNothing else.\n',
    replacement: 'It\'s "old" - really.\nNothing else.\n',
    expected: 'It’s “old” – really.\nNothing else.\n',
  },
  {
    title: 'a line between that the model remembers wrongly and does not change',
    how: 'anchor_lines',
    file: FILE,
    old: '    def total(self):\n        total = 0\n        for item in self.items:\n            sum += item.price\n        return sum\n',
    replacement:
      '    def total(self):\n        total = 0\n        for item in self.items:\n            sum += item.price\n        return round(sum)\n',
    expected: FILE.replace('return sum\n', 'return round(sum)\n'),
  },
  {
    title: 'line ends beside indentation: the file keeps its own',
    how: 'indentation',
    file: 'if (a) {\r\n    first();\r\n}\r\n',
    old: '  if (a) {\n      first();\n  }\n',
    replacement: '  if (a) {\n      second();\n  }\n',
    expected: 'if (a) {\r\n    second();\r\n}\r\n',
  },
  {
    title: 'the end of a file without a line feed',
    how: 'indentation',
    file: 'first();\n  second();',
    old: 'second();\n',
    replacement: 'third();\n',
    expected: 'first();\n  third();',
  },
];

describe('an old text that nearly is in the file is taken for it', () => {
  it.each(CASES)('$how: $title', ({ file, old, replacement, expected, how }) => {
    expect(applyEdit(file, old, replacement, false)).toEqual({
      kind: 'edited',
      text: expected,
      replacements: 1,
      matched: how,
    });
  });

  it('and what is there exactly is never looked for otherwise', () => {
    const text = fc
      .array(fc.constantFrom('a = 1', '  a = 1', 'a = 1 ', 'b = “2”', ''))
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const edited = applyEdit(`${before}\nexactly();\n${after}`, 'exactly();', 'changed();', false);
        expect(edited).toEqual({ kind: 'edited', text: `${before}\nchanged();\n${after}`, replacements: 1 });
      }),
    );
  });
});

describe('an old text is refused', () => {
  const refusal = (file: string, old: string, replacement = 'changed') => {
    const outcome = applyEdit(file, old, replacement, false);
    return outcome.kind === 'refused' ? `${outcome.code}: ${outcome.message}` : outcome;
  };

  it('if it is nearly at two places, with their lines', () => {
    const file = '  total = price * count\nx\n    total = price * count\n';
    expect(refusal(file, '\ttotal = price * count\n')).toMatch(/^edit_ambiguous: .* at lines 1, 3\./);
  });

  it('if a line that it changes is another one in the file', () => {
    const old = '    def total(self):\n        sum = 0.0\n        for item in self.items:\n';
    const replacement = '    def total(self):\n        sum = Decimal(0)\n        for item in self.items:\n';
    expect(refusal(FILE, old, replacement)).toContain('edit_no_match');
  });

  it('if a line beside which it puts another is another one in the file', () => {
    const old =
      '    def total(self):\n        total = 0\n        for item in self.items:\n            sum += item.price\n';
    const replacement = old.replace('total = 0\n', 'total = 0\n        count = 0\n');
    expect(refusal(FILE, old, replacement)).toContain('edit_no_match');
  });

  it('if most of its lines are others', () => {
    const old = '    def total(self):\n        a()\n        b()\n        c()\n        return sum\n';
    expect(refusal(FILE, old, old.replace('return sum', 'return 1'))).toContain('edit_no_match');
  });

  it('if a new line cannot be indented by the rule of the others', () => {
    const old = '    first_call()\n    second_call()\n';
    expect(refusal('first_call()\nsecond_call()\n', old, '    first_call()\n  odd()\n    second_call()\n')).toContain(
      'edit_no_match',
    );
  });

  it.each(['      }', '    });', '      end'])('if nothing but %j is to be found in another indentation', (line) => {
    expect(refusal(`a\n\t${line.trim()}\nb\n`, `${line}\n`)).toContain('edit_');
  });
});
