import { cardOf } from '../../../../src/tui/review/card.ts';
import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../../../src/contracts/session/events.ts';
import type { Item } from '../../../../src/tui/store/item.ts';
import type { ViewState } from '../../../../src/tui/store/view-state.ts';
import { safeLine } from '../../../../src/tui/store/safe-text.ts';
import { reduce } from '../../../../src/tui/store/reduce/reduce.ts';
import {
  FINISHED,
  freshView,
  REVIEW,
  SESSION,
  START_MS,
  STRICT_RUN,
  USAGE,
  stream,
  viewAfter,
} from '../../event-stream.ts';

/** An item in a line, for comparing whole runs. */
function brief(item: Item): string {
  switch (item.kind) {
    case 'text':
      return `text: ${item.block.raw.trimEnd().replaceAll('\n', ' | ')}`;
    case 'reads':
      return `reads: ${item.names.join(', ')}`;
    case 'user':
    case 'answer':
    case 'script':
    case 'printed':
      return `${item.kind}: ${item.lines.join(' | ')}`;
    case 'tool':
      return `${item.ok ? 'ok' : 'failed'}: ${item.tool} ${item.target}; ${item.summary}`;
    case 'command':
      return `command: ${item.line}`;
    case 'state':
      return `state: ${item.to}`;
    case 'note':
    case 'decided':
      return `${item.kind}: ${item.text}`;
    case 'finished':
      return `finished: ${[...item.reason, item.line].join(' | ')}`;
    case 'problem':
      return `problem: ${item.what}`;
    case 'thought':
      return `thought: ${item.durationMs}`;
    case 'header':
    case 'tests':
    case 'proposal':
    case 'card':
    case 'diff':
      return item.kind;
  }
}

const briefly = (bodies: readonly EventBody[]) => viewAfter(bodies).items.map(brief);
const tool = (call: string): EventBody => ({
  type: 'tool.started',
  call_id: call,
  tool: 'fs.read',
  input: { path: call },
});

describe('a thought', () => {
  const thought = (duration_ms: number): EventBody => ({ type: 'thinking.done', text: 'Let me see.', duration_ms });

  it('is one line between what was said before and after, and a page behind Ctrl-O', () => {
    const bodies = [thought(12_000), { type: 'text.done', text: 'Four.' }] as const;
    expect(briefly(bodies)).toEqual(['thought: 12000', 'text: Four.']);
    expect(viewAfter(bodies).calls).toEqual([{ thought: { raw: 'Let me see.' }, durationMs: 12_000 }]);
  });

  it('that was short has no line', () => {
    expect(briefly([thought(300)])).toEqual([]);
    expect(viewAfter([thought(300)]).calls).toHaveLength(1);
  });
});

