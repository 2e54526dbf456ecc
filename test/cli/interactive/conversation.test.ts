import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../../src/contracts/session/events.ts';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import type { RequestMethod, RequestResult, SessionOptions } from '../../../src/contracts/session/session-protocol.ts';
import { Conversation } from '../../../src/cli/interactive/conversation.ts';
import type { ClipboardImage } from '../../../src/cli/images/clipboard-image.ts';
import type { Edited } from '../../../src/cli/interactive/prompt/edit-elsewhere.ts';
import { usage } from '../../../src/cli/usage-error.ts';
import type { SessionKernel } from '../../../src/cli/interactive/session/session-kernel.ts';
import { liveFrame } from '../../../src/tui/live/live-frame.ts';
import type { CommandFile } from '../../../src/tui/commands/own-command.ts';
import { openMenu } from '../../../src/tui/menu/open-menu.ts';
import { bindingsOf } from '../../../src/tui/keymap/bindings.ts';
import { safeLine } from '../../../src/tui/store/safe-text.ts';
import type { ViewState } from '../../../src/tui/store/view-state.ts';
import { ViewStore } from '../../../src/tui/store/view-store.ts';
import {
  FINISHED,
  freshView,
  REVIEW,
  SESSION,
  START_MS,
  stream,
  STRICT_RUN,
  WRITE_DIFF,
} from '../../tui/event-stream.ts';

const OPTIONS: SessionOptions = {
  mode: 'strict',
  model: 'replay/x',
  approve: 'ask',
  limits: {},
  cwd: '',
  test_command: null,
  author: { name: 'Ada', email: 'ada@example.invalid' },
  interactive: true,
};

const ANSWERS: Partial<Record<RequestMethod, unknown>> = {
  'session.set_mode': { ok: false, reason: 'Mode explore needs your approval.' },
  'session.describe': { text: 'mode strict  state idle' },
};

interface Asked {
  readonly text?: string;
  readonly script?: string;
  readonly mode?: string;
  readonly what?: string;
  readonly signal?: string;
  readonly choice?: { readonly model: string; readonly effort?: string };
}

const FAILED = { kind: 'unusable', why: 'The editor ended with exit 1', kept: [] } as const;

type Talk = ReturnType<typeof begin>;

/** Until nothing is done any more that was asked for. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}

/** A conversation with a kernel that writes down what it is asked. `failing` requests are refused. */
function begin(failing: readonly RequestMethod[] = [], shown: Partial<ViewState> = {}) {
  const asked: string[] = [];
  const started: SessionOptions[] = [];
  const answers = { ...ANSWERS };
  const decided: string[] = [];
  const left: string[] = [];
  const kept: string[] = [];
  const edited: string[] = [];
  const keptEdits: string[] = [];
  const themes: string[] = [];
  const sent: string[] = [];
  const keptKeys: string[] = [];
  const ownFiles: CommandFile[] = [];
  const accepted: string[] = [];
  const messages: unknown[] = [];
  const time = { nowMs: 10_000 };
  const store = new ViewStore(
    { ...freshView(), kernel: { kind: 'starting', step: freshView().project }, ...shown },
    { nowMs: () => time.nowMs, after: (_, callback) => callback() },
  );
  const refused = () => new FluffyError({ code: 'x', what: 'It was refused', why: 'busy', fix: 'wait', exitCode: 1 });
  const kernel = {
    start: (options: SessionOptions) => {
      started.push(options);
      asked.push('start');
      return Promise.resolve(SESSION);
    },
    resume: (id: string, fork: boolean | { withoutLast: number }) => {
      asked.push(`resume ${id} ${JSON.stringify(fork)}`);
      for (const event of stream(past)) conversation.onEvent(event);
      return Promise.resolve(SESSION);
    },
    request: (method: RequestMethod, params: Asked) => {
      const { text, script, mode, what, signal, choice } = params;
      if (method === 'session.message') messages.push(params);
      asked.push(
        [method, text, script, mode, what, signal, choice?.model, choice?.effort]
          .filter((part) => part !== undefined)
          .join(' '),
      );
      return failing.includes(method) ? Promise.reject(refused()) : Promise.resolve(answers[method] ?? {});
    },
  } as unknown as SessionKernel;
  const past: (EventBody & { readonly ts?: number })[] = [];
  const conversation: Conversation = new Conversation({
    store,
    options: OPTIONS,
    nowMs: () => time.nowMs,
    calendarMs: () => START_MS + 1_000_000,
    after: () => undefined,
    decide: (_, id, shown, choice): Promise<RequestResult<'review.decide'>> => {
      decided.push(
        `${choice.kind} ${id} ${shown.review_id} ${JSON.stringify(choice.kind === 'reject' ? choice.reason : shown.diff)}`,
        ...(choice.kind === 'reject' && choice.tests === true ? ['tests'] : []),
        ...(choice.kind === 'reject' ? (choice.edits ?? []).map(({ path, text }) => `${path}: ${text}`) : []),
      );
      return failing.includes('review.decide')
        ? Promise.reject(refused())
        : Promise.resolve({ outcome: talk.outcome, message: '' });
    },
    edit: (text, name) => {
      edited.push(`${name}: ${text}`);
      talk.whileEditing();
      return Promise.resolve(talk.savesOf[name] ?? talk.saves);
    },
    keepEdit: (name, text) => Promise.resolve(`/kept/edits/${keptEdits.push(`${name}: ${text}`)}`),
    keepPatch: (patch) => {
      if (talk.keepFails) return Promise.reject(new Error('no space'));
      return Promise.resolve(`/kept/${kept.push(patch) - 1}.patch`);
    },
    remember: (text) => sent.push(text),
    listFiles: () => Promise.resolve(['README.md', 'src/parse-config.js', 'test/parse-config.test.js']),
    clipboardImage: () => Promise.resolve(talk.clipboard),
    imagesIn: () => Promise.resolve([]),
    commands: {
      find: () => Promise.resolve({ files: ownFiles, problems: [] }),
      has: (digest) => Promise.resolve(accepted.includes(digest)),
      add: (digest) => Promise.resolve(void accepted.push(digest)),
    },
    models: {
      resolve: (model, effort) =>
        model === 'mistyped'
          ? Promise.reject(usage('no such model', 'fluffy models lists them'))
          : model.startsWith('closed/')
            ? Promise.reject(refused())
            : Promise.resolve({ model, ...(effort === undefined ? {} : { effort }) }),
      effortsOf: (model) => (model === 'openai/gpt-5' ? ['low', 'medium', 'high'] : []),
      list: () =>
        Promise.resolve([{ id: 'openai/gpt-5', label: safeLine('openai/gpt-5'), aside: safeLine(''), preview: [] }]),
    },
    checkModel: (model) => (talk.withoutKey.includes(model) ? Promise.reject(refused()) : Promise.resolve()),
    listSessions: () =>
      Promise.resolve({
        entries: [{ id: 's_other', label: safeLine('Other'), aside: safeLine('2 h ago'), preview: [] }],
      }),
    writeExport: (id, file) => Promise.resolve(`/exports/${id} ${String(file)}`),
    examine: (model) => Promise.resolve(`Checks\n  ok    ${model}\nA session can start here.`),
    writeFeedback: ({ said, sessionId }) => Promise.resolve(`/feedback/${String(sessionId)} ${said}`),
    keepTheme: (theme) => {
      themes.push(theme);
      return Promise.resolve('/home/ada/config.yaml');
    },
    saveKeys: (keys) => {
      keptKeys.push(keys);
      return Promise.resolve('/home/ada/config.yaml');
    },
    redraw: () => left.push('redrawn'),
    onLeave: (how) => left.push(how),
  });
  let seq = 0;
  const talk = {
    outcome: 'committed' as 'committed' | 'rejected' | 'done',
    /** Models that a new session cannot use. */
    withoutKey: [] as string[],
    conversation,
    kernel,
    store,
    time,
    asked,
    started,
    answers,
    decided,
    left,
    kept,
    themes,
    sent,
    keptKeys,
    ownFiles,
    accepted,
    messages,
    clipboard: { kind: 'none', why: 'The clipboard has no image.' } as ClipboardImage,
    keepFails: false,
    /** What the editor leaves. */
    saves: FAILED as Edited,
    /** What it leaves of files with these names. */
    savesOf: {} as Record<string, Edited>,
    /** Happens while the editor is open. */
    whileEditing: (): void => undefined,
    edited,
    keptEdits,
    past,
    attach: () => conversation.attach(kernel, null),
    tell: (...bodies: EventBody[]) => {
      for (const event of stream(bodies, seq + 1)) conversation.onEvent(event);
      seq += bodies.length;
    },
    type: (text: string) => conversation.onKey({ kind: 'edit', edit: { kind: 'insert', text } }),
    enter: async (text = '') => {
      if (text !== '') conversation.onKey({ kind: 'edit', edit: { kind: 'insert', text } });
      conversation.onKey({ kind: 'submit' });
      for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
    },
    /** The card is on the screen, and time enough has gone by to have seen it. */
    look: () => {
      store.dispatch({ kind: 'printed', before: store.current.items.length, atMs: time.nowMs });
      time.nowMs += 1000;
    },
    drawn: () => store.dispatch({ kind: 'printed', before: store.current.items.length, atMs: time.nowMs }),
  };
  return talk;
}

