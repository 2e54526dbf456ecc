import { describe, expect, it } from 'vitest';
import { spellOut } from '../../../src/tui/text/spell-out.ts';

/** `‹›` around what is shown by its code, `«»` around marked blanks, `!!` around look-alikes. */
const BRACKETS: Readonly<Record<string, readonly [string, string]>> = {
  spelled: ['‹', '›'],
  blank: ['«', '»'],
  'look-alike': ['!', '!'],
};
const spell = (raw: string) =>
  spellOut([{ raw, role: 'plain' }])
    .map(({ text, role }) => [BRACKETS[role]?.[0] ?? '', text, BRACKETS[role]?.[1] ?? ''].join(''))
    .join('');

describe('a line as a person has to see it', () => {
  it.each([
    ['blanks at its end', 'a  ', 'a«··»'],
    ['a tab at its end', 'a \t', 'a«·→ »'],
    ['nothing but blanks', '   ', '«···»'],
    ['an indentation', '    a', '    a'],
    ['an indentation that pushes text away', `${' '.repeat(50)}a`, `«${'·'.repeat(50)}»a`],
    ['a long run within', `a${' '.repeat(8)}b`, `a«${'·'.repeat(8)}»b`],
    ['an alignment', 'a    b', 'a    b'],
    ['a tab', 'a\tb', 'a«→ »b'],
    ['a control character', 'a\u001b[2Jb', 'a‹\\x1b›[2Jb'],
    ['an override of direction', 'a\u202eb', 'a‹\\u{202e}›b'],
    ['a blank that does not break', 'a\u00a0b', 'a‹\\xa0›b'],
    ['the spelling itself', 'a\\x1bb', 'a\\x1bb'],
    ['a letter of another alphabet among Latin ones', 'is\u0410dmin', 'is!\u0410!dmin'],
    ['a word of another alphabet', '\u0410\u0434\u043c\u0438\u043d', '\u0410\u0434\u043c\u0438\u043d'],
    ['a family', '👨‍👩‍👧', '👨‍👩‍👧'],
    ['a joiner alone', 'a\u200db', 'a‹\\u{200d}›b'],
  ])('%s', (_, line, shown) => {
    expect(spell(line)).toBe(shown);
  });

  it('keeps what is known of each piece', () => {
    const spans = spellOut([
      { raw: 'const ', role: 'keyword', ground: 'added' },
      { raw: 'x\u001b', role: 'variable', ground: 'added-word' },
    ]);
    expect(spans).toEqual([
      { text: 'const ', role: 'keyword', ground: 'added' },
      { text: 'x', role: 'variable', ground: 'added-word' },
      { text: '\\x1b', role: 'spelled', ground: 'added-word' },
    ]);
  });
});
