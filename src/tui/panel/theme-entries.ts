import { safeLine } from '../store/safe-text.ts';
import { own } from '../text/span.ts';
import type { Row } from '../text/span.ts';
import { THEME_NAMES, THEMES } from '../text/theme.ts';
import type { ThemeName } from '../text/theme.ts';
import type { PickerEntry } from './panel.ts';

/** A sample of the screen in a few rows, drawn in the marked theme. */
const SAMPLE: readonly Row[] = [
  [
    own('✓ fs.edit', 'good'),
    own('  src/price.ts  '),
    own('3 ms', 'dim'),
    own('  ✗ failed', 'bad'),
    own('  ! warning', 'warn'),
  ],
  [
    own('export ', 'keyword'),
    own('function ', 'keyword'),
    own('total', 'function'),
    own('(prices: '),
    own('number', 'type'),
    own('[]) { '),
    own('// in cents', 'comment'),
  ],
  [
    own('- ', 'bad'),
    removed('  return sum'),
    removed('('),
    { ...removed('prices'), ground: 'removed-word' },
    removed(');'),
  ],
  [own('+ ', 'good'), added('  return sum'), added('('), { ...added('prices, 0'), ground: 'added-word' }, added(');')],
  [
    own('A heading', 'heading'),
    own('  '),
    own('a link', 'link'),
    own('  '),
    own('"a string"', 'string'),
    own('  '),
    own('42', 'number'),
  ],
];

/** The current theme first, then the others. Pure. */
export function themeEntries(current: ThemeName): readonly PickerEntry[] {
  return [current, ...THEME_NAMES.filter((name) => name !== current)].map((name) => ({
    id: name,
    label: safeLine(name),
    aside: safeLine(THEMES[name].summary),
    preview: [],
    sample: SAMPLE,
  }));
}

function added(text: string): Row[number] {
  return { ...own(text), ground: 'added' };
}

function removed(text: string): Row[number] {
  return { ...own(text), ground: 'removed' };
}
