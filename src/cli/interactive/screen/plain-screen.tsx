import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { renderToString } from 'ink';
import { ItemView } from '../../../tui/components/item-view.tsx';
import { LookContext, PLAIN_LOOK } from '../../../tui/components/look.ts';
import type { KeyAction } from '../../../tui/keymap/key-action.ts';
import type { Item } from '../../../tui/store/item.ts';
import { promptPrefix } from '../../../tui/composer/layout-prompt.ts';
import type { Panel } from '../../../tui/panel/panel.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import { wordsKept } from '../../output/words-kept.ts';
import type { Screen } from './mount-screen.tsx';
import { PlainProgress } from './plain-progress.ts';
import { PICKER_PROMPT, PlainPicker } from './plain-picker.ts';

export interface PlainScreenParts {
  readonly store: ViewStore;
  readonly onKey: (action: KeyAction) => void;
  readonly nowMs: () => number;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly columns: number;
}

/**
 * A session for a terminal that understands no control sequences (`TERM=dumb`): lines are written one after the other and read as they are entered.
 * Nothing is redrawn, no single key is read, no colour is used.
 */
export function mountPlainScreen({ store, onKey, nowMs, stdin, stdout, columns }: PlainScreenParts): Screen {
  let printed = 0;
  let atPrompt = '';
  let hint: string | null = null;
  let tip: string | null = null;
  const progress = new PlainProgress();
  let panel: Panel | null = null;
  let picker: PlainPicker | null = null;
  const write = (text: string) => {
    // Output while a prompt waits begins on a new line.
    stdout.write(atPrompt === '' ? text : `\n${text}`);
    atPrompt = '';
  };
  const drawn = (item: Item) =>
    renderToString(
      <LookContext value={{ ...PLAIN_LOOK, columns, lends: false }}>
        <ItemView item={item} />
      </LookContext>,
      { columns },
    );
  const show = () => {
    const view = store.published();
    const items = view.items.slice(printed);
    printed = view.items.length;
    for (const item of items) write(`${drawn(item)}\n`);
    if (items.length > 0) store.dispatch({ kind: 'printed', before: printed, atMs: nowMs() });
    for (const line of progress.lines(view, nowMs())) write(`${wordsKept(line, columns).join('\n')}\n`);
    if (view.hint !== hint && view.hint !== null) write(`${wordsKept(view.hint, columns).join('\n')}\n`);
    hint = view.hint;
    if (view.tip !== tip && view.tip !== null) write(`${wordsKept(view.tip, columns).join('\n')}\n`);
    tip = view.tip;
    if (view.panel !== panel) open(view.panel);
    const waits = view.run.kind === 'idle' || view.card !== null;
    const prompt = picker === null ? promptPrefix(view.mode, view.state) : PICKER_PROMPT;
    if (!waits || atPrompt === prompt) return;
    write(prompt);
    atPrompt = prompt;
  };
  const list = () => write(`${(picker?.lines() ?? []).flatMap((line) => wordsKept(line, columns)).join('\n')}\n`);
  const open = (opened: Panel | null) => {
    panel = opened;
    picker = opened?.kind === 'picker' ? new PlainPicker(opened) : null;
    if (picker !== null) list();
  };
  const choose = (chosen: ReturnType<PlainPicker['entered']>) => {
    if (chosen === null) list();
    else onKey(chosen.kind === 'closed' ? { kind: 'close-panel' } : chosen);
  };
  const stop = store.subscribe(show);
  const lines = createInterface({ input: stdin, terminal: false });
  lines.on('line', (line) => {
    atPrompt = '';
    if (picker !== null) choose(picker.entered(line));
    else {
      onKey({ kind: 'edit', edit: { kind: 'replace', text: line } });
      onKey({ kind: 'submit' });
    }
    show();
  });
  lines.on('close', () => {
    onKey({ kind: 'edit', edit: { kind: 'clear' } });
    onKey({ kind: 'end-of-input' });
  });
  show();
  return {
    lend: null,
    close: (lastLines) => {
      show();
      stop();
      lines.removeAllListeners('close');
      lines.close();
      write(lastLines);
      return Promise.resolve();
    },
  };
}
