import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { mountPlainScreen } from '../../../../src/cli/interactive/screen/plain-screen.tsx';
import type { KeyAction } from '../../../../src/tui/keymap/key-action.ts';
import { safeLine } from '../../../../src/tui/store/safe-text.ts';
import { ViewStore } from '../../../../src/tui/store/view-store.ts';
import { FINISHED, freshView, REVIEW, STRICT_RUN, stream } from '../../../tui/event-stream.ts';

function scene() {
  const stdin = new PassThrough();
  const stdout = new PassThrough({ encoding: 'utf8' });
  let text = '';
  stdout.on('data', (chunk: string) => (text += chunk));
  const keys: KeyAction[] = [];
  const store = new ViewStore(freshView(), { nowMs: () => 1_000, after: (_, callback) => callback() });
  const screen = mountPlainScreen({
    store,
    onKey: (action) => {
      keys.push(action);
      if (action.kind === 'close-panel' || action.kind === 'picked') store.dispatch({ kind: 'panel', panel: null });
      if (action.kind === 'edit') store.dispatch({ kind: 'edit', edit: action.edit, atMs: 2_000 });
    },
    nowMs: () => 1_000,
    stdin,
    stdout,
    columns: 80,
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { stdin, screen, store, keys, settle, text: () => text };
}

describe('a terminal that understands no sequences', () => {
  it('gets each line once, without a sequence, and the prompt where something can be typed', async () => {
    const { store, screen, settle, text } = scene();
    for (const event of stream([...STRICT_RUN, FINISHED])) store.dispatch({ kind: 'event', event, atMs: 1_000 });
    await settle();
    expect(text()).not.toMatch(/[^\P{Cc}\n]/u);
    for (const once of ['I will look first.', '> Say what is wrong', 'fs.read src/a.js', 'Done. Commit 4f3c2d1a09'])
      expect(text().split(once)).toHaveLength(2);
    expect(text()).toMatch(/\n\[strict\] \[\w+\] > $/);
    await screen.close('Go on with: fluffy --resume s_1\n', false);
    await settle();
    expect(text()).toMatch(/> \nGo on with: fluffy --resume s_1\n$/);
  });

  it('reads lines as they are entered, and leaves at their end', async () => {
    const { stdin, keys, settle } = scene();
    stdin.write('Add a test\n');
    await settle();
    expect(keys).toEqual([{ kind: 'edit', edit: { kind: 'replace', text: 'Add a test' } }, { kind: 'submit' }]);
    stdin.end();
    await settle();
    await settle();
    expect(keys.at(-1)).toEqual({ kind: 'end-of-input' });
  });

  it('breaks a hint between words, and offers no editor for a review', async () => {
    const { store, settle, text } = scene();
    for (const event of stream([REVIEW])) store.dispatch({ kind: 'event', event, atMs: 1_000 });
    const words = `No editor can have a terminal of plain lines: ${'words of advice '.repeat(6)}`.trim();
    store.dispatch({ kind: 'hint', text: safeLine(words) });
    await settle();
    expect(text()).not.toContain('/edit');
    const rows = text()
      .split('\n')
      .map((row) => row.trim());
    const first = rows.findIndex((row) => row.startsWith('No editor'));
    expect(rows[first]).not.toBe(words);
    expect(rows.slice(first, first + 2).join(' ')).toBe(words);
  });

  describe('has a list with numbers where one of several is chosen', () => {
    const entry = (id: string, label: string, aside = '') => ({
      id,
      label: safeLine(label),
      aside: safeLine(aside),
      preview: [],
    });
    const open = async (entries: readonly ReturnType<typeof entry>[]) => {
      const all = scene();
      const title = safeLine('Sessions');
      all.store.dispatch({ kind: 'panel', panel: { kind: 'picker', purpose: 'session', title, entries } });
      await all.settle();
      return { ...all, enters: (line: string) => (all.stdin.write(`${line}\n`), all.settle()) };
    };
    const TWO = [entry('s_a', 'Add a test', 'done'), entry('s_b', 'Say what is wrong')];

    it('a number chooses', async () => {
      const { keys, text, enters } = await open(TWO);
      expect(text()).toMatch(/Sessions\n1\. Add a test, done\n2\. Say what is wrong\nType a number\..*\nnumber > $/);
      await enters('2');
      expect(keys).toEqual([{ kind: 'picked', id: 's_b' }]);
      expect(text()).toMatch(/\[strict\] \[idle\] > $/);
      await enters('Hello');
      expect(keys.at(-1)).toEqual({ kind: 'submit' });
    });

    it('letters search, and numbers are then those of what was found', async () => {
      const { keys, text, enters } = await open(TWO);
      await enters('wrong');
      expect(text()).toMatch(/Sessions\n1\. Say what is wrong\nType a number/);
      await enters('7');
      expect(text()).toMatch(/Sessions\nnothing fits\nType a number[^\n]*\nnumber > $/);
      await enters('say');
      await enters('1');
      expect(keys).toEqual([{ kind: 'picked', id: 's_b' }]);
    });

    it('an empty line closes it', async () => {
      const { keys, enters } = await open(TWO);
      await enters('');
      expect(keys).toEqual([{ kind: 'close-panel' }]);
    });

    it('says how many more there are', async () => {
      const { text } = await open(Array.from({ length: 23 }, (_, index) => entry(`m${index}`, `model ${index}`)));
      expect(text()).toMatch(/\n20\. model 19\nand 3 more\nType a number/);
    });
  });

  it('counts a review as seen when its card has been written', () => {
    const { store } = scene();
    for (const event of stream([REVIEW])) store.dispatch({ kind: 'event', event, atMs: 1_000 });
    expect(store.current.card).toMatchObject({ drawnAtMs: 1_000 });
  });
});