describe('what a run leaves on the screen', () => {
  it('is one item for each thing that ended, states behind the calls that led to them', () => {
    expect(briefly(STRICT_RUN)).toEqual([
      'user: Say what is wrong',
      'state: planning',
      'text: I will look first. | Then I write',
      'ok: fs.read src/a.js; 2 lines',
      'ok: plan.complete Shout; plan accepted',
      'state: test_writing',
      'failed: fs.write src/a.js; tool_unavailable: fs.write on src/a.js is not open in state test_writing.',
      'ok: test.run test/a.test.js; (red confirmed)',
      'state: code_writing',
      'ok: fs.write src/a.js; +2 -1',
    ]);
  });

  it('is a line for what follows from an edit of the person, and no typed command', () => {
    const call = { call_id: 'u_1', tool: 'fs.write' };
    expect(
      briefly([
        {
          type: 'tool.started',
          ...call,
          input: { path: 'src/a.js', content: 'mine' },
          summary: 'src/a.js',
          by: 'user',
        },
        { type: 'tool.finished', ...call, ok: true, summary: '+1 -1', duration_ms: 1 },
      ]),
    ).toEqual(['ok: fs.write src/a.js; +1 -1']);
  });

  it('names the tests that failed, with the beginning of why', () => {
    const item = viewAfter(STRICT_RUN).items.find((each) => each.kind === 'tool' && each.tests !== null);
    expect(item).toMatchObject({
      tests: {
        passed: 1,
        failed: 1,
        failures: [{ file: 'test/a.test.js', name: 'says what is wrong', why: ["expected 'TWO'", "but got 'two'"] }],
      },
    });
  });

  it('collapses the diff of a write to a bounded number of lines', () => {
    const many = Array.from({ length: 300 }, (_, index) => `+line ${index}`);
    const diff = `--- a/x\n+++ b/x\n@@ -0,0 +1,300 @@\n${many.join('\n')}\n`;
    const { items } = viewAfter([
      tool('c'),
      { type: 'tool.finished', call_id: 'c', tool: 'fs.write', ok: true, summary: '', duration_ms: 1, diff },
    ]);
    const item = items[0];
    if (item?.kind !== 'tool' || item.diff === null) throw new Error('no diff');
    const shown = item.diff.files[0]?.hunks[0]?.lines.length ?? 0;
    expect(shown).toBeLessThanOrEqual(12);
    expect(shown + item.diff.hidden).toBe(300);
    expect(item.diff).toMatchObject({ added: 300, removed: 0 });
  });

  it('never shortens what a review shows', () => {
    const many = Array.from({ length: 3000 }, (_, index) => `+line ${index}`);
    const diff = `--- a/x\n+++ b/x\n@@ -0,0 +1,3000 @@\n${many.join('\n')}\n`;
    const item = viewAfter([{ ...REVIEW, diff }]).items[0];
    if (item?.kind !== 'card') throw new Error('no card');
    const lines = item.card.diff.files[0]?.hunks[0]?.lines ?? [];
    expect(lines.map(({ raw }) => `+${raw}`)).toEqual(many);
  });

  it('says of an edit that the person made it, and takes away a hint about the review before', () => {
    const edited = {
      decision: 'rejected',
      by: 'human',
      reason: 'edited src/a.js; the tests run again with it',
      edited: true,
    } as const;
    const hinted = { ...viewAfter([REVIEW]), hint: safeLine('No review waits.') };
    const view = viewAfter([{ type: 'review.decided', review_id: REVIEW.review_id, ...edited }], hinted);
    expect(view.items.at(-1)).toMatchObject({ good: true, text: 'You edited src/a.js; the tests run again with it' });
    expect([view.card, view.hint]).toEqual([null, null]);
    expect(viewAfter([REVIEW], { ...freshView(), hint: safeLine('No review waits.') }).hint).toBeNull();
  });

  it('says of a request for tests that the person requested them', () => {
    const event = { decision: 'rejected', by: 'human', reason: 'cover the error', tests: true } as const;
    const view = viewAfter([REVIEW, { type: 'review.decided', review_id: REVIEW.review_id, ...event }]);
    expect(view.items.at(-1)).toMatchObject({ good: true, text: 'You requested tests: cover the error' });
  });

  it('keeps a hint about a review that outlasts its run, and none about the run', () => {
    const hint = safeLine('The review has only just been drawn.');
    const ended = (view: ViewState) => viewAfter([{ ...FINISHED, status: 'waiting', exit_code: 4 }], { ...view, hint });
    expect(ended(viewAfter([REVIEW])).hint).toBe(hint);
    expect(ended(freshView()).hint).toBeNull();
  });

  it('shows a question once, and that the next message answers it', () => {
    const view = viewAfter([
      { type: 'tool.started', call_id: 'c1', tool: 'user.ask', input: {}, summary: 'Which colour?' },
      { type: 'question.asked', question: 'Which colour?', options: ['red', 'blue'] },
      { type: 'tool.finished', call_id: 'c1', tool: 'user.ask', ok: true, summary: 'asked', duration_ms: 1 },
      { ...FINISHED, status: 'waiting', exit_code: 4, summary: 'Question: Which colour? (1. red  2. blue)' },
    ]);
    expect(JSON.stringify(view.items).match(/Which colour/g)).toHaveLength(1);
    expect(view.items.at(-1)).toMatchObject({
      line: 'Asked after 12.3s. Your next message is the answer.',
      reason: [],
    });
  });

  it('leaves it to the card how a review that outlasts its run is decided', () => {
    const view = viewAfter([
      REVIEW,
      { ...FINISHED, status: 'waiting', exit_code: 4, summary: 'fluffy review shows it' },
    ]);
    expect(view.items.at(-1)).toMatchObject({ line: 'Waiting for your decision, after 12.3s of work.', reason: [] });
  });

  it('says of an interrupted run what becomes of staged work only where there can be any', () => {
    const last = (state: 'planning' | 'code_writing') =>
      viewAfter([{ ...FINISHED, status: 'cancelled', exit_code: 130 }], { ...freshView(), state }).items.at(-1);
    expect(last('planning')).toMatchObject({ line: 'Interrupted after 12.3s. Say how to go on.' });
    expect(JSON.stringify(last('code_writing'))).toContain('/reset');
  });

  it('forgets what was observed when that has ended', () => {
    const view = viewAfter([
      { type: 'proof.started', observation: 'findings' },
      { type: 'proof.finished', observation: 'findings', ok: true, detail: 'none', duration_ms: 1 },
    ]);
    expect(view.proving).toMatchObject({ done: 1, total: null, running: [] });
    expect(viewAfter([FINISHED], view).proving).toBeNull();
  });

  it.each([
    ['committed', {}, 'Done. Commit 4f3c2d1a09, 2 files changed, 12.3s.'],
    ['done', { status: 'done', files_changed: [] }, 'Done. It took 12.3s.'],
    ['cancelled', { status: 'cancelled', exit_code: 130 }, 'Interrupted after 12.3s. Say how to go on.'],
    [
      'failed',
      { status: 'failed', exit_code: 6, summary: 'The provider failed' },
      'The provider failed | Ended without a commit after 12.3s (exit 6).',
    ],
    [
      'waiting',
      { status: 'waiting', exit_code: 4, summary: 'It waits' },
      'It waits | Waiting for your decision, after 12.3s of work.',
    ],
  ] as const)('ends a run that was %s in its own words', (_, change, line) => {
    expect(briefly([{ ...FINISHED, ...change } as EventBody])).toEqual([`finished: ${line}`]);
  });
});

