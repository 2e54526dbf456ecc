import { describe, expect, it } from 'vitest';
import { EXIT_PRECEDENCE, strongestExit } from '../../../src/contracts/exit-codes.ts';
import { afterAnswer, afterForm } from '../../../src/kernel/run/after-answer.ts';
import type { AnswerForm } from '../../../src/kernel/run/after-answer.ts';
import { modelCutOff, providersFailed } from '../../../src/kernel/run/model/model-errors.ts';
import { diffSize } from '../../../src/lib/diff/diff-size.ts';
import { finishOf } from '../../../src/kernel/run/finish.ts';
import type { RunLimits } from '../../../src/contracts/session/session-protocol.ts';
import { runSession } from '../../../src/kernel/run/run-session.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import { settle } from '../../support/standing-clock.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import type { RunEnd } from '../../../src/kernel/session/run-end.ts';
import { costOf, limitReached, nearLimits } from '../../../src/kernel/run/limits.ts';

const NOTHING = { gate: false, policy: false, review: false };

describe('how a run ends', () => {
  const ends: readonly (readonly [RunEnd, Partial<typeof NOTHING>, string, number])[] = [
    [{ kind: 'committed', commit: 'c', subject: 's' }, {}, 'committed', 0],
    [{ kind: 'answered' }, {}, 'done', 0],
    [{ kind: 'waiting' }, {}, 'waiting', 4],
    [{ kind: 'rejected', reason: 'no' }, {}, 'failed', 4],
    [{ kind: 'gave-up', reason: 'x' }, {}, 'failed', 1],
    [{ kind: 'gave-up', reason: 'x' }, { gate: true }, 'failed', 9],
    [{ kind: 'gave-up', reason: 'x' }, { policy: true }, 'failed', 8],
    [{ kind: 'gave-up', reason: 'x' }, { gate: true, policy: true }, 'failed', 9],
    [{ kind: 'gave-up', reason: 'x' }, { review: true, gate: true }, 'failed', 4],
    [{ kind: 'stuck', reason: 'x' }, {}, 'failed', 1],
    [{ kind: 'limit', limit: '2 turns' }, { gate: true }, 'failed', 5],
    [
      { kind: 'failed', error: providersFailed([{ code: 'auth', message: 'x', model: 'replay/x' }], 'replay/x') },
      { gate: true },
      'failed',
      6,
    ],
    [{ kind: 'failed', error: modelCutOff(3) }, { gate: true }, 'failed', 5],
    [{ kind: 'merge-failed', reason: 'x' }, { gate: true }, 'failed', 1],
    [{ kind: 'interrupted', signal: 'interrupt' }, {}, 'cancelled', 130],
    [{ kind: 'interrupted', signal: 'terminate' }, {}, 'cancelled', 143],
  ];
  it.each(ends)('%j with %j refused is %s, exit %i', (end, refused, status, exitCode) => {
    expect(finishOf(end, { ...NOTHING, ...refused }, 'answer')).toMatchObject({ status, exitCode });
  });

  it('with several reasons ends with the strongest', () => {
    expect(strongestExit([1, 9, 4, 3])).toBe(3);
    expect(strongestExit([8, 9])).toBe(9);
    expect(strongestExit([])).toBe(0);
    expect(new Set(EXIT_PRECEDENCE).size).toBe(EXIT_PRECEDENCE.length);
  });
});

