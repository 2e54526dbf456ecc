import { expect, it } from 'vitest';
import { plural } from '../../../src/lib/text/plural.ts';

it.each([
  [0, '0 files', '0 entries'],
  [1, '1 file', '1 entry'],
  [2, '2 files', '2 entries'],
])('counts %i', (count, files, entries) => {
  expect(plural(count, 'file')).toBe(files);
  expect(plural(count, 'entry', 'entries')).toBe(entries);
});
