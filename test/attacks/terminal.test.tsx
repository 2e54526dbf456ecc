import { afterEach, describe, expect, it } from 'vitest';
import type { EventBody } from '../../src/contracts/session/events.ts';
import { App } from '../../src/tui/components/app.tsx';
import { PLAIN_LOOK } from '../../src/tui/components/look.ts';
import { safeLine } from '../../src/tui/store/safe-text.ts';
import { initialView } from '../../src/tui/store/view-state.ts';
import { ViewStore } from '../../src/tui/store/view-store.ts';
import { drawInTerminal } from '../tui/fake-terminal.ts';
import type { FakeTerminal } from '../tui/fake-terminal.ts';
import { FINISHED, REVIEW, stream } from '../tui/event-stream.ts';

/** What outside text may carry, and what of it must reach no terminal. */
const HOSTILE: Readonly<Record<string, string>> = {
  'OSC 52 writes the clipboard': '\u001b]52;c;cm0gLXJmIH4=\u0007',
  'a title': '\u001b]0;all is well\u0007',
  'a title ended by ST': '\u001b]2;all is well\u001b\\',
  'OSC 8 hides where a link leads': '\u001b]8;;file:///etc/passwd\u001b\\docs\u001b]8;;\u001b\\',
  'cursor moves redraw what stands above': '\u001b[9A\u001b[2K\u001b[99Gapproved by you',
  'a cleared screen': '\u001b[2J\u001b[3J\u001b[H',
  'the alternate screen': '\u001b[?1049h',
  'mouse reports switched on': '\u001b[?1000h\u001b[?1006h',
  'a question whose answer is typed': '\u001b[6n\u001b[c\u001b[>q',
  'a macro that types': '\u001bP0;1|0A/2f617070726f7665\u001b\\',
  'C1 bytes': '\u009b2J\u009d0;title\u009c\u0090x\u009c',
  'an unterminated OSC swallows what follows': '\u001b]0;never ends',
  'an unterminated DCS': '\u001bP never ends',
  'an unterminated APC': '\u001b_never ends',
  'a lone escape at the end': 'text\u001b',
  'a carriage return hides text': 'rm -rf ~\rls -l    ',
  'backspaces hide text': 'evil\b\b\b\bgood',
  'a bell': '\u0007',
  'shift out': '\u000e',
  'bidirectional controls turn code round': 'if (a\u202e \u2066// admin\u2069 \u2066) {',
  'zero-width characters': 'ad\u200bmin\u2060 \ufeffx',
  'tag characters': 'a\u{e0041}\u{e0042}',
  'a filler drawn as nothing': 'a\u3164b\u115fc',
  'line and paragraph separators': 'a\u2028b\u2029c',
  'colours that hide': '\u001b[8mhidden\u001b[28m\u001b[38;2;0;0;0m',
};

