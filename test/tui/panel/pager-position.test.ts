import { describe, expect, it } from 'vitest';
import type { KeyAction } from '../../../src/tui/keymap/key-action.ts';
import type { PagerPosition } from '../../../src/tui/panel/pager-position.ts';
import { movePager, pagerAt } from '../../../src/tui/panel/pager-position.ts';

/** Three pages of 30, 5 and 100 rows, of which ten are on the screen. */
const LENGTHS = [30, 5, 100];
const content = {
  pageCount: 3,
  lengthOf: (page: number) => LENGTHS[page] ?? 0,
  textOf: (page: number, row: number) => `page ${page} row ${row}${page === 2 && row % 40 === 3 ? ' Needle' : ''}`,
  height: 10,
};

const key = (kind: 'up' | 'down' | 'left' | 'right' | 'line-start' | 'line-end' | 'erase-back'): KeyAction => ({
  kind: 'edit',
  edit: { kind },
});
const letters = (text: string): KeyAction[] =>
  [...text].map((letter) => ({ kind: 'edit', edit: { kind: 'insert', text: letter } }));
const press = (actions: readonly KeyAction[], from: PagerPosition = pagerAt(0)) =>
  actions.reduce<PagerPosition | null>((at, action) => (at === null ? null : movePager(at, action, content)), from);

describe('a pager', () => {
  it.each<[string, KeyAction[], Partial<PagerPosition>]>([
    ['Down', [key('down'), key('down')], { top: 2 }],
    ['Up at the beginning', [key('up')], { top: 0 }],
    ['Page Down', [{ kind: 'page', step: 1 }], { top: 9 }],
    ['the end', [key('line-end'), key('down')], { top: 20 }],
    ['G and g', letters('Gg'), { top: 0 }],
    ['Right', [key('down'), key('right')], { page: 1, top: 0 }],
    ['Right on the last page', [key('right'), key('right'), key('right')], { page: 2 }],
    ['Left on the first page', [key('left')], { page: 0 }],
    ['a page lower than the screen', [key('right'), key('line-end')], { page: 1, top: 0 }],
  ])('goes by %s', (_, actions, place) => {
    expect(press(actions)).toMatchObject(place);
  });

  it.each<[string, KeyAction[]]>([
    ['Esc', [{ kind: 'escape' }]],
    ['q', letters('q')],
    ['Ctrl-O', [{ kind: 'open' }]],
    ['Ctrl-C', [{ kind: 'interrupt' }]],
    ['Ctrl-C while something is typed', [...letters('/q'), { kind: 'interrupt' }]],
  ])('is closed by %s', (_, actions) => {
    expect(press(actions)).toBeNull();
  });

  const search: KeyAction[] = [...letters('/neeqle'), key('erase-back')];
  const typed: KeyAction[] = [...letters('/needle'), { kind: 'submit' }];

  it('takes letters for the search while it is typed', () => {
    expect(press(search)).toMatchObject({ typing: true, query: 'neeql' });
  });

  it('reads letters that come in one piece as keys of their own', () => {
    const piece = (text: string): KeyAction => ({ kind: 'edit', edit: { kind: 'insert', text } });
    expect(press([piece('/needle'), { kind: 'submit' }, piece('nn')])).toEqual(press([...typed, ...letters('nn')]));
    expect(press([piece('jjq')])).toBeNull();
  });

  it('finds text on other pages, whatever its case, and goes round', () => {
    expect(press(typed)).toMatchObject({ page: 2, found: 3, top: 0 });
    expect(press([...typed, ...letters('n')])).toMatchObject({ page: 2, found: 43, top: 40 });
    expect(press([...typed, ...letters('nnn')])).toMatchObject({ page: 2, found: 3 });
    expect(press([...typed, ...letters('N')])).toMatchObject({ page: 2, found: 83 });
  });

  it('stays where it is when there is nothing to find', () => {
    expect(press([...letters('/nothing'), { kind: 'submit' }])).toMatchObject({ page: 0, top: 0, found: null });
  });

  it('ends the search by the first Esc', () => {
    expect(press([...typed, { kind: 'escape' }])).toMatchObject({ page: 2, query: '' });
  });
});
