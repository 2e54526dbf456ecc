import { describe, expect, it } from 'vitest';
import { runSession } from '../../../src/kernel/run/run-session.ts';
import { SessionManager } from '../../../src/kernel/serve/session-manager.ts';
import { addUserMessage, queueUserMessage } from '../../../src/kernel/session/user-messages.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import { settle } from '../../support/standing-clock.ts';
import { SESSION_ID, testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../support/kernel/test-kernel.ts';

const QUESTION = 'Where are the values kept?\nIt cannot be changed later.';
const ASK = modelAnswer('I need a decision.', [
  { tool: 'user.ask', input: { question: QUESTION, options: ['In memory', 'In a file'] } },
]);
const PLAN = modelAnswer('', [{ tool: 'plan.complete', input: { summary: 'A cache', steps: ['red', 'green'] } }]);

/** Sends messages to one session, each when the run of the one before has ended. */
async function talk(
  messages: readonly string[],
  turns: readonly ReturnType<typeof modelAnswer>[],
  options: TestKernelOptions = {},
) {
  const kernel = testKernel({ state: 'idle', ...options });
  kernel.sandboxes.turns.push(...turns);
  kernel.session.save();
  const manager = new SessionManager(kernel.services, kernel.store, (error) => {
    throw error;
  });
  const session = manager.get(SESSION_ID);
  const ends: { status: string; exit_code: number; summary: string }[] = [];
  for (const text of messages) {
    await new Promise<void>((resolve) => {
      const stop = session.subscribe((event) => {
        if (event.type !== 'session.finished') return;
        ends.push(event);
        stop();
        resolve();
      });
      void manager.message({ session_id: SESSION_ID, text });
    });
    await settle();
  }
  return { kernel, session, ends };
}

describe('a question of the model', () => {
  it.each([
    ['without a terminal', false, `Answer it: fluffy -p "your answer" --resume ${SESSION_ID}`],
    ['in one', true, 'Your next message answers it.'],
  ])('%s ends the run as waiting, with the question in one line', async (_name, interactive, how) => {
    const { ends, session, kernel } = await talk(['Add a cache.'], [ASK], { options: { interactive } });
    const asked = `Question: Where are the values kept? It cannot be changed later. (1. In memory  2. In a file) ${how}`;
    expect(ends).toMatchObject([{ status: 'waiting', exit_code: 4, summary: asked }]);
    expect(session.state).toBe('planning');
    expect(kernel.sandboxes.requests).toHaveLength(1);
  });

  it.each([
    ['2', '2. In a file'],
    ['3', '3'],
    ['Neither: use SQLite.', 'Neither: use SQLite.'],
  ])('is answered by the next message: %j', async (text, read) => {
    const { ends, session, kernel } = await talk(['Add a cache.', text], [ASK, modelAnswer('Thank you.')]);
    expect(ends[1]).toMatchObject({ status: 'done', exit_code: 0 });
    expect(kernel.sandboxes.requests.at(-1)?.messages).toContainEqual({ role: 'user', text: read });
    expect(session.snapshot.question).toBeNull();
    expect(session.snapshot.task).toBe('Add a cache.');
  });
});

it('of two questions in one message the second is refused, and the user is asked the first', async () => {
  const ask = (question: string) => ({ tool: 'user.ask', input: { question } });
  const { ends, session } = await talk(['Add a cache.'], [modelAnswer('', [ask('Which one?'), ask('Which size?')])]);
  expect(ends[0]?.summary).toMatch(/^Question: Which one\? /);
  expect(session.messages.at(-1)).toMatchObject({
    role: 'tool',
    results: [{ ok: true }, { ok: false, content: expect.stringContaining('Ask this one after it') as string }],
  });
});

it('a question is not answered by a message that was typed before it was shown: the model reads both, and may ask again', async () => {
  const { session, services, sandboxes, eventsOf } = testKernel({ state: 'planning' });
  sandboxes.turns.push(() => {
    queueUserMessage(session, { text: '1' });
    return ASK;
  }, ASK);
  addUserMessage(session, { text: 'Add a cache.' });
  await runSession(services, session, new AbortController().signal);
  const read = sandboxes.requests.at(-1)?.messages.slice(-2);
  expect(read).toEqual([
    { role: 'user', author: 'kernel', text: expect.stringContaining('was not shown') as string },
    { role: 'user', text: '1' },
  ]);
  expect(eventsOf('session.finished')).toMatchObject([{ status: 'waiting', exit_code: 4 }]);
});

it('a question that was not shown, because the run ended otherwise, is not answered by the next message', async () => {
  const both = modelAnswer('', [
    { tool: 'user.ask', input: { question: QUESTION, options: ['In memory', 'In a file'] } },
    { tool: 'task.give_up', input: { reason: 'It cannot be done.' } },
  ]);
  const { ends, kernel } = await talk(['Add a cache.', '1'], [both, modelAnswer('One of what?')]);
  expect(ends[0]).toMatchObject({ status: 'failed', summary: 'The model gave up: It cannot be done.' });
  expect(kernel.sandboxes.requests.at(-1)?.messages).toContainEqual({ role: 'user', text: '1' });
});

describe('the list of steps', () => {
  it("begins as the plan's and is replaced by the model's", async () => {
    const items = [
      { text: 'red', state: 'done' },
      { text: 'green', state: 'doing' },
    ];
    const update = modelAnswer('', [{ tool: 'todo.update', input: { items } }]);
    const giveUp = modelAnswer('', [{ tool: 'task.give_up', input: { reason: 'enough' } }]);
    const { session, kernel } = await talk(['Add a cache.'], [PLAN, update, giveUp], {
      testCommand: { runner: 'node-test', cwd: '', args: [] },
    });
    const events = kernel.store
      .events(SESSION_ID, 0)
      .flatMap((event) => (event.type === 'todo.updated' ? [event.items] : []));
    expect(events).toEqual([
      [
        { text: 'red', state: 'open' },
        { text: 'green', state: 'open' },
      ],
      items,
    ]);
    expect(session.snapshot.todo).toEqual(items);
  });
});