const notes = (store: ViewStore) =>
  store.current.items.map((item) =>
    item.kind === 'note' ? item.text : item.kind === 'problem' ? `${item.what}: ${item.why}` : item.kind,
  );

describe('Shift-Tab', () => {
  const press = (talk: ReturnType<typeof begin>) => talk.conversation.onKey({ kind: 'next-mode' });

  it('goes to the next mode, once at a time, and leaves what is typed', async () => {
    const talk = begin();
    await talk.attach();
    talk.type('half a task');
    press(talk);
    press(talk);
    await talk.enter('');
    expect(talk.asked.slice(0, 2)).toEqual(['start', 'session.set_mode explore']);
    expect(talk.asked.filter((each) => each.startsWith('session.set_mode'))).toHaveLength(1);
    expect(notes(talk.store)).toContain('Mode explore needs your approval.');
  });

  it.each([
    ['strict', 'explore'],
    ['explore', 'strict'],
    ['debug', 'strict'],
  ] as const)('leads from %s to %s', async (mode, next) => {
    const talk = begin([], { mode });
    await talk.attach();
    press(talk);
    await talk.enter();
    expect(talk.asked).toContain(`session.set_mode ${next}`);
  });

  it('changes nothing while the kernel starts, a run goes on, or a review waits', async () => {
    const talk = begin();
    press(talk);
    expect(talk.store.current.hint).toContain('still starting');
    await talk.attach();
    await talk.enter('first');
    press(talk);
    expect(talk.store.current.hint).toContain('A run is under way');
    talk.tell(...STRICT_RUN, REVIEW);
    press(talk);
    expect(talk.store.current.hint).toContain('A review waits');
    expect(talk.asked.filter((each) => each.startsWith('session.set_mode'))).toEqual([]);
  });

  it('goes up where a menu is open', async () => {
    const talk = begin();
    await talk.attach();
    talk.type('/re');
    press(talk);
    expect(openMenu(talk.store.current)?.selected).toBeGreaterThan(0);
    expect(talk.asked).toEqual([]);
  });
});

describe('commands that are entered before the kernel is there', () => {
  it('are carried out in their turn, and leave what is typed by then', async () => {
    const talk = begin();
    await talk.enter('/explore');
    await talk.enter('Add a test');
    await talk.enter('/status');
    talk.type('half a line');
    expect(talk.store.current.queue).toEqual(['/explore', 'Add a test', '/status']);
    await talk.attach();
    await talk.enter('');
    expect(talk.asked).toEqual(['start', 'session.set_mode explore', 'session.message Add a test']);
    talk.tell({ type: 'message.user', text: 'Add a test' }, FINISHED);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(talk.asked).toContain('session.describe status');
  });

  it('come back by Up as they were typed, and are then a line like any other', async () => {
    const talk = begin();
    await talk.enter('/explore');
    talk.conversation.onKey({ kind: 'edit', edit: { kind: 'up' } });
    expect(talk.store.current).toMatchObject({ queue: [], composer: { text: '/explore' } });
    await talk.attach();
    expect(talk.asked).toEqual([]);
  });

  it('are no decisions', async () => {
    const talk = begin();
    await talk.enter('/approve');
    expect(talk.store.current.queue).toEqual([]);
    await talk.attach();
    expect(talk.decided).toEqual([]);
  });
});

describe('a change of mode that waits', () => {
  it.each(['approve', 'reject "no"'])('begins no run by /%s but with what was entered meanwhile', async (decision) => {
    const talk = begin();
    await talk.attach();
    await talk.enter('/debug');
    talk.tell({ ...REVIEW, kind: 'mode', diff: '' });
    talk.look();
    await talk.enter('Add a test');
    expect(talk.store.current.queue).toEqual(['Add a test']);
    talk.outcome = decision === 'approve' ? 'done' : 'rejected';
    talk.asked.length = 0;
    talk.type(`/${decision}`);
    talk.look();
    await talk.enter();
    await talk.enter();
    expect(talk.asked).toEqual(['session.message Add a test']);
  });

  it('is no run that goes on after a rejection', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('/debug');
    talk.tell({ ...REVIEW, kind: 'mode', diff: '' });
    talk.look();
    talk.outcome = 'rejected';
    talk.asked.length = 0;
    talk.type('/reject "no"');
    talk.look();
    await talk.enter();
    await talk.enter();
    expect([talk.decided.length, talk.asked]).toEqual([1, []]);
  });
});

describe('the screen', () => {
  it('begins again by Ctrl-L', () => {
    const talk = begin();
    talk.conversation.onKey({ kind: 'redraw' });
    expect(talk.left).toEqual(['redrawn']);
  });
});

describe('a search of what was sent', () => {
  it('is ended by Esc and given up by Ctrl-C, and no run is', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('Add a test');
    const search = (): void => {
      talk.conversation.onKey({ kind: 'edit', edit: { kind: 'search-back' } });
      talk.type('Add');
    };
    search();
    talk.conversation.onKey({ kind: 'escape' });
    expect(talk.store.current.composer).toMatchObject({ text: 'Add a test', search: null });
    talk.conversation.onKey({ kind: 'edit', edit: { kind: 'clear' } });
    search();
    talk.conversation.onKey({ kind: 'interrupt' });
    expect(talk.store.current.composer).toMatchObject({ text: '', search: null });
    expect(talk.store.current.hint).toBeNull();
    search();
    talk.conversation.onKey({ kind: 'interrupt' });
    expect(talk.left).toEqual([]);
    expect(talk.asked).toEqual(['start', 'session.message Add a test']);
  });

  it('finds the task of the command line too', () => {
    const talk = begin();
    talk.conversation.begin('Add a task');
    talk.conversation.onKey({ kind: 'edit', edit: { kind: 'search-back' } });
    talk.type('task');
    expect([talk.store.current.composer.text, talk.sent]).toEqual(['Add a task', ['Add a task']]);
  });
});

