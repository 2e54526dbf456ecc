import { expect, it } from 'vitest';
import { newsOf, notification, watchForNotices } from '../../../../src/cli/interactive/screen/terminal-notices.ts';
import { safeLine } from '../../../../src/tui/store/safe-text.ts';
import { ViewStore } from '../../../../src/tui/store/view-store.ts';
import { freshView, REVIEW, stream, viewAfter } from '../../../tui/event-stream.ts';

const RUNNING = { ...freshView(), run: { kind: 'running', sinceMs: 0, waitedMs: 0, interrupting: false } as const };

it.each([
  ['a review that begins to wait', RUNNING, viewAfter([REVIEW]), 1, 'a review waits for you'],
  [
    'a long run that ends',
    RUNNING,
    { ...freshView(), run: { kind: 'idle', last: 'committed' } as const },
    20_000,
    'the run has ended (committed)',
  ],
  ['a short one', RUNNING, freshView(), 2_000, null],
  ['a question that begins to wait', RUNNING, { ...RUNNING, asks: true }, 1, 'a question waits for you'],
  ['the end of a run that asks', { ...RUNNING, asks: true }, { ...freshView(), asks: true }, 1, null],
  ['nothing', RUNNING, RUNNING, 20_000, null],
])('%s', (_, before, now, nowMs, news) => {
  expect(newsOf(before, now, nowMs)).toBe(news);
});

it.each([
  [{ TERM: 'xterm-256color' }, '\u001b]9;done\u0007'],
  [{ TERM: 'xterm-kitty' }, '\u001b]99;;done\u001b\\'],
  [{ TERM: 'xterm-256color', KITTY_WINDOW_ID: '1' }, '\u001b]99;;done\u001b\\'],
  [{ TERM: 'foot' }, '\u001b]777;notify;fluffy;done\u0007'],
  [{ TERM: 'xterm-256color', VTE_VERSION: '7600' }, '\u001b]777;notify;fluffy;done\u0007'],
])('a terminal of %j is notified in its own form', (env, bytes) => {
  expect(notification(safeLine('done'), env)).toBe(bytes);
});

it('the title says what goes on in plain letters, and is given back', () => {
  const written: string[] = [];
  const timer = { nowMs: () => 0, after: (_: number, callback: () => void) => callback() };
  const store = new ViewStore({ ...freshView(), project: safeLine('/home/a\u0007b\u001b]0;x') }, timer);
  const end = watchForNotices({
    store,
    nowMs: () => 0,
    write: (bytes) => written.push(bytes),
    env: {},
    setting: 'away',
    place: () => 'unknown',
  });
  for (const event of stream([REVIEW])) store.dispatch({ kind: 'event', event, atMs: 0 });
  end();
  expect(written[0]).toBe('\u001b[22;0t');
  expect(written.at(-1)).toBe('\u001b[23;0t');
  expect(written.join('')).toContain('\u0007\u001b]9;fluffy: a review waits for you\u0007');
  for (const bytes of written) expect(bytes.match(/\u001b\]/g)?.length ?? 0).toBeLessThanOrEqual(1);
  expect(written[1]).toContain('a\\x07b\\x1b]0;x');
});

it.each([
  ['away', 'in-front', 0],
  ['away', 'away', 1],
  ['away', 'unknown', 1],
  ['always', 'in-front', 1],
  ['off', 'away', 0],
] as const)('with `notices: %s` a terminal whose place is %s gets %i', (setting, place, count) => {
  const written: string[] = [];
  const timer = { nowMs: () => 0, after: (_: number, callback: () => void) => callback() };
  const store = new ViewStore(freshView(), timer);
  const parts = { store, nowMs: () => 0, write: (bytes: string) => written.push(bytes), env: {} };
  const end = watchForNotices({ ...parts, setting, place: () => place });
  for (const event of stream([REVIEW])) store.dispatch({ kind: 'event', event, atMs: 0 });
  end();
  expect(written.filter((bytes) => bytes.startsWith('\u0007'))).toHaveLength(count);
  expect(written.join('')).toContain('\u001b]0;fluffy: review waits');
});
