import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../../src/contracts/model/model.ts';
import { runSession } from '../../../../src/kernel/run/run-session.ts';
import { addUserMessage } from '../../../../src/kernel/session/user-messages.ts';
import { modelAnswer } from '../../../support/kernel/fake-sandboxes.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const TASK = 'Please add an LRU cache to the store, with a limit.';
const SMALL = { model: 'replay/small', price: { input: 1, output: 2, cache_read: 0 } };

interface Scene {
  readonly small?: typeof SMALL | null;
  /** What the small model answers; null: nothing, until it is told to stop. */
  readonly title?: string | null;
  readonly limits?: { readonly max_session_cost_usd?: number };
}

/** A run of two answers of the main model, with what was asked of which model. */
async function play({ small = SMALL, title = 'An LRU cache for the store', limits = {} }: Scene) {
  const kernel = testKernel({
    state: 'planning',
    files: { 'package.json': '{}' },
    options: { limits, ...(small === null ? {} : { small_model: small }) },
  });
  const asked: ModelRequest[] = [];
  let turns = 0;
  kernel.sandboxes.chat = async (request, onEvent, signal) => {
    asked.push(request);
    const isTitle = request.tools.length === 0;
    if (isTitle && title === null) {
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    }
    turns += isTitle ? 0 : 1;
    const calls = turns % 2 === 1 ? [{ tool: 'fs.list', input: { path: '.' } }] : [];
    for (const event of isTitle ? modelAnswer(title ?? '') : modelAnswer('Done.', calls)) {
      onEvent(event.type === 'call_start' ? { ...event, call_id: `t${turns}` } : event);
    }
  };
  const run = async (text: string): Promise<void> => {
    addUserMessage(kernel.session, { text });
    await runSession(kernel.services, kernel.session, new AbortController().signal);
  };
  await run(TASK);
  return { kernel, asked, run, title: () => kernel.session.row.title };
}

const titleRequests = (asked: readonly ModelRequest[]): readonly ModelRequest[] =>
  asked.filter(({ tools }) => tools.length === 0);

describe('the title of a session', () => {
  it('is given by the small model, which is sent the task and nothing else, and no tools', async () => {
    const { kernel, asked, title } = await play({});
    expect(title()).toBe('An LRU cache for the store');
    expect(titleRequests(asked)).toMatchObject([{ model: 'small', messages: [{ role: 'user', text: TASK }] }]);
    expect(kernel.session.snapshot.spending).toContainEqual(
      expect.objectContaining({ model: 'replay/small', purpose: 'title', requests: 1 }),
    );
    // The main model was asked before, and its second request did not carry anything of it.
    expect(asked[0]?.model).toBe('x');
    expect(JSON.stringify(asked.filter(({ tools }) => tools.length > 0))).not.toContain('An LRU cache for the store');
  });

  it('is asked for once', async () => {
    const { asked, run } = await play({});
    await run('And now the tests.');
    expect(titleRequests(asked)).toHaveLength(1);
  });

  it('delays nothing: a run ends while the small model is silent, and the next run asks again', async () => {
    const { kernel, asked, run, title } = await play({ title: null });
    expect(kernel.eventsOf('session.finished')).toMatchObject([{ status: 'done' }]);
    expect(title()).toBe('');
    await run('And now the tests.');
    expect(titleRequests(asked)).toHaveLength(2);
  });

  it.each<[string, Scene]>([
    ['no small model is set', { small: null }],
    [
      'a limit in money could not count it',
      { small: { model: 'replay/small' } as typeof SMALL, limits: { max_session_cost_usd: 5 } },
    ],
    ['policy denies its host', { small: { ...SMALL, model: 'elsewhere/small' } }],
  ])('is not asked for where %s', async (_what, scene) => {
    const { asked, title } = await play(scene);
    expect(titleRequests(asked)).toEqual([]);
    expect(title()).toBe('');
  });

  it.each([
    ['"LRU cache for the store."', 'LRU cache for the store'],
    ['**Title: LRU cache**\nand more', 'LRU cache'],
    ['\u001b[31mred\u202e\u0007', '[31mred'],
    ['x'.repeat(200), `${'x'.repeat(79)}…`],
    ['  \n', ''],
  ])('%j becomes %j', async (written, expected) => {
    const { title } = await play({ title: written });
    expect(title()).toBe(expected);
  });
});
