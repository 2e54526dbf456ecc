import { expect, it } from 'vitest';
import { formatOfFile } from '../../../src/cli/session/export/export-formats.ts';

it.each([
  ['s.md', 'md'],
  ['s', 'md'],
  ['S.HTML', 'html'],
  ['s.json', 'json'],
  ['s.jsonl', 'replay'],
] as const)('writes %s as %s', (file, format) => {
  expect(formatOfFile(file)).toBe(format);
});

it('writes nothing else under the ending of another format', () => {
  expect(() => formatOfFile('s.pdf')).toThrow(
    expect.objectContaining({ code: 'usage', why: 'no session is written as .pdf' }),
  );
});