describe('tasks', () => {
  it('start a session with the first one, and only then', async () => {
    const talk = begin();
    await talk.attach();
    expect(talk.asked).toEqual([]);
    await talk.enter('Add a test');
    expect(talk.asked).toEqual(['start', 'session.message Add a test']);
    expect(talk.store.current).toMatchObject({ run: { kind: 'running' }, composer: { text: '' } });
  });

  it('are prepared for at the first key after a pause, once', async () => {
    const talk = begin();
    await talk.attach();
    talk.type('A');
    await talk.enter('dd a test');
    talk.tell(...STRICT_RUN.slice(0, 1), FINISHED);
    talk.asked.length = 0;
    talk.type('x');
    expect(talk.asked).toEqual([]);
    talk.time.nowMs += 120_000;
    talk.type('y');
    talk.type('z');
    expect(talk.asked).toEqual(['session.warm']);
  });

  it('typed before the kernel is there are kept, and sent one after the other', async () => {
    const talk = begin();
    await talk.enter('first');
    await talk.enter('second');
    expect(talk.store.current.queue).toEqual(['first', 'second']);
    await talk.attach();
    await talk.enter();
    expect(talk.asked).toEqual(['start', 'session.message first']);
    talk.tell({ type: 'message.user', text: 'first' }, FINISHED);
    await talk.enter();
    expect(talk.asked.at(-1)).toBe('session.message second');
  });

  it('that are queued come back to the prompt by Up, the newest first, and an earlier text only then', async () => {
    const talk = begin();
    await talk.enter('first');
    await talk.enter('second');
    talk.conversation.onKey({ kind: 'edit', edit: { kind: 'up' } });
    expect(talk.store.current).toMatchObject({ queue: ['first'], composer: { text: 'second' } });
  });

  it('are kept for later sessions, commands are not', async () => {
    const talk = begin();
    await talk.enter('first');
    await talk.enter('/help');
    expect(talk.sent).toEqual(['first']);
  });

  it('are stopped by Esc, which does nothing where a review waits or nothing runs', async () => {
    const talk = begin();
    await talk.attach();
    talk.conversation.onKey({ kind: 'escape' });
    await talk.enter('first');
    talk.tell(
      { type: 'session.started', project: '', mode: 'strict', model: '', tools: [], policy_hash: '', images: {} },
      REVIEW,
    );
    talk.conversation.onKey({ kind: 'escape' });
    expect(talk.asked).not.toContain('session.interrupt interrupt');
    talk.tell({ type: 'review.decided', review_id: 'r_1', decision: 'approved', by: 'human' });
    talk.conversation.onKey({ kind: 'escape' });
    expect(talk.asked).toContain('session.interrupt interrupt');
  });

  it('name files of the project by @ and a few of their letters', async () => {
    const talk = begin();
    talk.type('Look at @parscon');
    await Promise.resolve();
    expect(talk.store.current.fileMenu).toEqual(['src/parse-config.js', 'test/parse-config.test.js']);
    talk.conversation.onKey({ kind: 'complete' });
    expect(talk.store.current).toMatchObject({ composer: { text: 'Look at @src/parse-config.js ' }, fileMenu: [] });
  });

  it('typed during a run join it, and are shown until the model reads them', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('first');
    talk.tell({ type: 'message.user', text: 'first' });
    await talk.enter('second');
    await talk.enter('third');
    expect(talk.store.current.hint).toMatch(/^Sent/);
    expect(talk.asked.slice(-2)).toEqual(['session.message second', 'session.message third']);
    expect(talk.store.current.joining).toEqual(['second', 'third']);
    talk.tell({ type: 'message.user', text: 'second' });
    expect(talk.store.current).toMatchObject({ joining: ['third'], queue: [] });
    talk.tell(FINISHED);
    expect(talk.store.current.joining).toEqual([]);
    expect(talk.asked).toHaveLength(4);
  });

  it('typed while a run is being stopped wait, as it reads no more', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('first');
    talk.tell(...STRICT_RUN.slice(0, 1));
    talk.conversation.onKey({ kind: 'escape' });
    await talk.enter('second');
    expect(talk.store.current).toMatchObject({ joining: [], queue: ['second'] });
    expect(talk.store.current.hint).toBe('Queued: it starts when this run has stopped.');
  });

  it('typed after a run was stopped begin when it has ended; what had waited before is in the prompt', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('first');
    talk.tell(...STRICT_RUN.slice(0, 1), REVIEW);
    await talk.enter('before');
    talk.conversation.onKey({ kind: 'interrupt' });
    await talk.enter('after');
    await talk.enter('and more');
    talk.tell({ ...FINISHED, status: 'cancelled' });
    await settled();
    expect(talk.asked.at(-1)).toBe('session.message after');
    expect(talk.store.current).toMatchObject({ composer: { text: 'before' }, queue: ['and more'] });
  });

  it.each([
    ['are taken back with Up', (talk: Talk): void => talk.conversation.onKey({ kind: 'edit', edit: { kind: 'up' } })],
    ['are followed by another Esc', (talk: Talk): void => talk.conversation.onKey({ kind: 'escape' })],
    ['are followed by leaving', (talk: Talk): void => void talk.conversation.stop('interrupt')],
  ] as const)('typed after a run was stopped do not begin if they %s', async (_, key) => {
    const talk = begin();
    await talk.attach();
    await talk.enter('first');
    talk.tell(...STRICT_RUN.slice(0, 1));
    talk.conversation.onKey({ kind: 'escape' });
    await talk.enter('after');
    key(talk);
    talk.tell({ ...FINISHED, status: 'cancelled' });
    await settled();
    expect(talk.asked).not.toContain('session.message after');
    expect(talk.store.current).toMatchObject({ composer: { text: 'after' }, queue: [] });
  });

  it('that the model has not read come back to the prompt when the run is interrupted', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('first');
    talk.tell(...STRICT_RUN.slice(0, 1), { type: 'message.user', text: 'first' });
    await talk.enter('hey');
    talk.type('draft');
    talk.answers['session.interrupt'] = { unread: ['hey'] };
    talk.conversation.onKey({ kind: 'escape' });
    await settled();
    expect(talk.store.current).toMatchObject({ joining: [], composer: { text: 'hey\ndraft' } });
  });

  it.each(['cancelled', 'failed'] as const)('queued behind a run that was %s go back to the prompt', async (status) => {
    const talk = begin();
    await talk.attach();
    await talk.enter('first');
    talk.tell(REVIEW);
    await talk.enter('second');
    await talk.enter('third');
    talk.type('draft');
    talk.tell({ ...FINISHED, status });
    expect(talk.store.current).toMatchObject({ queue: [], composer: { text: 'second\nthird\ndraft' } });
    expect(talk.asked).toHaveLength(2);
  });

  it('that the kernel refuses are told, and the prompt is free again', async () => {
    const talk = begin(['session.message']);
    await talk.attach();
    await talk.enter('first');
    expect(notes(talk.store)).toEqual(['It was refused: busy']);
    expect(talk.store.current.run.kind).toBe('idle');
  });

  it('start no session whose model has no key, and are said why; a resumed session has a model of its own', async () => {
    const talk = begin();
    talk.withoutKey.push(OPTIONS.model);
    await talk.attach();
    await talk.enter('first');
    expect(notes(talk.store)).toEqual(['It was refused: busy']);
    expect(talk.asked).toEqual([]);
    await talk.conversation.attach(talk.kernel, { session: 'latest', fork: false, keepModel: true });
    await talk.enter('second');
    expect(talk.asked).toEqual(['resume latest false', 'session.message second']);
  });

  it('of a session that is taken up again do not start by themselves', async () => {
    const talk = begin();
    talk.past.push({ type: 'message.user', text: 'old' }, FINISHED);
    await talk.enter('new');
    await talk.conversation.attach(talk.kernel, { session: 'latest', fork: false, keepModel: true });
    await talk.enter();
    expect(talk.asked).toEqual(['resume latest false', 'session.message new']);
  });

  it('may have several lines: a trailing backslash goes on', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('one\\');
    expect(talk.store.current.composer.text).toBe('one\n');
    await talk.enter('two');
    expect(talk.asked.at(-1)).toBe('session.message one\ntwo');
  });
});

describe('a line that begins with !', () => {
  it('is run by the kernel, kept in the history, and no message', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('!git log -3');
    expect(talk.asked).toEqual(['start', 'session.run git log -3']);
    expect(talk.sent).toEqual(['!git log -3']);
    expect(talk.store.current).toMatchObject({ run: { kind: 'idle' }, composer: { text: '' } });
  });

  it('waits in the prompt while a run goes on', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('Add a test');
    await talk.enter('!ls');
    expect(talk.asked).not.toContain('session.run ls');
    expect(talk.store.current.composer.text).toBe('!ls');
  });

  it('is queued behind by a message, which starts when it has ended', async () => {
    const ended = Promise.withResolvers<object>();
    const talk = begin();
    await talk.attach();
    talk.answers['session.run'] = ended.promise;
    await talk.enter('!sleep 9');
    await talk.enter('Add a test');
    expect(talk.store.current.queue).toEqual(['Add a test']);
    expect(talk.asked).not.toContain('session.message Add a test');
    ended.resolve({});
    await talk.enter();
    expect(talk.asked).toContain('session.message Add a test');
  });

  it('that is stopped is followed by what was entered since then', async () => {
    const ended = Promise.withResolvers<object>();
    const talk = begin();
    await talk.attach();
    talk.answers['session.run'] = ended.promise;
    talk.tell(...STRICT_RUN.slice(0, 1));
    await talk.enter('!sleep 9');
    talk.conversation.onKey({ kind: 'escape' });
    await talk.enter('!ls');
    expect(talk.store.current.hint).toBe('A run is stopping. Press Enter again when it is done.');
    talk.type('');
    talk.conversation.onKey({ kind: 'edit', edit: { kind: 'clear' } });
    await talk.enter('Add a test');
    ended.resolve({});
    await talk.enter();
    expect(talk.asked).toContain('session.message Add a test');
  });

  it('that is stopped by Esc starts nothing: what was queued is back in the prompt', async () => {
    const ended = Promise.withResolvers<object>();
    const talk = begin();
    await talk.attach();
    talk.answers['session.run'] = ended.promise;
    talk.tell(...STRICT_RUN.slice(0, 1));
    await talk.enter('!sleep 9');
    await talk.enter('Add a test');
    talk.conversation.onKey({ kind: 'escape' });
    ended.resolve({});
    await expect.poll(() => talk.store.current.composer.text).toBe('Add a test');
    expect(talk.asked).not.toContain('session.message Add a test');
    expect(talk.store.current.queue).toEqual([]);
  });

  it('that the kernel refuses says so, and the prompt is free again', async () => {
    const talk = begin(['session.run']);
    await talk.attach();
    await talk.enter('!ls');
    expect(notes(talk.store)).toContain('It was refused: busy');
    expect(talk.store.current.run.kind).toBe('idle');
  });
});

