import { expect, it } from 'vitest';
import { answerRows } from '../../../src/tui/scrollback/said-rows.ts';
import { safeLine } from '../../../src/tui/store/safe-text.ts';

it.each([
  ['✓ Red  the new tests failed', ['  ✓ Red  the new', '         tests failed']],
  ['  a.js:4  < became <= here', ['    a.js:4  < became', '            <= here']],
  ['  some indented words', ['    some indented', '    words']],
  ['words of no column at all', ['  words of no column', '  at all']],
  ['a first column that is long  rest', ['  a first column that', '  is long  rest']],
])('%j goes on below its column', (line, rows) => {
  const shown = answerRows([safeLine(line)], 21).map((row) =>
    row
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );
  expect(shown).toEqual(rows);
});
