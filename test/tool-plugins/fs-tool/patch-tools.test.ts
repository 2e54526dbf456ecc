import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sha256Schema } from '../../../src/contracts/ids.ts';
import { applyVerified } from '../../../src/lib/unified-diff.ts';
import { edit, write } from '../../../tool-plugins/fs-tool/patch-tools.ts';

const sha256 = (text: string) => sha256Schema.parse(createHash('sha256').update(text, 'utf8').digest('hex'));
const base = (content: string) => ({ content, sha256: sha256(content) });

describe('a patch-mode tool answers with a patch that leads exactly where it says', () => {
  test.each([
    ['a new file', null, 'a\nb\n'],
    ['a new file without a final newline', null, 'a'],
    ['an empty new file', null, ''],
    ['other content', 'a\nb\n', 'a\nc\n'],
    ['the same content', 'a\n', 'a\n'],
    ['CRLF and a byte order mark as they are', '\ufeffa\r\nb\r\n', '\ufeffa\r\nb\r\nc'],
  ])('fs.write: %s', (_name, before, content) => {
    const result = write({ path: 'src/x.js', base: before === null ? null : base(before), content });
    expect(applyVerified(before ?? '', result.patch, result.sha256)).toEqual({ kind: 'applied', text: content });
  });

  test('fs.edit', () => {
    const before = 'one\r\ntwo\r\nthree';
    const result = edit({ path: 'x', base: base(before), old_string: 'two\n', new_string: '2\n', replace_all: false });
    expect(applyVerified(before, result.patch, result.sha256)).toEqual({ kind: 'applied', text: 'one\r\n2\r\nthree' });
    expect(result.replacements).toBe(1);
  });

  test('content that is not what its hash says is not worked on', () => {
    const forged = { content: 'a', sha256: sha256('b') };
    expect(() => write({ path: 'x', base: forged, content: 'c' })).toThrow(/not the content that was sent/);
    expect(() => edit({ path: 'x', base: forged, old_string: 'a', new_string: 'b', replace_all: false })).toThrow();
  });

  test('what an edit refuses is told with its code and path', () => {
    const call = { path: 'x.js', base: base('a'), old_string: 'b', new_string: 'c', replace_all: false };
    expect(() => edit(call)).toThrow(
      expect.objectContaining({ code: 'edit_no_match', message: expect.stringMatching(/^x\.js: /) as string }),
    );
  });
});