it('/export says where the session was written', async () => {
  const talk = begin();
  await talk.attach();
  await talk.enter('Add a test');
  await talk.enter('/export out.html');
  await talk.enter('/export');
  expect(notes(talk.store)).toEqual(
    expect.arrayContaining([
      `The session is in /exports/${SESSION} out.html`,
      `The session is in /exports/${SESSION} null`,
    ]),
  );
});

describe('an image of the clipboard', () => {
  const paste = async (talk: ReturnType<typeof begin>) => {
    talk.conversation.onKey({ kind: 'paste-image' });
    await Promise.resolve();
    await Promise.resolve();
  };

  it('is attached to what is typed', async () => {
    const talk = begin();
    await talk.attach();
    talk.clipboard = { kind: 'saved', path: '/state/pasted/1.png' };
    talk.type('What is wrong?');
    await paste(talk);
    await talk.enter();
    expect(talk.asked.at(-1)).toBe('session.message What is wrong? @"/state/pasted/1.png"');
  });

  it('that is not there changes nothing, and the reason is below the prompt', async () => {
    const talk = begin();
    talk.type('What');
    await paste(talk);
    expect(talk.store.current).toMatchObject({ hint: 'The clipboard has no image.', composer: { text: 'What' } });
  });
});

describe('/keys', () => {
  it('lists the keys as they are, those of the person marked', async () => {
    const talk = begin([], { bindings: bindingsOf({ open: ['ctrl-t'], yank: [] }) });
    await talk.enter('/keys');
    const lines = talk.store.current.items.flatMap((item) => (item.kind === 'answer' ? item.lines : []));
    const line = (name: string) => lines.find((each) => each.endsWith(`(${name})`));
    expect(line('open')).toMatch(/^ctrl-t \* /);
    expect(line('yank')).toMatch(/^no key \* /);
    expect(line('editor')).toMatch(/^ctrl-g {2}/);
  });
});

describe('for who looks for a fault', () => {
  const answers = (store: ViewStore) =>
    store.current.items.flatMap((item) => (item.kind === 'answer' ? item.lines : []));

  it('/doctor answers as fluffy doctor does, also before the kernel is there', async () => {
    const talk = begin();
    await talk.enter('/doctor');
    expect(answers(talk.store)).toEqual(['Checks', '  ok    replay/demo.jsonl', 'A session can start here.']);
  });

  it.each([
    ['/feedback', '/feedback/null '],
    ['/feedback "it" hangs', '/feedback/null "it" hangs'],
  ])('%s names the file and how to send it', async (line, file) => {
    const talk = begin();
    await talk.enter(line);
    const [where, nothing, how] = answers(talk.store);
    expect(where).toBe(`Feedback is in ${file}`);
    expect([nothing, how]).toEqual([
      expect.stringMatching(/^Nothing was sent/),
      expect.stringMatching(/attach it to an issue/),
    ]);
  });

  it('/feedback is about the session of this terminal', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('first');
    talk.tell(...STRICT_RUN.slice(0, 1), FINISHED);
    await talk.enter('/feedback slow');
    expect(answers(talk.store)[0]).toBe(`Feedback is in /feedback/${SESSION} slow`);
  });
});

describe('/theme', () => {
  it('draws in the theme that is marked, and keeps the one that is taken', async () => {
    const talk = begin();
    await talk.enter('/theme');
    expect(talk.store.current.panel).toMatchObject({ kind: 'picker', purpose: 'theme' });
    talk.conversation.onKey({ kind: 'marked', id: 'contrast' });
    expect(talk.store.current.theme).toBe('contrast');
    talk.conversation.onKey({ kind: 'picked', id: 'contrast' });
    await talk.enter();
    expect(talk.themes).toEqual(['contrast']);
    expect(talk.store.current).toMatchObject({ theme: 'contrast', panel: null });
    expect(notes(talk.store)).toContain('The theme is contrast, kept in /home/ada/config.yaml.');
  });

  it('draws as before when nothing is taken', async () => {
    const talk = begin();
    await talk.enter('/theme');
    talk.conversation.onKey({ kind: 'marked', id: 'none' });
    talk.conversation.onKey({ kind: 'close-panel' });
    expect(talk.store.current).toMatchObject({ theme: 'dark', panel: null });
    expect(talk.themes).toEqual([]);
  });

  it('takes a name, and knows what was meant', async () => {
    const talk = begin();
    await talk.enter('/theme light');
    expect(talk.store.current.theme).toBe('light');
    await talk.enter('/theme drak');
    expect(talk.store.current.hint).toBe('There is no theme drak. Did you mean dark?');
    expect(talk.themes).toEqual(['light']);
  });
});

it('two Esc with another key between them go back to no message', async () => {
  const talk = begin();
  await talk.attach();
  talk.tell(...STRICT_RUN, FINISHED);
  talk.conversation.onKey({ kind: 'escape' });
  talk.type('a');
  talk.conversation.onKey({ kind: 'edit', edit: { kind: 'clear' } });
  talk.conversation.onKey({ kind: 'escape' });
  expect(talk.store.current).toMatchObject({ panel: null, hint: 'Esc again goes back to an earlier message.' });
  talk.conversation.onKey({ kind: 'escape' });
  expect(talk.store.current.panel).toMatchObject({ kind: 'picker', purpose: 'message' });
});

