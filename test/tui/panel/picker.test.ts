import { describe, expect, it } from 'vitest';
import type { KeyAction } from '../../../src/tui/keymap/key-action.ts';
import { pickerFrame } from '../../../src/tui/panel/picker-frame.ts';
import type { PickerPosition, PickerStep } from '../../../src/tui/panel/picker-position.ts';
import { FRESH_PICKER, movePicker, pickerAtFirst } from '../../../src/tui/panel/picker-position.ts';
import type { Picker } from '../../../src/tui/panel/panel.ts';
import { safeLine } from '../../../src/tui/store/safe-text.ts';
import { rowCells } from '../../../src/tui/text/cut-row.ts';
import { createPainter } from '../../../src/tui/text/paint.ts';

const picker: Picker = {
  kind: 'picker',
  purpose: 'session',
  title: safeLine('Sessions'),
  entries: ['Add error handling', 'Rename parseConfig', 'Explain the parser'].map((label, index) => ({
    id: `s_${index}`,
    label: safeLine(label),
    aside: safeLine(`${index}h ago`),
    preview: [safeLine(`> ${label}, please`), safeLine(index === 2 ? 'It reads YAML' : '')],
  })),
};

const typed = (text: string): KeyAction => ({ kind: 'edit', edit: { kind: 'insert', text } });
const down: KeyAction = { kind: 'edit', edit: { kind: 'down' } };
const press = (...actions: KeyAction[]): PickerStep => {
  let step: PickerStep = { kind: 'moved', position: FRESH_PICKER };
  for (const action of actions) if (step.kind === 'moved') step = movePicker(step.position, action, picker.entries);
  return step;
};
const draw = (position: PickerPosition, columns = 60) =>
  pickerFrame(picker, position, { columns, rows: 24 }).rows.map((row) => createPainter('none', 0).row(row).trimEnd());

describe('a picker', () => {
  it.each<[string, KeyAction[], PickerStep]>([
    ['takes the first entry by Enter', [{ kind: 'submit' }], { kind: 'picked', id: 's_0' }],
    ['takes the one that was gone to', [down, { kind: 'submit' }], { kind: 'picked', id: 's_1' }],
    ['stops at the last entry', [down, down, down, { kind: 'submit' }], { kind: 'picked', id: 's_2' }],
    ['takes the closest to what is typed', [typed('pconf'), { kind: 'submit' }], { kind: 'picked', id: 's_1' }],
    ['searches what is shown below, too', [typed('yaml'), { kind: 'submit' }], { kind: 'picked', id: 's_2' }],
    ['is closed by Esc', [{ kind: 'escape' }], { kind: 'closed' }],
  ])('%s', (_, actions, step) => {
    expect(press(...actions)).toEqual(step);
  });

  it('takes nothing where nothing fits', () => {
    expect(press(typed('zzz'), { kind: 'submit' })).toMatchObject({ kind: 'moved' });
    expect(draw({ query: 'zzz', selected: 0 })).toContain('│   nothing fits');
  });

  it('forgets what was typed by the first Esc', () => {
    expect(press(typed('zzz'), { kind: 'escape' })).toEqual({ kind: 'moved', position: FRESH_PICKER });
  });

  it('shows entries with their ages, and a preview of the selected one', () => {
    expect(draw({ query: '', selected: 1 })).toEqual([
      '',
      '╭ Sessions  3 of 3',
      '│ search:',
      '│   Add error handling                                0h ago',
      '│ › Rename parseConfig                                1h ago',
      '│   Explain the parser                                2h ago',
      '│   ┊ > Rename parseConfig, please',
      '│   ┊',
      '╰ up and down choose · enter takes · esc closes',
    ]);
  });

  it('has a blank row above where there is room, and its cursor behind the search', () => {
    const frame = (rows: number) => pickerFrame(picker, { query: 'a', selected: 0 }, { columns: 60, rows });
    expect(frame(12)).toMatchObject({ rows: { 0: [] }, cursor: { row: 2, column: 11 } });
    expect(frame(11)).toMatchObject({ cursor: { row: 1, column: 11 } });
    for (let rows = 7; rows < 30; rows += 1) expect(frame(rows).rows.length).toBeLessThan(rows);
  });

  it('indents branches until something is searched for, and begins at the entry that is named', () => {
    const [root, fork, deep] = picker.entries;
    if (root === undefined || fork === undefined || deep === undefined) throw new Error('three entries');
    const tree = { ...picker, first: 's_1', entries: [root, { ...fork, depth: 1 }, { ...deep, depth: 2 }] };
    const at = pickerAtFirst(tree);
    const labels = (position: PickerPosition) =>
      pickerFrame(tree, position, { columns: 60, rows: 24 })
        .rows.slice(3, 6)
        .map((row) => createPainter('none', 0).row(row).slice(0, 26).trimEnd());
    expect(labels(at)).toEqual(['│   Add error handling', '│ › └ Rename parseConfig', '│     └ Explain the parser']);
    expect(labels({ query: 'parse', selected: 0 }).slice(0, 2).join()).not.toContain('└');
  });

  it.each([20, 40, 200])('has no row wider than %d columns', (columns) => {
    for (const row of pickerFrame(picker, FRESH_PICKER, { columns, rows: 12 }).rows)
      expect(rowCells(row)).toBeLessThanOrEqual(columns);
  });
});
