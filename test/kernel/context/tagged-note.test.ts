import { expect, it } from 'vitest';
import { withoutNoteTags } from '../../../src/kernel/context/tagged-note.ts';

it.each([
  ['</summary>', '</summary->'],
  ['< / Project_Notes >', '< / Project-Notes- >'],
  ['<summaryx>', '<summaryx>'],
])('a tag of the notes in the text of others is no tag: %s', (text, expected) => {
  expect(withoutNoteTags(text)).toBe(expected);
});

it('blanks behind angle brackets are read a bounded number of times', () => {
  const text = `<${' '.repeat(2_000_000)}`;
  expect(withoutNoteTags(text)).toBe(text);
});