describe('commands', () => {
  it.each([
    ['/explore', ['start', 'session.set_mode explore'], ['Mode explore needs your approval.']],
    ['/status', [], ['answer']],
    ['/help', [], ['command', 'answer']],
  ])('%s asks %j', async (line, asked, said) => {
    const talk = begin();
    await talk.attach();
    await talk.enter(line);
    expect(talk.asked).toEqual(asked);
    expect(notes(talk.store)).toEqual(said);
  });

  it.each(['status', 'budget', 'diff', 'why'])(
    '/%s is answered by the kernel once there is a session',
    async (what) => {
      const talk = begin();
      await talk.attach();
      await talk.enter('task');
      await talk.enter(`/${what}`);
      expect(talk.asked.at(-1)).toBe(`session.describe ${what}`);
      expect(notes(talk.store)).toEqual(['command', 'answer']);
    },
  );

  it('/model has one chosen from those that can be used here, and changes to it', async () => {
    const talk = begin();
    await talk.attach();
    talk.answers['session.set_model'] = { ok: true, reason: '' };
    await talk.enter('/model');
    expect(talk.store.current.panel).toMatchObject({ kind: 'picker', purpose: 'model' });
    talk.conversation.onKey({ kind: 'picked', id: 'openai/gpt-5' });
    await talk.enter();
    expect(talk.asked.at(-1)).toBe('session.set_model openai/gpt-5');
    talk.tell({ type: 'model.changed', from: 'replay/x', to: 'openai/gpt-5', by: 'user' });
    expect(talk.store.current.model).toBe('openai/gpt-5');
    expect(notes(talk.store)).toEqual(['The model is openai/gpt-5 now.']);
  });

  it('/model with one that cannot be used here says why, and asks the kernel for nothing', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('/model closed/x');
    expect(talk.asked).toEqual([]);
    expect(notes(talk.store)).toEqual(['It was refused: busy']);
  });

  it('what cannot be used of a line is a hint about it, and not about the command line', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('/model mistyped');
    expect(talk.store.current.hint).toBe('no such model. fluffy models lists them');
    expect(notes(talk.store)).toEqual([]);
  });

  it('/effort is of the model in use, and is kept with the next one that has it', async () => {
    const talk = begin();
    await talk.attach();
    talk.answers['session.set_model'] = { ok: true, reason: '' };
    talk.tell({ type: 'model.changed', from: 'replay/x', to: 'openai/gpt-5', by: 'user' });
    await talk.enter('/effort');
    expect(talk.store.current.hint).toBe(
      'The effort of openai/gpt-5 is the default; it has low, medium, high, default.',
    );
    await talk.enter('/effort high');
    expect(talk.asked.at(-1)).toBe('session.set_model openai/gpt-5 high');
    talk.tell({ type: 'model.changed', from: 'openai/gpt-5', to: 'openai/gpt-5', by: 'user', effort: 'high' });
    await talk.enter('/model replay/x');
    expect(talk.asked.at(-1)).toBe('session.set_model replay/x');
    await talk.enter('/effort fast');
    expect(talk.store.current.hint).toMatch(/^It is written/);
  });

  it('a session that begins after /model has that model', async () => {
    const talk = begin();
    await talk.attach();
    talk.answers['session.set_model'] = { ok: true, reason: '' };
    await talk.enter('/model openai/gpt-5');
    await talk.enter('/new');
    await talk.enter('task');
    expect(talk.started.map(({ model }) => model)).toEqual(['replay/x', 'openai/gpt-5']);
  });

  it('that change the mode say so once', async () => {
    const talk = begin();
    await talk.attach();
    talk.answers['session.set_mode'] = { ok: true, reason: 'The mode is explore now.' };
    const entered = talk.enter('/explore');
    talk.tell({ type: 'mode.changed', from: 'strict', to: 'explore', by: 'policy' });
    await entered;
    expect(notes(talk.store)).toEqual(['The mode is explore now.']);
    await talk.enter('/explore');
    expect(notes(talk.store)).toHaveLength(2);
  });

  describe('/reset', () => {
    async function resetting(staged: string = WRITE_DIFF) {
      const talk = begin();
      await talk.attach();
      await talk.enter('task');
      talk.tell(REVIEW);
      talk.answers['session.describe'] = { text: staged };
      await talk.enter('/reset');
      return talk;
    }

    it('asks before it drops anything, and keeps a patch of it', async () => {
      const talk = await resetting();
      expect(talk.asked.at(-1)).toBe('session.describe diff');
      expect(notes(talk.store).at(-1)).toMatch(/^Drop 1 changed file\?/);
      await talk.enter('y');
      expect(talk.kept).toEqual([WRITE_DIFF]);
      expect(talk.asked.at(-1)).toBe('session.reset');
      expect(notes(talk.store).at(-1)).toContain('git apply /kept/0.patch');
      expect(talk.store.current.card).toBeNull();
    });

    it.each(['', 'n', 'no'])('drops nothing after %j', async (word) => {
      const talk = await resetting();
      await talk.enter(word);
      expect(talk.asked).not.toContain('session.reset');
      expect(talk.kept).toEqual([]);
      expect(notes(talk.store).at(-1)).toBe('Nothing was dropped.');
      expect(talk.store.current.card).not.toBeNull();
      await talk.enter('y');
      expect(talk.asked).not.toContain('session.reset');
    });

    it('drops nothing after a task, which is queued like any other', async () => {
      const talk = await resetting();
      await talk.enter('yes, and add a test');
      expect(talk.asked).not.toContain('session.reset');
      expect(talk.store.current.queue).toEqual(['yes, and add a test']);
    });

    it('drops nothing after Ctrl-C', async () => {
      const talk = await resetting();
      talk.conversation.onKey({ kind: 'interrupt' });
      await talk.enter('y');
      expect(talk.asked).not.toContain('session.reset');
    });

    it('drops nothing that could not be kept', async () => {
      const talk = await resetting();
      talk.keepFails = true;
      await talk.enter('y');
      expect(talk.asked).not.toContain('session.reset');
      expect(notes(talk.store).at(-1)).toMatch(/no space/);
    });

    it('has nothing to ask where nothing is staged', async () => {
      const talk = await resetting('Nothing is staged.');
      await talk.enter();
      expect(talk.asked.at(-1)).toBe('session.reset');
      expect(talk.kept).toEqual([]);
    });
  });

  it('/undo shows what has been changed since, and is told by its event when it went through', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('/undo');
    expect(talk.asked).toEqual([]);
    await talk.enter('task');
    talk.tell(FINISHED);
    talk.answers['session.undo'] = { outcome: 'refused', paths: ['src/a\u001b.js'], message: 'Not undone.' };
    await talk.enter('/undo');
    expect(talk.asked.at(-1)).toBe('session.undo');
    const shown = JSON.stringify(talk.store.current);
    expect(shown).toContain('Not undone.');
    expect(shown).toContain('src/a\\\\x1b.js');
  });

  it('/redo keeps the list of commits, or shows what is in the way', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('task');
    talk.tell({ ...FINISHED, commit: 'c1' });
    talk.answers['session.undo'] = { outcome: 'undone', commit: 'c1', paths: [], message: '' };
    await talk.enter('/undo');
    expect(talk.store.current.commits).toEqual([]);
    talk.answers['session.redo'] = { outcome: 'redone', commit: 'c1', paths: [], message: '' };
    await talk.enter('/redo');
    expect(talk.store.current.commits).toEqual(['c1']);
    talk.answers['session.redo'] = { outcome: 'refused', paths: ['src/a.js'], message: 'Not redone.' };
    await talk.enter('/redo');
    expect(JSON.stringify(talk.store.current.items.at(-1))).toMatch(/Not redone.*src\/a\.js/);
  });

  it('that nobody knows stay in the prompt, with the nearest one named', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('/aprove');
    expect(talk.store.current.hint).toContain('/approve');
    expect(talk.store.current.composer.text).toBe('/aprove');
    expect(talk.asked).toEqual([]);
  });

  it('Ctrl-Z that cannot stop the process says so', () => {
    const talk = begin();
    talk.conversation.onKey({ kind: 'suspend' });
    expect(talk.store.current.hint).toMatch(/^Ctrl-Z does nothing here/);
  });

  it('/quit and Ctrl-D on an empty line leave', async () => {
    const talk = begin();
    await talk.enter('/quit');
    const other = begin();
    other.type('x');
    other.conversation.onKey({ kind: 'end-of-input' });
    expect(other.left).toEqual([]);
    other.conversation.onKey({ kind: 'edit', edit: { kind: 'clear' } });
    other.conversation.onKey({ kind: 'end-of-input' });
    expect([...talk.left, ...other.left]).toEqual(['quit', 'quit']);
  });
});

