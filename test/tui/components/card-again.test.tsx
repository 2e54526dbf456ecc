import { describe, expect, it } from 'vitest';
import { App } from '../../../src/tui/components/app.tsx';
import { PLAIN_LOOK } from '../../../src/tui/components/look.ts';
import { ViewStore } from '../../../src/tui/store/view-store.ts';
import { drawInTerminal } from '../fake-terminal.ts';
import { REVIEW, viewAfter } from '../event-stream.ts';

async function waiting() {
  const time = { nowMs: 1000 };
  const store = new ViewStore(viewAfter([REVIEW]), { nowMs: () => time.nowMs, after: (_, callback) => callback() });
  const terminal = drawInTerminal(
    <App
      store={store}
      onKey={() => undefined}
      onSuspend={() => undefined}
      onLend={() => undefined}
      canSuspend={() => false}
      nowMs={() => time.nowMs}
      look={() => PLAIN_LOOK}
    />,
  );
  await terminal.settled();
  const cards = () => terminal.written().split('╭ Review').length - 1;
  return { store, terminal, time, cards };
}

describe('a card that waits', () => {
  it('is drawn again in a narrower terminal, and counts as drawn from then on', async () => {
    const { store, terminal, time, cards } = await waiting();
    expect([cards(), store.current.card?.drawnAtMs]).toEqual([1, 1000]);
    time.nowMs = 5000;
    terminal.resize(60, 24);
    await expect.poll(cards).toBe(2);
    await expect.poll(() => store.current.card?.drawnAtMs).toBe(5000);
    terminal.close();
  });

  it('is not drawn again in a wider one', async () => {
    const { store, terminal, cards } = await waiting();
    terminal.resize(120, 24);
    terminal.resize(100, 24);
    await terminal.settled();
    terminal.resize(90, 24);
    await terminal.settled();
    expect([cards(), store.current.card?.drawnAtMs]).toEqual([1, 1000]);
    terminal.close();
  });
});
