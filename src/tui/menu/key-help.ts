import type { ActionName } from '../keymap/bindable-actions.ts';
import { firstKey } from '../keymap/bindings.ts';
import type { Bindings } from '../keymap/bindings.ts';
import { INDENT } from '../scrollback/said-rows.ts';
import { own } from '../text/span.ts';
import type { Row } from '../text/span.ts';

/** Typed alone at the prompt, it shows the keys. */
export const KEY_HELP = '?';

type Line = readonly [key: string, what: string];

const GAP = 2;

const FIXED: readonly Line[] = [
  ['/', 'commands'],
  ['@', 'attach a file'],
  ['!', 'run a script'],
  ['#', 'keep a note'],
  ['alt-enter', 'a new line'],
  ['shift-tab', 'strict, explore'],
  ['up', 'sent before'],
  ['esc', 'interrupt'],
  ['esc esc', 'earlier message'],
];

const BOUND: readonly (readonly [name: ActionName, what: string])[] = [
  ['open', 'calls in full'],
  ['search', 'search history'],
  ['editor', 'your editor'],
  ['paste_image', 'paste an image'],
  ['undo', 'undo typing'],
  ['leave', 'leave'],
];

/** The most used keys, in as many columns as fit. */
export function keyHelpRows({ bindings, columns }: { bindings: Bindings; columns: number }): Row[] {
  const bound = BOUND.flatMap(([name, what]): Line[] => {
    const key = firstKey(bindings, name);
    return key === null ? [] : [[key, what]];
  });
  const lines: readonly Line[] = [...FIXED, ...bound, ['enter', 'all keys']];
  const keyCells = Math.max(...lines.map(([key]) => key.length)) + GAP;
  const cells = keyCells + Math.max(...lines.map(([, what]) => what.length)) + GAP;
  const across = Math.max(1, Math.floor((columns - INDENT.length) / cells));
  const down = Math.ceil(lines.length / across);
  return Array.from({ length: down }, (_, row): Row => {
    const inRow = lines.filter((_line, index) => index % down === row);
    return [
      own(INDENT),
      ...inRow.flatMap(([key, what]) => [
        own(key.padEnd(keyCells), 'accent'),
        own(what.padEnd(cells - keyCells), 'dim'),
      ]),
    ];
  });
}