describe('a waiting review', () => {
  async function waiting(failing: readonly RequestMethod[] = []) {
    const talk = begin(failing);
    await talk.attach();
    await talk.enter('task');
    talk.tell({ type: 'message.user', text: 'task' }, REVIEW);
    return talk;
  }

  it('is approved as it was shown', async () => {
    const talk = await waiting();
    talk.look();
    await talk.enter('/approve');
    expect(talk.decided).toEqual([`approve ${SESSION} r_1 ${JSON.stringify(REVIEW.diff)}`]);
    expect(talk.store.current.composer.text).toBe('');
  });

  it('is what Ctrl-O opens, part by part, while it waits', async () => {
    const talk = await waiting();
    talk.conversation.onKey({ kind: 'open' });
    expect(talk.store.current.panel).toMatchObject({ kind: 'pager', noun: 'part', first: 0 });
    talk.conversation.onKey({ kind: 'close-panel' });
    expect(talk.store.current.panel).toBeNull();
  });

  it('is rejected with the reason', async () => {
    const talk = await waiting();
    talk.look();
    await talk.enter('/reject "name the file"');
    expect(talk.decided).toEqual([`reject ${SESSION} r_1 "name the file"`]);
  });

  it('is answered by a request for tests where the change was made without them, and not elsewhere', async () => {
    const talk = await waiting();
    talk.look();
    await talk.enter('/add-tests the error');
    expect(talk.decided).toEqual([]);
    expect(talk.store.current.hint).toMatch(/without tests first/);
    talk.conversation.onKey({ kind: 'edit', edit: { kind: 'replace', text: '' } });
    const facts = {
      grade: { verified: false, reasons: [] },
      files: [],
      proof: [],
      tests_can_follow: true as const,
    };
    talk.tell({ ...REVIEW, review_id: 'r_2', facts });
    talk.look();
    await talk.enter('/add-tests the error');
    expect(talk.decided).toEqual([`reject ${SESSION} r_2 "the error"`, 'tests']);
  });

  it('is not decided before its card was drawn, nor in that frame', async () => {
    const talk = await waiting();
    await talk.enter('/approve');
    talk.drawn();
    talk.conversation.onKey({ kind: 'edit', edit: { kind: 'clear' } });
    await talk.enter('/approve');
    expect(talk.decided).toEqual([]);
    expect(talk.store.current.composer.text).toBe('/approve');
  });

  it('is not decided by what was typed before its card was drawn, until it is entered once more', async () => {
    const talk = await waiting();
    talk.type('/approve');
    talk.time.nowMs += 100;
    talk.look();
    await talk.enter();
    await talk.enter();
    expect(talk.decided).toEqual([]);
    expect(talk.store.current.composer.text).toBe('/approve');
    talk.time.nowMs += 1000;
    await talk.enter();
    expect(talk.decided).toHaveLength(1);
  });

  it.each(['y', 'yes', 'a', 'approve', '1'])('is not decided by %j', async (text) => {
    const talk = await waiting();
    talk.look();
    await talk.enter(text);
    await talk.enter();
    expect(talk.decided).toEqual([]);
  });

  it('is decided once', async () => {
    const talk = await waiting();
    talk.look();
    await talk.enter('/approve');
    await talk.enter('/approve');
    expect(talk.decided).toHaveLength(1);
  });

  it('waits on when the decision could not be carried out, and that is told', async () => {
    const talk = await waiting(['review.decide']);
    talk.look();
    await talk.enter('/approve');
    expect(notes(talk.store).at(-1)).toBe('It was refused: busy');
    expect(talk.store.current.card).toMatchObject({ reviewId: 'r_1', deciding: false });
  });

  it('that was rejected after its run had ended goes on with the reason', async () => {
    const talk = await waiting();
    talk.tell({ ...FINISHED, status: 'cancelled' });
    talk.look();
    talk.outcome = 'rejected';
    await talk.enter('/reject "name the file"');
    await talk.enter();
    expect(talk.asked.at(-1)).toBe('session.message Go on.');
  });

  it('takes what was typed meanwhile along with a rejection, before it', async () => {
    const talk = await waiting();
    talk.look();
    await talk.enter('use a constant');
    talk.time.nowMs += 1000;
    await talk.enter('/reject "not like this"');
    expect(talk.asked.at(-1)).toBe('session.message use a constant');
    expect(talk.decided).toHaveLength(1);
    expect(talk.store.current).toMatchObject({ queue: [], joining: ['use a constant'] });
  });

  it.each(['README.md', 'nofile.md "x"', 'src/a.js say which error'])(
    'is not rejected by /reject %s, and the line stays',
    async (argument) => {
      const talk = await waiting();
      talk.look();
      await talk.enter(`/reject ${argument}`);
      expect(talk.decided).toEqual([]);
      expect(talk.store.current.composer.text).toBe(`/reject ${argument}`);
      expect(talk.store.current.hint).toMatch(/\/reject .*"why"/);
    },
  );

  describe('of several files', () => {
    const change = (path: string, text: string) =>
      `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-old\n+${text}\n`;
    const review = (review_id: string, ...changes: [string, string][]) =>
      ({ ...REVIEW, review_id, diff: changes.map((each) => change(...each)).join('') }) as const;

    async function ofFiles() {
      const talk = begin();
      await talk.attach();
      await talk.enter('task');
      talk.tell(
        { type: 'message.user', text: 'task' },
        review('r_1', ['src/a.js', 'new'], ['src/b.js', 'new'], ['README.md', 'new']),
      );
      talk.look();
      return talk;
    }
    const accepted = ({ store }: ReturnType<typeof begin>) => [...(store.current.card?.shown.accepted ?? [])];

    it('is approved in part: the other files are taken out, and a patch of them is kept', async () => {
      const talk = await ofFiles();
      Object.assign(talk.answers, { 'review.file': { text: 'new\n' } });
      await talk.enter('/approve src/a.js src/b.js');
      expect(talk.decided).toEqual([
        `reject ${SESSION} r_1 "approved src/a.js, src/b.js without README.md; the tests run again"`,
        'README.md: old\n',
      ]);
      expect(talk.kept).toEqual([expect.stringMatching(/^diff --git a\/README\.md [^]*\+new\n$/)]);
      expect(notes(talk.store).at(-1)).toMatch(/^README\.md: taken out and kept as a patch\. .*git apply /);
    });

    it('is approved as a whole where every file is named', async () => {
      const talk = await ofFiles();
      await talk.enter('/approve src/a.js src/b.js README.md');
      expect(talk.decided).toEqual([expect.stringMatching(/^approve /)]);
    });

    it.each([
      [
        'is closed',
        { text: 'new\n', closed: 'tests are frozen' },
        /^src\/b\.js cannot be taken out: tests are frozen\./,
      ],
      ['is no longer what was shown', { text: 'other\n' }, /^src\/b\.js cannot be taken out: it is no ordinary text/],
    ])('decides nothing where a file to be taken out %s', async (_, file, hint) => {
      const talk = await ofFiles();
      Object.assign(talk.answers, { 'review.file': file });
      await talk.enter('/approve src/a.js README.md');
      expect([talk.decided, talk.kept]).toEqual([[], []]);
      expect(talk.store.current.hint).toMatch(hint);
    });

    it('has its files listed behind a command, which Tab fills in and Enter does not', async () => {
      const talk = await ofFiles();
      talk.type('/approve ');
      expect(talk.store.current.fileMenu).toEqual(['src/a.js', 'src/b.js', 'README.md']);
      const drawn = JSON.stringify(liveFrame(talk.store.current, { columns: 80, rows: 24 }, { tick: 0, nowMs: 1 }));
      expect(drawn).toContain('up and down choose · tab takes the first · esc closes');
      talk.type('src');
      talk.conversation.onKey({ kind: 'complete' });
      expect(talk.store.current.composer.text).toBe('/approve src/a.js ');
      expect(talk.store.current.fileMenu).toEqual(['src/b.js', 'README.md']);
      talk.conversation.onKey({ kind: 'edit', edit: { kind: 'erase-to-start' } });
      talk.type('/reject ');
      talk.conversation.onKey({ kind: 'edit', edit: { kind: 'down' } });
      await talk.enter();
      expect(talk.store.current.composer.text).toBe('/reject src/a.js ');
      expect(talk.decided).toEqual([]);
    });

    it('is not accepted in part before its card was seen', async () => {
      const talk = begin();
      await talk.attach();
      await talk.enter('task');
      talk.tell({ type: 'message.user', text: 'task' }, review('r_1', ['src/a.js', 'new'], ['src/b.js', 'new']));
      await talk.enter('/approve src/a.js');
      expect(talk.store.current.accepted).toEqual([]);
    });

    it('shows at the next card which files are as they were accepted, and no others', async () => {
      const talk = await ofFiles();
      await talk.enter('/reject src/a.js "Another name"');
      talk.tell(
        { type: 'review.decided', review_id: 'r_1', decision: 'rejected', by: 'human', reason: '' },
        review('r_2', ['src/a.js', 'newer'], ['src/b.js', 'changed after all'], ['README.md', 'new']),
      );
      expect(accepted(talk)).toEqual(['README.md']);
    });

    it('is edited in the editor: what was changed goes back as a rejection with it', async () => {
      const talk = await ofFiles();
      Object.assign(talk.answers, { 'review.file': { text: 'new\n' } });
      talk.saves = { kind: 'saved', text: 'mine\n' };
      await talk.enter('/edit src/a.js');
      expect(talk.edited).toEqual(['a.js: new\n']);
      expect(talk.decided).toEqual([
        `reject ${SESSION} r_1 "edited src/a.js; the tests run again with it"`,
        'src/a.js: mine\n',
      ]);
    });

    it.each([
      ['the editor fails', { text: 'new\n' }, FAILED, 'The editor ended with exit 1. Nothing is decided.'],
      ['nothing was changed', { text: 'new\n' }, { kind: 'saved', text: 'new\n' }, 'Nothing was changed'],
      ['there is no terminal for it', { text: 'new\n' }, { kind: 'no-terminal' }, 'An editor cannot run'],
      [
        'the file is closed',
        { text: 'new\n', closed: 'It is a test' },
        FAILED,
        'It is a test. To have it changed: /reject src/a.js',
      ],
      ['the file is no text', { text: null }, FAILED, 'src/a.js is deleted, no text, or too large'],
    ] as const)('decides nothing where %s', async (_, answer, saves, hint) => {
      const talk = await ofFiles();
      Object.assign(talk.answers, { 'review.file': answer });
      talk.saves = saves;
      await talk.enter('/edit src/a.js');
      expect(talk.decided).toEqual([]);
      expect(talk.keptEdits).toEqual([]);
      expect(talk.store.current.hint).toContain(hint);
    });

    describe('loses nothing that was written in the editor', () => {
      async function editing() {
        const talk = await ofFiles();
        Object.assign(talk.answers, { 'review.file': { text: 'new\n' } });
        talk.saves = { kind: 'saved', text: 'mine\n' };
        return talk;
      }
      const keptNote = (file: string) => `What you wrote is kept in ${file}`;

      it('when the terminal became narrower, and the card is drawn again', async () => {
        const talk = await editing();
        talk.whileEditing = () => talk.store.dispatch({ kind: 'card-again' });
        await talk.enter('/edit src/a.js');
        expect(talk.decided).toHaveLength(2);
      });

      it('when a later editor ends with an error', async () => {
        const talk = await editing();
        talk.savesOf = { 'b.js': { ...FAILED, kept: ['/kept/by/editor'] } };
        await talk.enter('/edit src/a.js src/b.js README.md');
        expect(talk.edited).toHaveLength(2);
        expect([talk.decided, talk.keptEdits]).toEqual([[], ['a.js: mine\n']]);
        expect(notes(talk.store).slice(-2)).toEqual(['/kept/by/editor', '/kept/edits/1'].map(keptNote));
      });

      it('when the review was decided meanwhile', async () => {
        const talk = await editing();
        talk.whileEditing = () =>
          talk.tell({ type: 'review.decided', review_id: 'r_1', decision: 'approved', by: 'human' });
        await talk.enter('/edit src/a.js');
        expect([talk.decided, talk.keptEdits]).toEqual([[], ['a.js: mine\n']]);
        expect(talk.store.current.hint).toBe('The review is over; your edit was not used.');
        expect(notes(talk.store).at(-1)).toBe(keptNote('/kept/edits/1'));
      });

      it('when the kernel refuses it', async () => {
        const talk = begin(['review.decide']);
        await talk.attach();
        await talk.enter('task');
        talk.tell({ type: 'message.user', text: 'task' }, review('r_1', ['src/a.js', 'new']));
        talk.look();
        Object.assign(talk.answers, { 'review.file': { text: 'new\n' } });
        talk.saves = { kind: 'saved', text: 'mine\n' };
        await talk.enter('/edit src/a.js');
        expect(talk.keptEdits).toEqual(['a.js: mine\n']);
        expect(notes(talk.store).slice(-2)).toEqual(['It was refused: busy', keptNote('/kept/edits/1')]);
        expect(talk.store.current.card).toMatchObject({ deciding: false });
      });

      it('when it has become too large', async () => {
        const talk = await editing();
        talk.saves = { kind: 'saved', text: 'x'.repeat(1_000_001) };
        await talk.enter('/edit src/a.js');
        expect(talk.decided).toEqual([]);
        expect(talk.keptEdits).toHaveLength(1);
      });

      it('in the prompt either', async () => {
        const talk = await editing();
        talk.saves = { ...FAILED, kept: ['/kept/prompt'] };
        talk.type('hello');
        talk.conversation.onKey({ kind: 'editor' });
        await Promise.resolve();
        expect(notes(talk.store).at(-1)).toBe(keptNote('/kept/prompt'));
        expect(talk.store.current.composer.text).toBe('hello');
      });
    });

    it('opens no editor at all where one of the files is closed', async () => {
      const talk = await ofFiles();
      Object.assign(talk.answers, { 'review.file': { text: 'new\n', closed: 'It is a test' } });
      await talk.enter('/edit src/a.js src/b.js');
      expect(talk.edited).toEqual([]);
    });

    it.each([
      ['done', 'session.message task'],
      ['rejected', 'session.message Go on.'],
    ] as const)('that no run waits for is run for its tests: %s', async (outcome, last) => {
      const talk = await ofFiles();
      talk.tell({ ...FINISHED, status: 'cancelled' });
      talk.outcome = outcome;
      Object.assign(talk.answers, { 'review.file': { text: 'new\n' } });
      talk.saves = { kind: 'saved', text: 'mine\n' };
      await talk.enter('/edit src/a.js');
      expect(talk.store.current.run.kind).toBe('running');
      expect(talk.asked.filter((line) => line.startsWith('session.message')).at(-1)).toBe(last);
    });

    it('opens no editor for what was typed before the card was seen, for too many files, or for part of them', async () => {
      const early = begin();
      await early.attach();
      await early.enter('task');
      early.tell({ type: 'message.user', text: 'task' }, review('r_1', ['src/a.js', 'new']));
      await early.enter('/edit src/a.js');
      expect(early.store.current.hint).toContain('only just been drawn');

      const many = begin();
      await many.attach();
      await many.enter('task');
      const files = ['a', 'b', 'c', 'd', 'e'];
      many.tell({ type: 'message.user', text: 'task' }, review('r_1', ...files.map((f): [string, string] => [f, 'n'])));
      many.look();
      await many.enter(`/edit ${files.join(' ')}`);
      expect(many.store.current.hint).toBe('At most 4 files at once.');
      expect([...early.edited, ...many.edited]).toEqual([]);
    });

    it.each(['@src/a.js', './src/a.js'])('takes %s for the file that it names', async (name) => {
      const talk = await ofFiles();
      Object.assign(talk.answers, { 'review.file': { text: 'new\n' } });
      await talk.enter(`/edit ${name}`);
      expect(talk.edited).toEqual(['a.js: new\n']);
    });

    it.each(['/approve src/c.js', '/edit src/c.js', '/edit src/a.js src/c.js'])(
      'knows no other files: %s',
      async (line) => {
        const talk = await ofFiles();
        await talk.enter(line);
        expect(talk.store.current.hint).toBe('src/c.js is not a file of this review: src/a.js, src/b.js, README.md');
        expect([talk.decided, talk.edited]).toEqual([[], []]);
      },
    );
  });

  it('lets a task that is typed meanwhile wait', async () => {
    const talk = await waiting();
    talk.look();
    await talk.enter('and now something else');
    expect(talk.store.current.queue).toEqual(['and now something else']);
    expect(talk.store.current.hint).toContain('/approve');
  });
});

