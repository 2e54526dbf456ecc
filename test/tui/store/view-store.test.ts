import { describe, expect, it } from 'vitest';
import { FRAME_MS } from '../../../src/tui/store/may-decide.ts';
import { ViewStore } from '../../../src/tui/store/view-store.ts';
import { freshView, stream } from '../event-stream.ts';

function makeStore() {
  const timers: { atMs: number; callback: () => void }[] = [];
  const time = { nowMs: 0 };
  const store = new ViewStore(freshView(), {
    nowMs: () => time.nowMs,
    after: (ms, callback) => timers.push({ atMs: time.nowMs + ms, callback }),
  });
  const advance = (ms: number) => {
    const until = time.nowMs + ms;
    for (;;) {
      const due = timers.filter(({ atMs }) => atMs <= until).sort((a, b) => a.atMs - b.atMs)[0];
      if (due === undefined) break;
      timers.splice(timers.indexOf(due), 1);
      time.nowMs = due.atMs;
      due.callback();
    }
    time.nowMs = until;
  };
  let drawn = 0;
  store.subscribe(() => {
    drawn += 1;
  });
  return { store, advance, frames: () => drawn };
}

describe('the store of the screen', () => {
  it('draws at once after a quiet moment', () => {
    const { store, frames } = makeStore();
    store.dispatch({ kind: 'edit', edit: { kind: 'insert', text: 'a' }, atMs: 0 });
    expect(frames()).toBe(1);
    expect(store.published().composer.text).toBe('a');
  });

  it('draws nothing while it is held, whatever came due, and all of it afterwards', () => {
    const { store, advance, frames } = makeStore();
    const type = (text: string) => store.dispatch({ kind: 'edit', edit: { kind: 'insert', text }, atMs: 0 });
    type('a');
    type('b');
    const release = store.hold();
    advance(2 * FRAME_MS);
    type('c');
    advance(2 * FRAME_MS);
    expect([frames(), store.published().composer.text]).toEqual([1, 'a']);
    release();
    expect([frames(), store.published().composer.text]).toEqual([2, 'abc']);
  });

  it('draws a flood at most 31 times a second, and the end of it', () => {
    const { store, advance, frames } = makeStore();
    for (let index = 0; index < 1000; index += 1) {
      const [event] = stream([{ type: 'text.delta', text: `${index}\n\n` }], index + 1);
      if (event !== undefined) store.dispatch({ kind: 'event', event, atMs: index });
      advance(1);
    }
    expect(frames()).toBeLessThanOrEqual(Math.ceil(1000 / FRAME_MS) + 1);
    advance(FRAME_MS);
    expect(store.published()).toBe(store.current);
    expect(store.published().items).toHaveLength(1000);
  });

  it('does not draw when nothing changed', () => {
    const { store, advance, frames } = makeStore();
    store.dispatch({ kind: 'interrupting' });
    advance(1000);
    expect(frames()).toBe(0);
  });
});