describe('limits', () => {
  const spent = {
    turns: 3,
    usage: { input_tokens: 80, output_tokens: 20, cache_read_tokens: 500 },
    costUsd: 0.5,
    elapsedMs: 1000,
    session: { tokens: 800, cost_usd: 4 },
    totals: { day: { tokens: 1_000, cost_usd: 8 }, project: { tokens: 5_000, cost_usd: 40 } },
  };
  it.each([
    [{ max_turns: 3 }, true],
    [{ max_turns: 4 }, false],
    [{ max_tokens: 100 }, true],
    [{ max_tokens: 101 }, false],
    [{ max_cost_usd: 0.5 }, true],
    [{ max_cost_usd: 0.51 }, false],
    [{ max_duration_ms: 1000 }, true],
    [{ max_duration_ms: 1001 }, false],
    [{ max_session_tokens: 800 }, true],
    [{ max_session_tokens: 801 }, false],
    [{ max_session_cost_usd: 4 }, true],
    [{ max_session_cost_usd: 4.1 }, false],
    [{ max_day_tokens: 1_000 }, true],
    [{ max_day_tokens: 1_001 }, false],
    [{ max_day_cost_usd: 8 }, true],
    [{ max_day_cost_usd: 8.1 }, false],
    [{ max_project_tokens: 5_000 }, true],
    [{ max_project_tokens: 5_001 }, false],
    [{ max_project_cost_usd: 40 }, true],
    [{ max_project_cost_usd: 40.1 }, false],
    [{}, false],
  ])('%j reached: %s', (limits, reached) => {
    expect(limitReached(limits, spent) !== null).toBe(reached);
  });

  it('of money are reached exactly, although a sum of ten times 0.1 is less than 1', () => {
    const costUsd = Array.from({ length: 10 }, () => 0.1).reduce((sum, one) => sum + one, 0);
    expect(costUsd).toBeLessThan(1);
    expect(limitReached({ max_cost_usd: 1 }, { ...spent, costUsd })).not.toBeNull();
    expect(limitReached({ max_cost_usd: 1 }, { ...spent, costUsd: 0.999_999 })).toBeNull();
  });

  it('are near from four fifths on', () => {
    const limits = { max_turns: 4, max_tokens: 125, max_session_tokens: 1_000, max_session_cost_usd: 6 };
    expect(nearLimits(limits, spent)).toEqual(['125 tokens', '1000 tokens for the session']);
  });

  const listing = modelAnswer('', [{ tool: 'fs.list', input: { path: '.' } }]);

  /** A user who has used this much beside the session. */
  function elsewhere(limits: RunLimits, before: { readonly tokens: number; readonly cost_usd: number }) {
    const totals = { day: { ...before }, project: { ...before } };
    const told: number[] = [];
    const kernel = testKernel({
      state: 'planning',
      files: { 'a.js': '1' },
      options: { limits },
      services: {
        addSpending: ({ tokens }) => {
          told.push(tokens);
          totals.day.tokens += tokens;
          totals.project.tokens += tokens;
          return Promise.resolve(structuredClone(totals));
        },
      },
    });
    kernel.sandboxes.turns.push(listing, listing, listing, listing);
    return { kernel, told, run: () => runSession(kernel.services, kernel.session, new AbortController().signal) };
  }

  it('of time hold while the model is asked, which may never answer', async () => {
    const kernel = testKernel({ state: 'planning', options: { limits: { max_duration_ms: 5_000 } } });
    kernel.sandboxes.chat = (_request, _onEvent, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const ended = runSession(kernel.services, kernel.session, new AbortController().signal);
    await settle();
    await kernel.advance(4_999);
    expect(kernel.eventsOf('session.finished')).toEqual([]);
    await kernel.advance(1);
    await ended;
    expect(kernel.eventsOf('session.finished')).toMatchObject([
      { exit_code: 5, duration_ms: 5_000, summary: 'A limit was reached: 5 s (raise limits.duration to go on).' },
    ]);
  });

  it('of a day count what other sessions use, warn once and end with exit 5', async () => {
    const { kernel, told, run } = elsewhere({ max_day_tokens: 100 }, { tokens: 95, cost_usd: 0 });
    await run();
    expect(kernel.eventsOf('notice').map(({ code, why }) => [code, why])).toEqual([
      ['limit_near', 'four fifths of 100 tokens for the day are used'],
    ]);
    expect(kernel.eventsOf('session.finished')).toMatchObject([
      { exit_code: 5, summary: 'A limit was reached: 100 tokens for the day (raise limits.day.tokens to go on).' },
    ]);
    expect(told.reduce((sum, tokens) => sum + tokens, 0)).toBe(6);
  });

  it('over all sessions are no limit where the host does not know the sums: then nothing is asked', async () => {
    const { kernel } = elsewhere({ max_project_cost_usd: 5 }, { tokens: 0, cost_usd: 0 });
    const services = { ...kernel.services, addSpending: () => Promise.reject(new Error('disk full')) };
    await runSession(services, kernel.session, new AbortController().signal);
    expect(kernel.eventsOf('session.finished')).toMatchObject([
      { exit_code: 5, summary: expect.stringMatching(/does not know \(disk full\)/) as string },
    ]);
    expect(kernel.sandboxes.requests).toEqual([]);
  });

  it('what a run uses is added also where nothing limits it', async () => {
    const { told, run } = elsewhere({ max_turns: 2 }, { tokens: 0, cost_usd: 0 });
    await run();
    expect(told).toEqual([4]);
  });

  it('of a session count its earlier runs and its summaries, and are warned of once', async () => {
    const spending = (purpose: 'work' | 'summary', tokens: number) => ({
      ...{ model: 'replay/x', purpose, requests: 1, input_tokens: tokens, output_tokens: 0 },
      ...{ cache_read_tokens: 0, cache_write_tokens: 0, cost_usd: null },
    });
    const kernel = testKernel({
      state: 'planning',
      files: { 'a.js': '1', 'b.js': '2' },
      options: { limits: { max_session_tokens: 1_000 } },
      snapshot: { spending: [spending('work', 500), spending('summary', 350)] },
    });
    const read = (path: string) => modelAnswer('', [{ tool: 'fs.read', input: { path } }]);
    const costly = { type: 'usage', usage: { input_tokens: 100, output_tokens: 0, cache_read_tokens: 0 } } as const;
    const turns = [read('a.js'), read('b.js'), read('a.js')].map((events) =>
      events.map((each) => (each.type === 'usage' ? costly : each)),
    );
    kernel.sandboxes.turns.push(...turns);
    await runSession(kernel.services, kernel.session, new AbortController().signal);
    expect(kernel.eventsOf('notice').map(({ code }) => code)).toEqual(['limit_near']);
    expect(kernel.eventsOf('session.finished')).toMatchObject([
      {
        exit_code: 5,
        summary: 'A limit was reached: 1000 tokens for the session (raise limits.session.tokens to go on).',
      },
    ]);
    expect(kernel.sandboxes.requests).toHaveLength(2);
  });

  it('count cost by the million', () => {
    expect(
      costOf(
        { input_tokens: 1_000_000, output_tokens: 500_000, cache_read_tokens: 1_000_000 },
        { input: 3, output: 15, cache_read: 0.3 },
      ),
    ).toBeCloseTo(10.8);
    expect(costOf(spent.usage, undefined)).toBe(0);
  });
});

describe('an answer without a call', () => {
  const facts = { idleAnswers: 1, planSummary: 'Do it', hasStaged: true };
  it.each([
    ['planning', 1, 'done'],
    ['test_writing', 1, 'nudge'],
    ['test_writing', 3, 'stuck'],
    ['code_writing', 2, 'nudge'],
    ['code_writing', 3, 'stuck'],
    ['reviewing', 1, 'nudge'],
    ['reviewing', 2, 'propose'],
    ['exploring', 1, 'nudge'],
  ] as const)('in %s, the %i. in a row: %s', (state, idleAnswers, kind) => {
    expect(afterAnswer({ ...facts, state, idleAnswers }).kind).toBe(kind);
  });

  it('ends an exploration that changed nothing', () => {
    expect(afterAnswer({ ...facts, state: 'exploring', hasStaged: false }).kind).toBe('done');
  });
});

describe('a message that is no proper answer', () => {
  const form: AnswerForm = {
    text: '',
    stop: 'end',
    hasCalls: false,
    hasOutput: false,
    cutOffInARow: 0,
    emptyInARow: 0,
  };
  const empty = (emptyInARow: number): Partial<AnswerForm> => ({ emptyInARow });
  const cutOff = (cutOffInARow: number): Partial<AnswerForm> => ({ stop: 'cut-off', text: 'a', cutOffInARow });
  it.each<[string, Partial<AnswerForm>, string | null]>([
    ['a text', { text: 'Done.' }, null],
    ['calls alone', { hasCalls: true }, null],
    ['a refusal', { stop: 'refusal', text: 'I will not' }, 'model_refused'],
    ['a refusal with a call', { stop: 'refusal', hasCalls: true }, 'model_refused'],
    ['an empty message', empty(1), 'nudge'],
    ['blanks', { ...empty(1), text: ' \n' }, 'nudge'],
    ['the second empty one in a row', empty(2), 'nudge'],
    ['the third', empty(3), 'model_empty_answer'],
    ['a text that is cut off', cutOff(1), 'nudge'],
    ['the second in a row', cutOff(2), 'nudge'],
    ['the third cut off', cutOff(3), 'model_cut_off'],
    ['calls that are cut off', { ...cutOff(1), hasCalls: true }, null],
    ['the third with calls', { ...cutOff(3), hasCalls: true }, 'model_cut_off'],
  ])('%s', (_name, change, expected) => {
    const next = afterForm({ ...form, ...change });
    expect(next === null ? null : next.kind === 'failed' ? next.error.code : next.kind).toBe(expected);
  });
});

describe('the size of a diff', () => {
  it('counts added and removed lines, not headers', () => {
    expect(diffSize('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same\n')).toEqual({ added: 1, removed: 1 });
  });

  it('counts a removed line that itself begins with two dashes', () => {
    expect(diffSize('--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- comment\n+++ more\n')).toEqual({ added: 1, removed: 1 });
  });
});
