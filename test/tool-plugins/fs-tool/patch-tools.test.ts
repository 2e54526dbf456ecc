import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sha256Schema } from '../../../src/contracts/ids.ts';
import { applyVerified } from '../../../src/lib/diff/unified-diff.ts';
import { write } from '../../../tool-plugins/fs-tool/patch-tools.ts';

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

  test('content that is not what its hash says is not worked on', () => {
    const forged = { content: 'a', sha256: sha256('b') };
    expect(() => write({ path: 'x', base: forged, content: 'c' })).toThrow(/not the content that was sent/);
  });
});
