import { describe, expect, it } from 'vitest';
import { SessionSwitch } from '../../../../src/cli/interactive/session/session-switch.ts';
import type { SwitchParts } from '../../../../src/cli/interactive/session/session-switch.ts';

interface View {
  readonly sessionId?: string | null;
  readonly said?: readonly string[];
  readonly running?: boolean;
  readonly others?: readonly string[];
}

/** A terminal that shows this, with what it was asked to show, to hint at, and to request of the kernel. */
function scene({ sessionId = 's_1', said = ['first', 'second\nline'], running = false, others = ['s_2'] }: View) {
  const dispatched: { readonly kind: string; readonly [field: string]: unknown }[] = [];
  const hints: string[] = [];
  const resumed: unknown[][] = [];
  const current = { sessionId, said, run: { kind: running ? 'running' : 'idle' } };
  const switching = new SessionSwitch({
    store: { current, dispatch: (action: (typeof dispatched)[number]) => void dispatched.push(action) },
    nowMs: () => 7,
    calendarMs: () => 50_000,
    options: {},
    kernel: () => ({
      start: () => Promise.resolve('s_new'),
      resume: (...call: unknown[]) => {
        resumed.push(call.slice(0, 2));
        return Promise.resolve(call[0]);
      },
    }),
    listSessions: () => Promise.resolve({ entries: others.map((id) => ({ id })) }),
    hint: (text: string) => void hints.push(text),
    failed: () => undefined,
  } as unknown as SwitchParts);
  return { switching, dispatched, hints, resumed };
}

const BUSY = 'A run is under way: interrupt it first.';

describe('while a run is under way', () => {
  it.each<readonly [string, (switching: SessionSwitch) => Promise<void> | void]>([
    ['another session is not chosen', (switching) => switching.pick()],
    ['no new session begins', (switching) => switching.startNewSession()],
    ['no copy is made', (switching) => switching.fork()],
    ['no message is chosen to go back to', (switching) => switching.pickMessage()],
  ])('%s', async (_what, change) => {
    const { switching, dispatched, hints, resumed } = scene({ running: true });
    await change(switching);
    expect([hints, dispatched, resumed]).toEqual([[BUSY], [], []]);
  });
});

describe('where there is nothing to choose', () => {
  it.each<readonly [string, View, (switching: SessionSwitch) => Promise<void> | void, readonly string[]]>([
    ['no list of sessions', { others: [] }, (one) => one.pick(), ['This project has no other session.']],
    ['no list of messages', { said: [] }, (one) => one.pickMessage(), ['There is no message to go back to.']],
    [
      'no message before a session',
      { sessionId: null },
      (one) => one.pickMessage(),
      ['There is no message to go back to.'],
    ],
    ['no copy before a session', { sessionId: null }, (one) => one.fork(), []],
    ['no message of that number', {}, (one) => one.picked('message', '3'), []],
  ])('there is %s', async (_what, view, change, expected) => {
    const { switching, dispatched, hints, resumed } = scene(view);
    await change(switching);
    expect([hints, dispatched, resumed]).toEqual([expected, [], []]);
  });
});

describe('a session', () => {
  it('that was left is not shown any more, until it is taken up again', async () => {
    const { switching, dispatched } = scene({});
    switching.startNewSession();
    expect(dispatched[0]).toEqual({ kind: 'session-left' });
    expect([switching.shows('s_1'), switching.shows('s_2'), switching.shows(null)]).toEqual([false, true, true]);
    await switching.enter('s_1', false);
    expect(switching.shows('s_1')).toBe(true);
  });

  it('goes on in a copy before a message, whose text is in the input line', async () => {
    const { switching, dispatched, resumed } = scene({});
    await switching.picked('message', '2');
    expect(resumed).toEqual([['s_1', { withoutLast: 2 }]]);
    expect(dispatched.at(-1)).toEqual({ kind: 'edit', edit: { kind: 'replace', text: 'first' }, atMs: 7 });
  });

  it('is chosen from the others', async () => {
    const { switching, dispatched, resumed } = scene({});
    await switching.pick();
    expect(dispatched).toMatchObject([{ kind: 'panel', panel: { purpose: 'session', entries: [{ id: 's_2' }] } }]);
    await switching.picked('session', 's_2');
    expect(resumed).toEqual([['s_2', false]]);
  });

  it('shows the messages to go back to, the newest first', () => {
    const { switching, dispatched } = scene({});
    switching.pickMessage();
    expect(dispatched).toMatchObject([
      {
        panel: {
          purpose: 'message',
          entries: [
            { id: '1', label: 'second', aside: 'the last one', preview: ['second', 'line'] },
            { id: '2', label: 'first', aside: '2 back', preview: [] },
          ],
        },
      },
    ]);
  });
});
