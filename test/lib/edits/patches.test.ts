import { describe, expect, it } from 'vitest';
import { applyHunks } from '../../../src/lib/edits/apply-hunks.ts';
import { parsePatch } from '../../../src/lib/edits/parse-patch.ts';

const patch = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

function apply(text: string, ...lines: readonly string[]) {
  const parsed = parsePatch(patch('*** Update File: f', ...lines));
  if (parsed.kind === 'invalid') throw new Error(parsed.why);
  const [file] = parsed.files;
  if (file?.kind !== 'update') throw new Error('no update');
  return applyHunks(text, file.hunks);
}

describe('a patch', () => {
  it('says for each file what becomes of it', () => {
    const text = patch(
      '*** Add File: new.txt',
      '+one',
      '+',
      '*** Update File: old.js ',
      '*** Move to: dir/moved.js',
      '@@ class A {',
      '@@ f() {',
      ' context',
      '-gone',
      '+come',
      '*** End of File',
      '*** Delete File: dead.js',
    );
    expect(parsePatch(text)).toEqual({
      kind: 'ok',
      files: [
        { kind: 'add', path: 'new.txt', content: 'one\n\n' },
        {
          kind: 'update',
          path: 'old.js',
          moveTo: 'dir/moved.js',
          hunks: [
            { headers: ['class A {', 'f() {'], before: ['context', 'gone'], after: ['context', 'come'], atEnd: true },
          ],
        },
        { kind: 'delete', path: 'dead.js' },
      ],
    });
  });

  it.each([
    ['a fence', `\`\`\`\n${patch('*** Delete File: a')}\n\`\`\``],
    ['a here-document', `apply_patch <<'EOF'\n${patch('*** Delete File: a')}\nEOF`],
    ['CRLF', patch('*** Delete File: a').replaceAll('\n', '\r\n')],
    ['blanks', `  ${patch(' *** Delete File: a').replaceAll('\n', ' \n')} `],
    ['no end', '*** Begin Patch\n*** Delete File: a'],
  ])('may have %s around it', (_, text) => {
    expect(parsePatch(text)).toEqual({ kind: 'ok', files: [{ kind: 'delete', path: 'a' }] });
  });

  it('has the files of several patches in one text', () => {
    const text = `${patch('*** Delete File: a')}\nand\n${patch('*** Delete File: b')}`;
    expect(parsePatch(text)).toMatchObject({ files: [{ path: 'a' }, { path: 'b' }] });
    expect(parsePatch(`${patch('*** Delete File: a')}\n${patch('*** Delete File: a')}`)).toMatchObject({
      why: expect.stringContaining('names a twice') as string,
    });
  });

  it('keeps lines of a file that look like its own', () => {
    const text = 'a\n*** End Patch\n*** note ***\nb\n';
    expect(apply(text, '@@', ' a', ' *** End Patch', ' *** note ***', '-b', '+c')).toEqual({
      kind: 'edited',
      text: 'a\n*** End Patch\n*** note ***\nc\n',
    });
  });

  it('keeps empty lines of an added file that have no plus', () => {
    expect(parsePatch(patch('*** Add File: a', '+one', '', '+two', ''))).toMatchObject({
      files: [{ content: 'one\n\ntwo\n' }],
    });
  });

  it.each([
    ['--- a/x\n+++ b/x\n', 'no line "*** Begin Patch"'],
    [patch(), 'changes no file'],
    [patch('*** Rename File: a'), 'Line 2 of the patch: expected "*** Add File: "'],
    [patch('*** Add File: a', 'no plus'), 'Line 3 of the patch: each line of an added file begins with "+".'],
    [patch('*** Update File: a'), 'the update of a has no lines'],
    [patch('*** Update File: a', '@@', '*** Delete File: b'), 'a hunk without lines'],
    [patch('*** Update File: a', '@@', 'x'), 'Line 4 of the patch: each line of a hunk begins with " ", "-" or "+".'],
    [patch('*** Delete File: a', '*** Update File: a', '@@', '+x'), 'names a twice'],
  ])('is refused with the reason: %j', (text, why) => {
    expect(parsePatch(text)).toMatchObject({ kind: 'invalid', why: expect.stringContaining(why) as string });
  });
});

