import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdit } from '../../../src/lib/edits/apply-edit.ts';

const edited = (text: string, replacements = 1) => ({ kind: 'edited', text, replacements });

describe('an edit replaces exactly the one place it names', () => {
  const cases: readonly (readonly [string, string, string, string, string])[] = [
    ['within a line', 'const a = 1;\n', 'a = 1', 'a = 2', 'const a = 2;\n'],
    ['over several lines', 'a\nb\nc\n', 'a\nb\n', 'A\nB\n', 'A\nB\nc\n'],
    ['to nothing', 'a\nb\nc\n', 'b\n', '', 'a\nc\n'],
    ['without a final newline', 'a\nb', 'b', 'c', 'a\nc'],
    ['a replacement that looks like a pattern', 'x\n', 'x', "$& $1 $' $`", "$& $1 $' $`\n"],
    ['CRLF: the model writes LF, the file keeps CRLF', 'a\r\nb\r\nc\r\n', 'a\nb', 'a\nB\nB2', 'a\r\nB\r\nB2\r\nc\r\n'],
    ['CRLF: within one line', 'a\r\nb\r\n', 'b', 'b\nc', 'a\r\nb\r\nc\r\n'],
    ['CRLF: the model writes CRLF', 'a\r\nb\r\n', 'a\r\nb', 'A\r\nb', 'A\r\nb\r\n'],
    ['LF file, the model writes CRLF', 'a\nb\n', 'a\r\nb', 'A\r\nB', 'A\nB\n'],
    ['mixed ends: untouched lines keep theirs', 'a\r\nb\nc\r\nd\n', 'a\nb\nc\nd', 'a\nB\nc\nd', 'a\r\nB\nc\r\nd\n'],
    ['a lone CR is a character like any other', 'a\rb\n', 'a\rb', 'a\rc', 'a\rc\n'],
    ['a byte order mark stays', '\ufeffa\nb\n', 'a\n', 'A\n', '\ufeffA\nb\n'],
    ['unicode', 'naïve 𝒳 日本\n', '𝒳 日本', '𝒴 日本', 'naïve 𝒴 日本\n'],
    ['half of a pair stays whole', 'x 𝒳\n', '𝒳', '𝒴', 'x 𝒴\n'],
    ['at the very end', 'a\nb\r\n', 'b\n', 'b\nc\n', 'a\nb\r\nc\r\n'],
  ];
  test.each(cases)('%s', (_name, text, old, replacement, expected) => {
    expect(applyEdit(text, old, replacement, false)).toEqual(edited(expected));
  });

  test('everywhere, when asked to', () => {
    expect(applyEdit('a b a\r\na', 'a', 'x\ny', true)).toEqual(edited('x\r\ny b x\r\ny\r\nx\r\ny', 3));
    expect(applyEdit('aaaa', 'aa', 'b', true)).toEqual(edited('bb', 2));
  });

  test('in a time that grows with the two texts, not with their product', () => {
    const text = 'a'.repeat(2_000_000);
    const half = 'a'.repeat(1_000_000);
    expect(applyEdit(text, half, 'b', false)).toMatchObject({ code: 'edit_ambiguous' });
    expect(applyEdit(text, half, 'b', true)).toEqual(edited('bb', 2));
    const lines = '\n'.repeat(1_000_000);
    expect(applyEdit(lines, `x${lines}`, 'y', false)).toMatchObject({ code: 'edit_no_match' });
  });

  test('nothing but that place changes, wherever it is', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', ' ')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const outcome = applyEdit(`${before}MARK${after}`, 'MARK', 'other', false);
        expect(outcome).toEqual(edited(`${before}other${after}`));
      }),
    );
  });
});

describe('old text with the line numbers that reading shows', () => {
  const numbered = (first: number, ...lines: readonly string[]): string =>
    lines.map((line, index) => `${String(first + index).padStart(6)}\t${line}`).join('\n');

  test.each([
    ['in old and new text', numbered(2, '  b', '  c'), numbered(2, '  B', '  c')],
    ['in the old text alone', numbered(2, '  b'), '  B'],
    ['and a final newline', `${numbered(2, '  b')}\n`, `${numbered(2, '  B')}\n`],
  ])('is found without them: %s', (_where, old, replacement) => {
    expect(applyEdit('a\n  b\n  c\n', old, replacement, false)).toEqual({
      ...edited('a\n  B\n  c\n'),
      matched: 'line_numbers',
    });
  });

  test('is taken as it is where the file has them', () => {
    expect(applyEdit('1\ta\n2\tb\n', '1\ta', '1\tA', false)).toEqual(edited('1\tA\n2\tb\n'));
  });

  test('is refused like any other where it is not there', () => {
    expect(applyEdit('a\nb\n', numbered(1, 'x = 12345'), 'y', false)).toMatchObject({ code: 'edit_no_match' });
  });
});