describe('what the model wants people to see', () => {
  const shown = (bodies: readonly EventBody[]) =>
    viewAfter(bodies).items.flatMap((item) => (item.kind === 'answer' ? [item.lines] : []));

  it('is a question with its options, and lines of nobody else', () => {
    const asked: EventBody = {
      type: 'question.asked',
      question: 'Which?\u001b[2J\nOne:',
      options: ['SQL\nite', 'Files'],
    };
    expect(shown([asked])).toEqual([['Which?\\x1b[2J', 'One:', '  1. SQL\\nite', '  2. Files']]);
  });

  it('is a list of steps, written again only where its steps are others', () => {
    const todo = (state: 'open' | 'done', ...texts: readonly string[]): EventBody => ({
      type: 'todo.updated',
      items: texts.map((text) => ({ text, state })),
    });
    expect(shown([todo('open', 'red'), todo('done', 'red'), todo('open', 'red', 'green')])).toEqual([
      ['[ ] red'],
      ['[ ] red', '[ ] green'],
    ]);
  });
});

describe('text that streams in', () => {
  it('keeps the unfinished block out of the scrollback until it ends', () => {
    const view = viewAfter([{ type: 'text.delta', text: 'one\n\ntw' }]);
    expect(view.items.map(brief)).toEqual(['text: one']);
    expect(view.stream.text.slice(view.stream.printed)).toBe('tw');
  });

  it('shows each character once, wherever the chunks were cut', () => {
    const text = 'First line.\n\n  indented\nlast — ünïcode 👩‍👩‍👧';
    for (let cut = 0; cut <= text.length; cut += 1) {
      const { items } = viewAfter([
        { type: 'text.delta', text: text.slice(0, cut) },
        { type: 'text.delta', text: text.slice(cut) },
        { type: 'text.done', text },
      ]);
      const shown = items.map((item) => (item.kind === 'text' ? item.block.raw : ''));
      expect(shown.join('')).toBe(text);
    }
  });

  it('shows an answer whole that was asked for again', () => {
    expect(
      briefly([
        { type: 'text.delta', text: 'Half an ans' },
        {
          type: 'notice',
          level: 'warn',
          what: 'Asked again',
          why: 'overloaded',
          fix: 'Nothing to do',
          code: 'provider_retry',
        },
        { type: 'text.delta', text: 'The whole answer' },
        { type: 'text.done', text: 'The whole answer' },
      ]),
    ).toEqual(['text: The whole answer']);
  });

  it('says in one row that the model is asked again, until anything else comes', () => {
    const retry = (fix: string): EventBody => ({
      type: 'notice',
      level: 'warn',
      what: 'Asked again',
      why: 'overloaded',
      fix,
      code: 'provider_retry',
    });
    const again = viewAfter([retry('Attempt 2 follows'), retry('Attempt 3 follows')]);
    expect(again).toMatchObject({ items: [], providerRow: 'Attempt 3 follows: overloaded' });
    expect(viewAfter([retry('Attempt 2 follows'), { type: 'text.delta', text: 'So' }]).providerRow).toBeNull();
  });

  it('says in one row that the provider is silent, and keeps the text that it has sent', () => {
    const silent: EventBody = {
      type: 'notice',
      level: 'info',
      what: 'No answer for 30 s',
      why: 'openai/gpt-5 has not sent anything',
      fix: 'Nothing',
      code: 'provider_silent',
    };
    const view = viewAfter([{ type: 'text.delta', text: 'Half' }, silent]);
    expect(view).toMatchObject({
      items: [],
      stream: { text: 'Half' },
      providerRow: 'No answer for 30 s: openai/gpt-5 has not sent anything',
    });
    expect(viewAfter([silent, { type: 'text.delta', text: 'So' }]).providerRow).toBeNull();
  });

  it('says why a review is over that nobody decided', () => {
    expect(
      briefly([
        {
          type: 'review.decided',
          review_id: 'r',
          decision: 'expired',
          by: 'policy',
          reason: 'replaced by a newer one',
        },
      ]),
    ).toEqual([expect.stringContaining('without a decision: replaced by a newer one')]);
  });
});