describe('the work for a patch of a model is bounded', () => {
  const equal = (line: string, count: number) => new Array<string>(count).fill(line);

  it.each([
    ['files', equal('*** Delete File: f', 90_000).map((line, index) => `${line}${index}`), 'At most 100 files.'],
    ['patches', equal('*** End Patch\n*** Begin Patch\n*** Delete File: f', 30_000), 'At most 100 files.'],
    ['lines', ['*** Add File: f', equal('+', 1_000_000).join('\n')], 'At most 100000 lines.'],
    ['headers', ['*** Update File: f', ...equal('@@ a', 21), '-a'], 'a hunk has at most 20 headers.'],
  ])('by its %s', (_, lines, why) => {
    expect(parsePatch(patch(...lines))).toMatchObject({
      kind: 'invalid',
      why: expect.stringContaining(why) as string,
    });
  });

  it('whatever a header holds', () => {
    const header = `a${' '.repeat(1_000_000)}b`;
    expect(apply(`${header}\nx\n`, `@@ ${header}`, '-x', '+y')).toMatchObject({ text: `${header}\ny\n` });
    expect(apply('a\nx\n', '@@ a  @@', '-x', '+y')).toMatchObject({ text: 'a\ny\n' });
  });

  it('by the lines of the file', () => {
    const text = 'x\n'.repeat(1_000_000);
    expect(apply(text, ...equal('-x', 50_000))).toMatchObject({ kind: 'refused', code: 'too_large' });
    expect(apply(text, ...equal('-x', 40))).toMatchObject({ kind: 'refused', code: 'edit_ambiguous' });
    expect(apply(text, ...equal('-x ', 40))).toMatchObject({ kind: 'refused', code: 'edit_no_match' });
    expect(apply(`${text}y\n`, '-y', '+z')).toEqual({ kind: 'edited', text: `${text}z\n` });
  });
});

describe('hunks', () => {
  const TEXT = 'a\nx\nb\nx\nc\n';

  it.each([
    ['a line', 'a\nb\nc\n', ['@@', ' a', '-b', '+B'], 'a\nB\nc\n'],
    ['several, in order', 'a\nb\nc\n', ['@@', '-a', '+A', '@@', '-c', '+C'], 'A\nb\nC\n'],
    ['without the first @@', 'a\nb\n', [' a', '-b', '+B'], 'a\nB\n'],
    ['with the numbers of a unified diff', 'a\nb\n', ['@@ -1,2 +1,2 @@', ' a', '-b', '+B'], 'a\nB\n'],
    ['the first place behind a header', TEXT, ['@@ b', '-x', '+y'], 'a\nx\nb\ny\nc\n'],
    ['the place behind the hunk before', TEXT, ['@@', ' b', '@@', '-x', '+y'], 'a\nx\nb\ny\nc\n'],
    ['the place at the end', 'x\na\nx\n', ['@@', '-x', '+y', '*** End of File'], 'x\na\ny\n'],
    ['lines behind the last', 'a\n', ['@@', '+b'], 'a\nb\n'],
    ['an empty line written without its blank', 'a\n\nb\n', ['@@', ' a', '', '-b', '+B'], 'a\n\nB\n'],
    ['CRLF', 'a\r\nb\r\n', ['@@', ' a', '-b', '+B', '+C'], 'a\r\nB\r\nC\r\n'],
    ['mixed line ends', 'a\r\nb\nc\r\nd\n', ['@@', ' b', '-c', '+C', '+D', ' d'], 'a\r\nb\nC\nD\nd\n'],
    ['mixed line ends far away', 'a\nb\r\nc\nd\n', ['@@', ' c', '+C'], 'a\nb\r\nc\nC\nd\n'],
    ['a new first line before CRLF', 'a\r\nb\n', ['@@', '+first', ' a'], 'first\r\na\r\nb\n'],
    ['no line end after CRLF', 'a\r\nb', ['@@', ' a', '-b', '+B'], 'a\r\nB\r\n'],
    ['a text without a final line feed', 'a\nb', ['@@', '-b', '+B'], 'a\nB\n'],
    ['everything away', 'a\n', ['@@', '-a'], ''],
  ])('change %s', (_, text, lines, expected) => {
    expect(apply(text, ...lines)).toEqual({ kind: 'edited', text: expected });
  });

  it('are placed as an edit is where the old lines differ a little', () => {
    const text = 'f() {\n\treturn “one”;\n}\n';
    expect(apply(text, '@@', ' f() {', '-    return "one";', '+    return "two";', ' }')).toEqual({
      kind: 'edited',
      text: 'f() {\n\treturn “two”;\n}\n',
      matched: 'unicode',
    });
  });

  it.each([
    ['at two places', TEXT, ['@@', '-x', '+y'], 'edit_ambiguous', 'hunk 1 fits at 2 places, at lines 2, 4.'],
    ['nowhere', 'alpha\nbeta\n', ['@@', '-gamma_delta', '+x'], 'edit_no_match', 'hunk 1: '],
    ['in front of the hunk before', 'a\nb\n', ['@@', '-b', '+B', '@@', '-a', '+A'], 'edit_no_match', 'hunk 2: '],
    ['behind a header that is not there', TEXT, ['@@ zzz', '-x', '+y'], 'edit_no_match', 'no line "zzz" follows'],
    ['at a place that is not certain', TEXT, ['@@ b', '+new'], 'edit_no_match', 'it only adds lines'],
  ])('are refused %s', (_, text, lines, code, message) => {
    expect(apply(text, ...lines)).toMatchObject({
      kind: 'refused',
      code,
      message: expect.stringContaining(message) as string,
    });
  });
});
