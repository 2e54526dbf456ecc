import { describe, expect, it } from 'vitest';
import { DEFAULT_BINDINGS, bindingsOf } from '../../../src/tui/keymap/bindings.ts';
import { liveRegion } from '../../../src/tui/store/live-rows.ts';
import { reduce } from '../../../src/tui/store/reduce/reduce.ts';
import { keyHelpRows } from '../../../src/tui/menu/key-help.ts';
import { createPainter } from '../../../src/tui/text/paint.ts';
import { freshView } from '../event-stream.ts';

const painter = createPainter('none', 0);
const drawn = (columns: number, bindings = DEFAULT_BINDINGS): string[] =>
  keyHelpRows({ bindings, columns }).map((row) => painter.row(row).trimEnd());

describe('the keys that are used most', () => {
  it('are shown in as many columns as there is room for', () => {
    expect(drawn(80).slice(0, 2)).toEqual([
      '  /          commands         esc esc    earlier message',
      '  @          attach a file    ctrl-o     calls in full',
    ]);
    expect(drawn(140).length).toBeLessThan(drawn(80).length);
    for (const columns of [40, 60, 80, 140]) for (const row of drawn(columns)) expect(row.length).toBeLessThan(columns);
  });

  it('are those that the person has chosen', () => {
    const rows = drawn(80, bindingsOf({ open: ['alt-o'], editor: [] })).join('\n');
    expect(rows).toContain('alt-o');
    expect(rows).not.toContain('your editor');
  });

  it('are there for a ? alone, and gone when more is typed', () => {
    const shows = (text: string) => {
      const view = reduce(freshView(), { kind: 'edit', edit: { kind: 'insert', text }, atMs: 1 });
      return JSON.stringify(liveRegion(view, { columns: 80, rows: 24 }, 0).rows).includes('attach a file');
    };
    expect(['?', '??', 'what?', ''].map(shows)).toEqual([true, false, false, false]);
  });
});