describe('calls that only look', () => {
  const read = (id: string, ok = true): EventBody[] => [
    { type: 'tool.started', call_id: id, tool: 'fs.read', input: { path: `src/${id}.js` } },
    { type: 'tool.finished', call_id: id, tool: 'fs.read', ok, summary: '3 lines', duration_ms: 10 },
  ];

  it('become one line when anything else follows, and lose none', () => {
    const view = viewAfter([...read('a'), ...read('b'), ...read('c')]);
    expect(view.items).toEqual([]);
    expect(viewAfter([...read('a'), ...read('b'), { type: 'text.done', text: 'So.' }]).items.map(brief)).toEqual([
      'reads: src/a.js, src/b.js',
      'text: So.',
    ]);
  });

  it('keep their own line where there is only one, or where one failed', () => {
    expect(briefly([...read('a'), FINISHED]).slice(0, 1)).toEqual(['ok: fs.read src/a.js; 3 lines']);
    expect(briefly([...read('a'), ...read('b', false), ...read('c'), FINISHED]).slice(0, 3)).toEqual([
      'ok: fs.read src/a.js; 3 lines',
      'failed: fs.read src/b.js; 3 lines',
      'ok: fs.read src/c.js; 3 lines',
    ]);
  });
});

describe('calls under way', () => {
  it('are drawn until they end, each by itself', () => {
    const view = viewAfter([
      tool('c1'),
      tool('c2'),
      { type: 'tool.finished', call_id: 'c1', tool: 'fs.read', ok: true, summary: '', duration_ms: 1 },
    ]);
    expect(view.tools.map(({ callId, sinceMs }) => ({ callId, sinceMs }))).toEqual([
      { callId: 'c2', sinceMs: START_MS + 1 },
    ]);
  });

  it.each([
    ['the run was interrupted', { ...FINISHED, status: 'cancelled' } as EventBody],
    [
      'the kernel came back',
      { type: 'state.changed', from: 'validating', to: 'code_writing', trigger: 'recovered' } as EventBody,
    ],
  ])('are cut off when %s', (_, body) => {
    const view = viewAfter([tool('c1'), body]);
    expect(view.tools).toEqual([]);
    expect(view.items.map(brief)[0]).toBe('failed: fs.read c1; cut off');
  });

  it('do not say twice why a gate stayed shut', () => {
    const why = 'No test has failed yet.';
    expect(
      briefly([
        tool('c'),
        { type: 'notice', level: 'info', what: 'The source stays closed', why, fix: '', code: 'unexpected_green' },
        {
          type: 'tool.finished',
          call_id: 'c',
          tool: 'test.run',
          ok: false,
          summary: why,
          duration_ms: 1,
          error: { code: 'unexpected_green', message: why, retryable: true },
        },
      ]),
    ).toEqual(['note: The source stays closed: No test has failed yet.', 'failed: test.run c; unexpected_green']);
  });
});

