import type { LiveFrame } from '../live/live-frame.ts';
import type { Size } from '../store/live-rows.ts';
import { exactLine } from '../store/safe-text.ts';
import { cutRow, rowCells } from '../text/cut-row.ts';
import { own } from '../text/span.ts';
import type { Row } from '../text/span.ts';
import type { PickerList, PickerEntry } from './panel.ts';
import { fittingEntries } from './picker-position.ts';
import type { PickerPosition } from './picker-position.ts';

const MAX_ENTRIES = 10;
const MAX_PREVIEW = 6;
const MAX_INDENT = 4;
/** Title, search and keys. */
const CHROME_ROWS = 3;
/** A lower terminal has no room for a blank row above. */
const BLANK_FROM_ROWS = 12;

/** A picker as it is drawn: the search, the entries around the selected one, and its preview. */
export function pickerFrame(picker: PickerList, at: PickerPosition, { columns, rows: high }: Size): LiveFrame {
  const fitting = fittingEntries(picker.entries, at.query);
  const blank: readonly Row[] = high < BLANK_FROM_ROWS ? [] : [[]];
  const room = Math.max(2, high - 2 - CHROME_ROWS - blank.length);
  const preview = previewRows(fitting[at.selected]).slice(0, Math.min(MAX_PREVIEW, Math.floor(room / 3)));
  const shown = Math.min(MAX_ENTRIES, room - preview.length);
  const from = Math.max(0, Math.min(at.selected - Math.floor(shown / 2), fitting.length - shown));
  const entries = fitting
    .slice(from, from + shown)
    .map((entry, index) =>
      entryRow(at.query === '' ? entry : { ...entry, depth: 0 }, from + index === at.selected, columns),
    );
  const none = fitting.length === 0 ? [[own('│   nothing fits', 'dim')]] : [];
  const search: Row = [own('│ ', 'dim'), own('search: ', 'dim'), { text: exactLine(at.query), role: 'plain' }];
  const rows = [
    ...blank,
    [
      own('╭ ', 'dim'),
      { text: picker.title, role: 'strong' } as const,
      own(`  ${fitting.length} of ${picker.entries.length}`, 'dim'),
    ],
    search,
    ...entries,
    ...none,
    ...preview.map((row): Row => [own('│   ┊ ', 'dim'), ...row]),
    [own(`╰ up and down choose · enter takes · esc ${at.query === '' ? 'closes' : 'clears the search'}`, 'dim')],
  ].map((row) => cutRow(row, columns));
  return { rows, cursor: { row: blank.length + 1, column: Math.min(columns - 1, rowCells(search)) } };
}

function previewRows(entry: PickerEntry | undefined): readonly Row[] {
  return entry?.sample ?? (entry?.preview ?? []).map((text) => [{ text, role: 'dim' }]);
}

/** Indents a branch; deep ones only so far that their labels have room. */
function branchMark(depth: number): string {
  return depth === 0 ? '' : `${'  '.repeat(Math.min(depth, MAX_INDENT) - 1)}└ `;
}

/** The label at the left, its age or state at the right end. */
function entryRow({ label, aside, depth = 0 }: PickerEntry, isSelected: boolean, columns: number): Row {
  const asideCells = rowCells([own(aside)]);
  const name: Row = [
    own('│ ', 'dim'),
    own(isSelected ? '› ' : '  ', 'accent'),
    own(branchMark(depth), 'dim'),
    { text: label, role: isSelected ? 'strong' : 'plain' },
  ];
  const cut = cutRow(name, Math.max(4, columns - asideCells - 2));
  return [...cut, own(' '.repeat(Math.max(2, columns - asideCells - rowCells(cut)))), { text: aside, role: 'dim' }];
}
