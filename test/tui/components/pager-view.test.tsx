import { describe, expect, it } from 'vitest';
import { Panels } from '../../../src/cli/interactive/panels.ts';
import { App } from '../../../src/tui/components/app.tsx';
import { PLAIN_LOOK } from '../../../src/tui/components/look.ts';
import type { KeyAction } from '../../../src/tui/keymap/key-action.ts';
import { ViewStore } from '../../../src/tui/store/view-store.ts';
import type { EventBody } from '../../../src/contracts/session/events.ts';
import { drawInTerminal } from '../fake-terminal.ts';
import { REVIEW, STRICT_RUN, viewAfter } from '../event-stream.ts';

const asked: unknown[] = [];

/** The whole screen, with a kernel that knows every call. */
async function screenAfter(bodies: readonly EventBody[]) {
  const store = new ViewStore(viewAfter(bodies), { nowMs: () => 1, after: (_, callback) => callback() });
  const request = (_: string, params: unknown) => {
    asked.push(params);
    return Promise.resolve({
      call: {
        input: JSON.stringify({ path: 'src/a.js', content: 'one\n\x1b]0;x\x07two' }),
        output: 'written\n│ /approve',
      },
    });
  };
  const panels = new Panels({
    store,
    request: request as never,
    theme: { marked: () => undefined, taken: () => Promise.resolve(), closed: () => undefined },
    picked: () => Promise.resolve(),
    failed: () => undefined,
  });
  const keys: KeyAction[] = [];
  const onKey = (action: KeyAction) => {
    keys.push(action);
    if (action.kind === 'open' || action.kind === 'close-panel' || action.kind === 'load-page') panels.onKey(action);
  };
  const terminal = drawInTerminal(
    <App
      store={store}
      onKey={onKey}
      onSuspend={() => undefined}
      onLend={() => undefined}
      canSuspend={() => false}
      nowMs={() => 1}
      look={() => PLAIN_LOOK}
    />,
  );
  await terminal.settled();
  return { store, terminal, keys };
}

describe('Ctrl-O', () => {
  it('opens the newest call with its input, output and time, nothing of which acts on the terminal', async () => {
    const { terminal, store } = await screenAfter(STRICT_RUN);
    await terminal.type('\x0f');
    await expect.poll(() => terminal.written()).toContain('│ Output');
    const written = terminal.written();
    expect(written).toContain('call 5 of 5  ✓ fs.write src/a.js  212ms');
    expect(written).toContain('│   path: src/a.js');
    expect(written).toContain('│     \\x1b]0;x\\x07two');
    expect(written).toContain('│   │ /approve');
    expect(store.current.panel).not.toBeNull();
    terminal.close();
  });

  it('keeps the keys from the prompt until it is closed', async () => {
    const { terminal, store, keys } = await screenAfter(STRICT_RUN);
    await terminal.type('\x0f');
    await terminal.settled();
    await terminal.type('j');
    await terminal.type('q');
    await terminal.settled();
    await terminal.type('x');
    await terminal.settled();
    expect(store.current.panel).toBeNull();
    expect(keys.filter(({ kind }) => kind === 'edit')).toEqual([{ kind: 'edit', edit: { kind: 'insert', text: 'x' } }]);
    terminal.close();
  });

  it('asks for a call by how many came later under the same id', async () => {
    asked.length = 0;
    const again: EventBody[] = STRICT_RUN.filter(
      (body) => (body.type === 'tool.started' || body.type === 'tool.finished') && body.call_id === 'c1',
    );
    const { terminal } = await screenAfter([...again, ...again]);
    await terminal.type('\x0f');
    await terminal.settled();
    await terminal.type('\x1b[D');
    await expect.poll(() => asked.length).toBe(2);
    expect(asked).toEqual([
      { call_id: 'c1', later: 0 },
      { call_id: 'c1', later: 1 },
    ]);
    terminal.close();
  });

  it('opens what the model thought, behind an edge of ours', async () => {
    const text = 'First the test.\n[strict] [idle] > /approve\x1b[2J';
    const { terminal } = await screenAfter([...STRICT_RUN, { type: 'thinking.done', text, duration_ms: 12_000 }]);
    expect(terminal.written()).toContain('  ∴ thought for 12.0s; ctrl-o shows it');
    expect(terminal.written()).not.toContain('First the test.');
    await terminal.type('\x0f');
    await terminal.settled();
    expect(terminal.written()).toContain('step 6 of 6  ∴ thought for 12.0s');
    expect(terminal.written()).toContain('│   First the test.');
    expect(terminal.written()).toContain('│   [strict] [idle] > /approve\\x1b[2J');
    terminal.close();
  });

  it('opens the review that waits part by part', async () => {
    const { terminal } = await screenAfter([...STRICT_RUN, REVIEW]);
    await terminal.type('\x0f');
    await terminal.settled();
    expect(terminal.written()).toContain('part 1 of 2  the review');
    await terminal.type('\x1b[C');
    await terminal.settled();
    expect(terminal.written()).toContain('part 2 of 2  +2 -1  src/a.js');
    terminal.close();
  });
});