describe('reviews', () => {
  it('wait until they are decided, with the very strings that were shown', () => {
    const waiting = viewAfter([REVIEW]);
    expect(waiting.card).toEqual({
      reviewId: 'r_1',
      shown: cardOf(REVIEW),
      kind: 'merge',
      message: REVIEW.message,
      diff: REVIEW.diff,
      sha256: REVIEW.sha256,
      drawnAtMs: null,
      waitsSinceMs: null,
      deciding: false,
    });
    const decided = viewAfter([
      REVIEW,
      { type: 'review.decided', review_id: 'r_1', decision: 'approved', by: 'human' },
    ]);
    expect(decided.card).toBeNull();
  });

  it('do not wait when nobody is asked', () => {
    const view = viewAfter([{ ...REVIEW, reasons: [] }]);
    expect(view.card).toBeNull();
    expect(view.items.map(brief)).toEqual(['proposal']);
  });

  it('are on the screen only once the frame with their card has been written', () => {
    const waiting = viewAfter([{ type: 'message.user', text: 'hello' }, REVIEW]);
    const before = reduce(waiting, { kind: 'printed', before: 1, atMs: 5 });
    expect(before.card?.drawnAtMs).toBeNull();
    const drawn = reduce(before, { kind: 'printed', before: 2, atMs: 7 });
    expect(drawn.card?.drawnAtMs).toBe(7);
    expect(reduce(drawn, { kind: 'printed', before: 2, atMs: 9 }).card?.drawnAtMs).toBe(7);
  });

  it('stay decidable after the run was interrupted', () => {
    expect(viewAfter([REVIEW, { ...FINISHED, status: 'cancelled' }]).card?.reviewId).toBe('r_1');
  });
});

describe('the meter', () => {
  it('counts no time in which a run waits for a decision, in its last line neither', () => {
    const decided: EventBody = { type: 'review.decided', review_id: 'r_1', decision: 'approved', by: 'human' };
    const events = stream([{ type: 'message.user', text: 'hello' }, REVIEW, decided, FINISHED]);
    const atMs = [0, 2_000, 12_000, 12_345];
    const view = events.reduce(
      (before, event, index) => reduce(before, { kind: 'event', event, atMs: atMs[index] ?? 0 }),
      freshView(),
    );
    expect(view.meter.workedMs).toBe(2_345);
    expect(view.items.at(-1)).toMatchObject({ kind: 'finished', line: expect.stringMatching(/, 2\.3s\.$/) as string });
  });

  it('adds up tokens, money and the time of ended runs', () => {
    const usage: EventBody = { type: 'usage', ...USAGE, cost_usd: 0.5 };
    expect(viewAfter([usage, usage, FINISHED, FINISHED]).meter).toEqual({
      inputTokens: 2400,
      outputTokens: 600,
      costUsd: 1,
      workedMs: 24_690,
      contextLeft: null,
    });
  });

  it('shows what is left of the window since the last answer', () => {
    const usage = (used_tokens: number): EventBody => ({
      type: 'usage',
      ...USAGE,
      context: { used_tokens, window_tokens: 100_000 },
    });
    expect(viewAfter([usage(90_000), usage(25_000)]).meter.contextLeft).toBe(0.75);
    expect(viewAfter([usage(120_000)]).meter.contextLeft).toBe(0);
  });

  it('names no price as soon as one is unknown', () => {
    expect(
      viewAfter([
        { type: 'usage', ...USAGE, cost_usd: 0.5 },
        { type: 'usage', ...USAGE },
      ]).meter.costUsd,
    ).toBeNull();
  });
});

describe('mode, state and session', () => {
  it('follow the kernel', () => {
    const view = viewAfter([
      ...STRICT_RUN,
      { type: 'mode.changed', from: 'strict', to: 'explore', by: 'human' },
      { type: 'state.changed', from: 'code_writing', to: 'idle', trigger: 'commit_completed' },
    ]);
    expect(view).toMatchObject({ mode: 'explore', state: 'idle', sessionId: SESSION });
  });

  it('a run runs from the message to its end', () => {
    expect(freshView().run).toEqual({ kind: 'idle', last: null });
    expect(viewAfter(STRICT_RUN).run.kind).toBe('running');
    expect(viewAfter([...STRICT_RUN, FINISHED]).run).toEqual({ kind: 'idle', last: 'committed' });
  });

  it('forgets what it has shown, so that a long session stays small', () => {
    const view = viewAfter(STRICT_RUN);
    const printed = reduce(view, { kind: 'printed', before: view.items.length, atMs: 1 });
    expect(printed.items).toHaveLength(view.items.length);
    expect(new Set(printed.items).size).toBe(1);
  });
});