describe('Ctrl-C', () => {
  const press = (talk: ReturnType<typeof begin>) => talk.conversation.onKey({ kind: 'interrupt' });

  it('once interrupts the run, twice within two seconds leaves', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('task');
    talk.tell({
      type: 'session.started',
      project: '',
      mode: 'strict',
      model: '',
      tools: [],
      policy_hash: '',
      images: {},
    });
    press(talk);
    expect(talk.asked.at(-1)).toBe('session.interrupt interrupt');
    expect(talk.left).toEqual([]);
    talk.time.nowMs += 1999;
    press(talk);
    expect(talk.left).toEqual(['interrupt']);
  });

  it('twice at leisure does not leave', async () => {
    const talk = begin();
    await talk.attach();
    press(talk);
    talk.time.nowMs += 2000;
    press(talk);
    expect(talk.left).toEqual([]);
  });

  it('clears what was typed when nothing runs', async () => {
    const talk = begin();
    await talk.attach();
    talk.type('draft');
    press(talk);
    expect(talk.store.current.composer.text).toBe('');
    expect(talk.store.current.hint).toContain('again leaves');
  });
});

describe('another session', () => {
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const escape = (talk: ReturnType<typeof begin>) => {
    talk.conversation.onKey({ kind: 'escape' });
    talk.conversation.onKey({ kind: 'escape' });
  };
  const withMessages = async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('Add a test');
    talk.tell(...STRICT_RUN.slice(0, 1), { type: 'message.user', text: 'Add a test' }, FINISHED);
    talk.tell({ type: 'message.user', text: 'Now\nthe source' }, FINISHED);
    talk.asked.length = 0;
    return talk;
  };

  it('is chosen by /resume, and what the left one still reports is not shown', async () => {
    const talk = await withMessages();
    await talk.enter('/resume');
    await settle();
    expect(talk.store.current.panel).toMatchObject({
      kind: 'picker',
      purpose: 'session',
      entries: [{ id: 's_other' }],
    });
    talk.conversation.onKey({ kind: 'picked', id: 's_other' });
    await settle();
    expect(talk.asked).toEqual(['resume s_other false']);
    expect(talk.store.current).toMatchObject({ panel: null, said: [], calls: [], sessionId: null });
    const shown = talk.store.current.items.length;
    talk.tell({ type: 'message.user', text: 'late' });
    expect(talk.store.current.items).toHaveLength(shown);
  });

  it('that is resumed has worked as long as it had before, without the time that it waited for a person', async () => {
    const talk = begin();
    talk.past.push(
      { type: 'message.user', text: 'Do it' },
      { ...REVIEW, ts: START_MS + 2_000 },
      { ...FINISHED, status: 'cancelled', duration_ms: 602_000, ts: START_MS + 602_000 },
    );
    await talk.conversation.attach(talk.kernel, { session: 's_1', fork: false, keepModel: true });
    expect(talk.store.current.meter.workedMs).toBe(2_000);
    expect(JSON.stringify(talk.store.current.items)).toContain('Interrupted after 2.0s');
  });

  it('is asked for at the start by --resume without an id', async () => {
    const talk = begin();
    await talk.conversation.attach(talk.kernel, { session: null, fork: false, keepModel: true });
    expect(talk.store.current.panel?.kind).toBe('picker');
    expect(talk.asked).toEqual([]);
  });

  it('begins with the next message after /new', async () => {
    const talk = await withMessages();
    await talk.enter('/new');
    expect(talk.asked).toEqual([]);
    await talk.enter('Another task');
    expect(talk.asked).toEqual(['start', 'session.message Another task']);
  });

  it('is a copy after /fork', async () => {
    const talk = await withMessages();
    await talk.enter('/fork');
    await settle();
    expect(talk.asked).toEqual([`resume ${SESSION} true`]);
  });

  it('ends before the message that is gone back to by Esc Esc, which is at the prompt again', async () => {
    const talk = await withMessages();
    escape(talk);
    expect(talk.store.current.panel).toMatchObject({
      purpose: 'message',
      entries: [{ label: 'Now', aside: 'the last one' }, { label: 'Add a test' }],
    });
    talk.conversation.onKey({ kind: 'picked', id: '1' });
    await settle();
    expect(talk.asked).toEqual([`resume ${SESSION} {"withoutLast":1}`]);
    expect(talk.store.current.composer.text).toBe('Now\nthe source');
  });

  it('is gone back in by /rewind too', async () => {
    const talk = await withMessages();
    await talk.enter('/rewind');
    expect(talk.store.current.panel).toMatchObject({ purpose: 'message' });
  });

  it('is not gone to while a run is under way, nor by one Esc, nor over what is typed', async () => {
    const talk = await withMessages();
    talk.conversation.onKey({ kind: 'escape' });
    expect(talk.store.current.panel).toBeNull();
    talk.time.nowMs += 5000;
    talk.type('x');
    escape(talk);
    expect(talk.store.current.panel).toBeNull();
    talk.conversation.onKey({ kind: 'interrupt' });
    talk.tell({ type: 'message.user', text: 'on' });
    await talk.enter('/new');
    expect(talk.store.current.hint).toContain('interrupt it first');
  });
});