/** Everything Ink needs to draw a region again, and nothing else: colours, relative moves, erasing lines, cursor, paste, synchronised output. */
const OURS = /\u001b\[[\d;]*m|\u001b\[\d*[ABCDEG]|\u001b\[[02]?K|\u001b\[J|\u001b\[\?(?:25|2004|2026)[hl]/g;

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u3164]/u;

/** One event of each kind with the text in every place that text can take. */
function everywhere(text: string): EventBody[] {
  const failing = {
    file: text,
    name: text,
    status: 'failed',
    duration_ms: 1,
    failure: { kind: 'error', message: text },
  } as const;
  return [
    {
      type: 'session.started',
      project: text,
      mode: 'strict',
      model: text,
      tools: [text],
      policy_hash: text,
      images: {},
    },
    { type: 'message.user', text },
    { type: 'text.delta', text: `${text}\n${text}` },
    { type: 'text.done', text: `${text}\n${text}` },
    { type: 'tool.started', call_id: 'c1', tool: text, input: { path: text, [text]: text } },
    { type: 'tool.started', call_id: 'c2', tool: 'fs.write', input: { path: text } },
    { type: 'tool.started', call_id: 'c3', tool: 'shell.run', input: { command: [text] }, summary: text },
    {
      type: 'test.finished',
      call_id: 'c1',
      valid: true,
      outcome: 'failed',
      passed: 0,
      failed: 1,
      skipped: 0,
      cases: [failing],
    },
    { type: 'test.finished', valid: true, outcome: 'failed', passed: 0, failed: 1, skipped: 0, cases: [failing] },
    {
      type: 'tool.finished',
      call_id: 'c1',
      tool: text,
      ok: false,
      summary: text,
      duration_ms: 1,
      error: { code: text, message: text, retryable: false },
    },
    {
      type: 'tool.finished',
      call_id: 'c2',
      tool: 'fs.write',
      ok: true,
      summary: text,
      duration_ms: 1,
      diff: `--- a/${text}\n+++ b/${text}\n@@ -0,0 +1 @@\n+${text}\n`,
    },
    { type: 'policy.decision', syscall: text, target: text, decision: 'denied', rules: [text], reason: text },
    { ...REVIEW, message: `${text}\n${text}`, reasons: [text], diff: `--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+${text}\n` },
    { type: 'review.decided', review_id: 'r_1', decision: 'rejected', by: 'human', reason: text },
    { type: 'notice', level: 'warn', what: text, why: text, fix: text, code: text },
    { type: 'error', level: 'error', what: text, why: text, fix: text, code: text },
    { type: 'text.delta', text },
    { ...FINISHED, status: 'failed', summary: text },
    { type: 'tool.started', call_id: 'c9', tool: text, input: text },
    { type: 'text.delta', text },
  ];
}

let terminal: FakeTerminal | null = null;
afterEach(() => terminal?.close());

function open(text: string): { store: ViewStore; terminal: FakeTerminal } {
  const store = new ViewStore(
    initialView({ project: safeLine(text), model: safeLine(text), mode: 'strict', theme: 'none' }, safeLine(text)),
    { nowMs: () => 0, after: (_, callback) => callback() },
  );
  const onKey = (action: Parameters<Parameters<typeof App>[0]['onKey']>[0]) => {
    if (action.kind === 'edit') store.dispatch({ ...action, atMs: 0 });
  };
  const drawn = drawInTerminal(
    <App
      store={store}
      onKey={onKey}
      onSuspend={() => undefined}
      onLend={() => undefined}
      canSuspend={() => true}
      nowMs={() => 0}
      look={() => PLAIN_LOOK}
    />,
    200,
    50,
  );
  terminal = drawn;
  return { store, terminal: drawn };
}

function expectHarmless(written: string, text: string): void {
  expect(written).not.toContain(text);
  const rest = written.replace(OURS, '').replaceAll('\n', '');
  expect(HIDDEN.exec(rest)?.[0]).toBeUndefined();
}

describe('outside text reaches the terminal as letters', () => {
  it.each(Object.entries(HOSTILE))('%s: in every event', async (_, text) => {
    const { store, terminal: screen } = open(text);
    for (const event of stream(everywhere(text))) store.dispatch({ kind: 'event', event, atMs: 0 });
    store.dispatch({ kind: 'queued', text });
    await screen.settled();
    expectHarmless(screen.written(), text);
    expect(screen.written().replace(OURS, '')).toContain(safeLine(text).slice(0, 20));
  });

  it.each(Object.entries(HOSTILE))('%s: pasted into the prompt', async (_, text) => {
    const { terminal: screen } = open('project');
    await screen.settled();
    await screen.type(`\u001b[200~${text}\u001b[201~`);
    await screen.settled();
    expectHarmless(screen.written(), text);
  });

  it('when an escape sequence is split over two pieces', async () => {
    const { store, terminal: screen } = open('project');
    const [first, second] = stream([
      { type: 'text.delta', text: '\u001b]52;c;' },
      { type: 'text.delta', text: 'cm0=\u0007\n' },
    ]);
    for (const event of [first, second]) if (event !== undefined) store.dispatch({ kind: 'event', event, atMs: 0 });
    await screen.settled();
    expectHarmless(screen.written(), '\u001b]52');
    expect(screen.written()).toContain('\\x1b]52;c;cm0=\\x07');
  });
});

describe('the screen', () => {
  it('is never cleared, left for another one, or asked anything', async () => {
    const { store, terminal: screen } = open('project');
    for (let round = 0; round < 20; round += 1) {
      for (const event of stream(everywhere('word '.repeat(300)))) store.dispatch({ kind: 'event', event, atMs: 0 });
      await screen.settled();
    }
    for (const [columns, rows] of [
      [60, 18],
      [140, 40],
      [40, 16],
      [80, 24],
    ] as const) {
      screen.resize(columns, rows);
      await screen.settled();
    }
    screen.close();
    expect(screen.written().replace(OURS, '')).not.toContain('\u001b');
  });
});