describe('a line that was named without its indentation', () => {
  const place = (line: string) => `class A:\n    def f(self):\n        ${line}\n\n    x = 1\n`;

  test.each([
    ['a block', 'if a:\n    return b\nelse:\n    return c'],
    ['a block with braces', 'if (a) {\n    b();\n}'],
    ['a line beside it', 'seen = []\nreturn seen'],
    ['a comment above it', '# why\nreturn a'],
  ])('takes %s that is counted from the left to its place', (_what, block) => {
    const inPlace = block.replaceAll('\n', '\n        ');
    expect(applyEdit(place('return a'), 'return a', block, false)).toEqual({
      ...edited(place(inPlace)),
      matched: 'indentation',
    });
  });

  test.each([
    ['lines that are indented as the place is', 'b = a\n        return b'],
    ['a block that is indented as the place is', 'if a:\n            return b'],
    ['the end of a block', 'return a\n    else:\n        return b'],
    ['a closing bracket', 'return a\n}'],
    ['another function behind it', 'return a\n\n\ndef g():\n    return 1'],
    ['a first line with its own indentation', '    return a\nb'],
    ['one line', 'return b'],
  ])('is replaced by %s as it is', (_what, block) => {
    expect(applyEdit(place('return a'), 'return a', block, false)).toEqual(edited(place(block)));
  });

  test('is not met behind other text, nor where every place is replaced', () => {
    expect(applyEdit('    a = b\n', 'b', 'c\nd', false)).toEqual(edited('    a = c\nd\n'));
    expect(applyEdit('    b\n', 'b', 'c\nd', true)).toMatchObject({ text: '    c\n    d\n' });
    expect(applyEdit('    b\n    b\n', 'b', 'c\nd', true)).toEqual(edited('    c\nd\n    c\nd\n', 2));
  });
});

describe('an edit that could mean something else is refused', () => {
  test('several places, with their lines', () => {
    const outcome = applyEdit('x\na\nx\nx\n', 'x', 'y', false);
    expect(outcome).toMatchObject({ kind: 'refused', code: 'edit_ambiguous' });
    expect(outcome).toHaveProperty('message', expect.stringContaining('occurs 3 times, at lines 1, 3, 4.'));
  });

  test('places that overlap', () => {
    expect(applyEdit('aaa', 'aa', 'b', false)).toMatchObject({ code: 'edit_ambiguous' });
  });

  test('very many places are counted, not listed', () => {
    const outcome = applyEdit('x\n'.repeat(1000), 'x', 'y', false);
    expect(outcome).toHaveProperty('message', expect.stringMatching(/1000 times.* and 980 more/));
  });

  test.each([
    ['an empty old_string', 'a', '', 'b'],
    ['no change at all', 'a', 'a', 'a'],
    ['no change but the line ends', 'a\r\nb', 'a\nb', 'a\r\nb'],
  ])('%s', (_name, text, old, replacement) => {
    expect(applyEdit(text, old, replacement, false)).toMatchObject({ kind: 'refused', code: 'invalid_input' });
  });
});

describe('an edit that finds nothing shows what comes nearest', () => {
  const source = ['function parse(text) {', '    const value = JSON.parse(text);', '    return value;', '}', ''].join(
    '\n',
  );
  const message = (old: string, text = source): string => {
    const outcome = applyEdit(text, old, 'never used', false);
    expect(outcome).toMatchObject({ kind: 'refused', code: 'edit_no_match' });
    return outcome.kind === 'refused' ? outcome.message : '';
  };

  test('indentation that no rule explains', () => {
    const said = message('  const value = JSON.parse(text);\n   return value;\n');
    expect(said).toContain('differs from these lines in white space');
    expect(said).toContain('     2\t    const value = JSON.parse(text);\n     3\t    return value;');
  });

  test('a slip of the pen', () => {
    expect(message('const valeu = JSON.parse(txt);')).toContain('     2\t    const value = JSON.parse(text);');
  });

  test('nothing similar', () => {
    expect(message('SELECT * FROM users')).toContain('nothing in it is similar');
  });

  test('an empty file', () => {
    expect(message('a', '')).toContain('Use fs.write');
  });

  test('a long file and a long text, in bounded time and space', () => {
    const text = Array.from({ length: 50_000 }, (_, i) => `line ${i % 7}`).join('\n');
    const said = message(Array.from({ length: 5_000 }, (_, i) => `line ${i % 5} `).join('\n'), text);
    expect(said.length).toBeLessThan(5000);
  });
});
