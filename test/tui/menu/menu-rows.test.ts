import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../../src/contracts/session/events.ts';
import { bindingsOf } from '../../../src/tui/keymap/bindings.ts';
import { SLASH_COMMANDS } from '../../../src/tui/commands/registry.ts';
import { liveFrame } from '../../../src/tui/live/live-frame.ts';
import { reduce } from '../../../src/tui/store/reduce/reduce.ts';
import { createPainter } from '../../../src/tui/text/paint.ts';
import { REVIEW, STRICT_RUN, viewAfter } from '../event-stream.ts';

const painter = createPainter('none', 0);

function drawn(columns: number, typed: string, bodies: readonly EventBody[] = []): string[] {
  const view = reduce(viewAfter(bodies), { kind: 'edit', edit: { kind: 'insert', text: typed }, atMs: 1 });
  const { rows } = liveFrame(view, { columns, rows: 24 }, { tick: 0, nowMs: 1 });
  return rows.map((row) => painter.row(row).trimEnd());
}

describe('the menu at the prompt', () => {
  it('says in a narrow terminal in full what the selected command does', () => {
    expect(drawn(44, '/rej')).toContain('› /reject');
    expect(drawn(44, '/rej').join(' ').replace(/\s+/g, ' ')).toContain(
      'send the change back with a reason; FILE... before it',
    );
  });

  it('shows arguments and words in one row where there is room', () => {
    expect(drawn(140, '/effo')).toContain('› /effort [level]  how much the model thinks: low, medium, high, default');
  });

  it('names the keys that fit, the one that takes an entry first', () => {
    expect(drawn(44, '/')).toContain(`  ${SLASH_COMMANDS.length - 8} more · tab takes the first`);
    expect(drawn(80, '/res')).toContain('  up and down choose · enter takes · esc closes');
  });
});

it('the key that opens a waiting review is the one that was chosen', () => {
  const view = { ...viewAfter([...STRICT_RUN, REVIEW]), bindings: bindingsOf({ open: ['alt-o'] }) };
  const { rows } = liveFrame(view, { columns: 80, rows: 24 }, { tick: 0, nowMs: 1 });
  expect(rows.map((row) => painter.row(row)).join(' ')).toContain('alt-o: file by file');
});

it.each([44, 60, 80])('what a review waits for and what leads to the next step are whole at %d columns', (columns) => {
  const rows = drawn(columns, '', [...STRICT_RUN, REVIEW])
    .join(' ')
    .replace(/\s+/g, ' ');
  expect(rows).toContain('A review waits: /approve /edit FILE /reject "why" ctrl-o: file by file');
  expect(drawn(columns, '', STRICT_RUN).join(' ').replace(/\s+/g, ' ')).toContain(
    'source is open, tests are frozen; next: the whole suite',
  );
});
