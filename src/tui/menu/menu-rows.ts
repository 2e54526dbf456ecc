import stringWidth from 'string-width';
import { firstText } from '../../lib/text/first-last.ts';
import { fitParts } from '../store/fit-parts.ts';
import type { LiveRow } from '../store/live-row.ts';
import { safeLine } from '../store/safe-text.ts';
import type { ViewState } from '../store/view-state.ts';
import { INDENT } from '../scrollback/said-rows.ts';
import { hangingRows } from '../text/hanging-rows.ts';
import { own } from '../text/span.ts';
import { menuWindow, openMenu } from './open-menu.ts';
import type { MenuEntry, OpenMenu } from './open-menu.ts';

const MAX_ENTRIES = 8;
/** With less room, only the help mentions the argument. */
const ARGUMENTS_FROM = 60;
const BELOW = { first: [own(`${INDENT}${INDENT}`)], rest: [own(`${INDENT}${INDENT}`)], breakAt: 'blank' } as const;

/** The menu at the prompt: entries around the selected one, with uncut help, and the keys of the menu. */
export function menuRows(view: ViewState, columns: number): LiveRow[] {
  const menu = openMenu(view);
  if (menu === null) return [];
  const { from, to } = menuWindow(menu, MAX_ENTRIES);
  const shown = menu.entries
    .slice(from, to)
    .map((entry) => (columns < ARGUMENTS_FROM ? withoutArgument(entry) : entry));
  const nameCells = Math.max(...shown.map(({ name, help }) => (help === '' ? 0 : name.length))) + 2;
  const rows = shown.flatMap((entry, index): LiveRow[] => {
    const selected = from + index === menu.selected;
    const row = { kind: 'menu', nameCells, selected, ...entry } as const;
    if (!selected || INDENT.length + nameCells + stringWidth(entry.help) <= columns) return [row];
    const words = hangingRows([{ text: entry.help, role: 'plain' }], BELOW, columns);
    return [{ ...row, help: safeLine('') }, ...words.map((each): LiveRow => ({ kind: 'said', row: each }))];
  });
  return [...rows, ...keyRows(menu, menu.entries.length - shown.length, columns - INDENT.length)];
}

function withoutArgument({ name, help }: MenuEntry): MenuEntry {
  return { name: help === '' ? name : safeLine(firstText(name.split(' '))), help };
}

function keyRows({ entries, selected }: OpenMenu, more: number, columns: number): LiveRow[] {
  if (entries.length === 1) return [];
  const words = fitParts(
    [
      { text: more > 0 ? `${more} more` : '', weight: 4 },
      { text: 'up and down choose', weight: 2 },
      { text: selected === null ? 'tab takes the first' : 'enter takes', weight: 3 },
      { text: 'esc closes', weight: 1 },
    ],
    columns,
  );
  return [{ kind: 'text', text: safeLine(`${INDENT}${words}`), role: 'dim' }];
}