describe('the keys of vi', () => {
  it('are switched by /vim, which is kept', async () => {
    const talk = begin();
    await talk.enter('/vim');
    talk.type('one two');
    talk.conversation.onKey({ kind: 'escape' });
    talk.type('0dw');
    expect(talk.store.current.composer).toMatchObject({ text: 'two', vim: { mode: 'normal' } });
    await talk.enter('cc/vim');
    talk.type('dw');
    expect(talk.store.current.composer).toMatchObject({ text: 'dw', vim: null });
    expect(talk.keptKeys).toEqual(['vim', 'emacs']);
  });

  it('leave Esc to the run where nothing is typed', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('/vim');
    await talk.enter('first');
    talk.tell(...STRICT_RUN.slice(0, 1), { type: 'message.user', text: 'first' });
    talk.type('more');
    talk.conversation.onKey({ kind: 'escape' });
    expect(talk.asked).not.toContain('session.interrupt interrupt');
    talk.type('dd');
    talk.type('i');
    talk.conversation.onKey({ kind: 'escape' });
    expect(talk.asked).toContain('session.interrupt interrupt');
  });
});

describe('a note', () => {
  it('is proposed without a request to the model, and what is typed meanwhile waits', async () => {
    const talk = begin();
    await talk.attach();
    const proposed = Promise.withResolvers<unknown>();
    talk.answers['session.note'] = proposed.promise;
    await talk.enter('#Use tabs');
    expect(talk.asked).toEqual(['start', 'session.note Use tabs']);
    expect(talk.store.current.items.at(-1)).toMatchObject({ kind: 'user', lines: ['#Use tabs'] });
    await talk.enter('And now?');
    expect(talk.store.current.queue).toEqual(['And now?']);
    talk.tell(REVIEW, { ...FINISHED, status: 'waiting' });
    proposed.resolve({ outcome: 'proposed', message: '' });
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(talk.store.current).toMatchObject({ run: { kind: 'idle' }, queue: [], card: { reviewId: 'r_1' } });
    expect(talk.store.current.composer.text).toBe('And now?');
    expect([talk.asked.length, talk.sent[0]]).toEqual([2, '#Use tabs']);
  });

  it('that is refused says why, and Up brings it back', async () => {
    const talk = begin();
    await talk.attach();
    talk.answers['session.note'] = { outcome: 'refused', message: 'The suite fails.' };
    await talk.enter('#Use tabs');
    expect(JSON.stringify(talk.store.current.items.at(-1))).toContain('The suite fails.');
    talk.conversation.onKey({ kind: 'edit', edit: { kind: 'up' } });
    expect(talk.store.current).toMatchObject({ run: { kind: 'idle' }, composer: { text: '#Use tabs' } });
  });

  it('is not begun beside a run', async () => {
    const talk = begin();
    await talk.attach();
    await talk.enter('first');
    await talk.enter('#Use tabs');
    expect(talk.store.current.hint).toMatch(/A run is under way/);
    expect(talk.store.current.composer.text).toBe('#Use tabs');
  });
});

describe('commands of their own', () => {
  const FIX: CommandFile = {
    name: 'fix',
    of: 'user',
    description: 'fix an issue',
    argument: 'number',
    body: 'Fix issue $1. All: $ARGUMENTS',
    digest: 'd1',
  };
  const OF_PROJECT: CommandFile = {
    ...FIX,
    name: 'deploy',
    of: 'project',
    argument: null,
    body: 'Ship it.',
    digest: 'd2',
  };

  async function withCommands(...files: CommandFile[]) {
    const talk = begin();
    talk.ownFiles.push(...files);
    await talk.attach();
    await talk.conversation.loadCommands();
    return talk;
  }

  it('send what was typed, with the text that it stands for', async () => {
    const talk = await withCommands(FIX);
    await talk.enter('/fix 12 "a b"');
    expect(talk.messages).toMatchObject([
      { text: '/fix 12 "a b"', commands: [{ name: 'fix', of: 'user', text: 'Fix issue 12. All: 12 "a b"' }] },
    ]);
    expect(talk.sent).toEqual(['/fix 12 "a b"']);
  });

  it('of which /init is built in: the task to write AGENTS.md', async () => {
    const talk = await withCommands({ ...FIX, name: 'init' });
    await talk.enter('/init');
    expect(talk.messages).toMatchObject([
      {
        text: '/init',
        commands: [{ name: 'init', of: 'user', text: expect.stringMatching(/^Write AGENTS\.md/) as unknown }],
      },
    ]);
  });

  it('are in the menu and in /help, and need their argument', async () => {
    const talk = await withCommands(FIX);
    talk.type('/fi');
    expect(openMenu(talk.store.current)?.entries).toEqual([{ name: '/fix number', help: 'fix an issue' }]);
    talk.conversation.onKey({ kind: 'edit', edit: { kind: 'clear' } });
    await talk.enter('/fix');
    expect(talk.store.current.hint).toBe('It is written /fix number');
    talk.conversation.onKey({ kind: 'edit', edit: { kind: 'clear' } });
    await talk.enter('/help');
    expect(JSON.stringify(talk.store.current.items.at(-1))).toContain('/fix number');
    expect(talk.messages).toEqual([]);
  });

  it('of the project are shown and carried out only after a yes, which is remembered', async () => {
    const talk = await withCommands(OF_PROJECT);
    await talk.enter('/deploy');
    expect(JSON.stringify(talk.store.current.items.at(-2))).toContain('Ship it.');
    await talk.enter('n');
    expect([talk.messages, talk.accepted]).toEqual([[], []]);
    await talk.enter('/deploy');
    await talk.enter('y');
    expect(talk.messages).toMatchObject([{ text: '/deploy', commands: [{ of: 'project', text: 'Ship it.' }] }]);
    talk.tell(FINISHED);
    await talk.enter('/deploy');
    expect([talk.messages.length, talk.accepted]).toEqual([2, ['d2']]);
  });

  it('never stand before what is built in', async () => {
    const talk = await withCommands(
      { ...FIX, name: 'approve', argument: null },
      { ...FIX, name: 'quit', argument: null },
    );
    await talk.enter('/quit');
    expect([talk.left, talk.messages]).toEqual([['quit'], []]);
  });

  it('that waited together are sent each with its text', async () => {
    const talk = begin();
    talk.ownFiles.push(FIX, { ...FIX, name: 'tidy', argument: null, body: 'Tidy up.' });
    await talk.conversation.loadCommands();
    await talk.enter('/fix 1');
    await talk.enter('/tidy');
    expect(talk.store.current.queue).toEqual(['/fix 1', '/tidy']);
    await talk.attach();
    await talk.enter();
    talk.tell({ type: 'message.user', text: '/fix 1' }, FINISHED);
    await talk.enter();
    expect(talk.messages).toMatchObject([{ commands: [{ name: 'fix' }] }, { commands: [{ text: 'Tidy up.' }] }]);
  });

  it('are read again when a menu opens', async () => {
    const talk = await withCommands();
    talk.ownFiles.push(FIX);
    talk.type('/');
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    talk.type('fi');
    expect(openMenu(talk.store.current)?.entries).toHaveLength(1);
  });
});
