import { describe, expect, it } from 'vitest';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import type { ModelEvent } from '../../../src/contracts/model/model.ts';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import type { ProviderSandbox } from '../../../src/contracts/ports/sandboxes.ts';
import { runSession } from '../../../src/kernel/run/run-session.ts';
import type { FakeTurn } from '../../support/kernel/fake-sandboxes.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernel, TestKernelOptions } from '../../support/kernel/test-kernel.ts';

const done = (stop: Extract<ModelEvent, { type: 'done' }>['stop']): ModelEvent => ({ type: 'done', stop });
const text = (words: string): ModelEvent => ({ type: 'text_delta', text: words });
const call = (index: number, call_id: string, tool: string, args: string): ModelEvent[] => [
  { type: 'call_start', index, call_id, tool },
  { type: 'call_delta', index, arguments_delta: args },
  { type: 'call_end', index },
];
const thought: ModelEvent = { type: 'usage', usage: { input_tokens: 1, output_tokens: 900, cache_read_tokens: 0 } };
const failed = (code: 'auth' | 'overloaded'): ModelEvent => ({
  type: 'failed',
  code,
  message: 'said the provider',
  retryable: false,
});

/** More answers than any run may ask for. */
const forEver = (turn: FakeTurn): FakeTurn[] => Array<FakeTurn>(50).fill(turn);

async function run(turns: readonly FakeTurn[], options: TestKernelOptions = {}): Promise<TestKernel> {
  const kernel = testKernel({ state: 'planning', files: { 'a.js': '1' }, ...options });
  kernel.sandboxes.turns.push(...turns);
  await runSession(kernel.services, kernel.session, new AbortController().signal);
  return kernel;
}

function endOf(kernel: TestKernel) {
  const finished = kernel.eventsOf('session.finished');
  expect(finished).toHaveLength(1);
  const [error] = kernel.eventsOf('error');
  const { status, exit_code: exitCode } = finished[0] ?? { status: null, exit_code: null };
  return { status, exitCode, code: error?.code ?? null, requests: kernel.sandboxes.requests.length };
}

describe('what the disk waits for', () => {
  it('is two steps for an answer with calls: the answer with its text and its cost, and the results', async () => {
    const kernel = testKernel({ state: 'planning', files: { 'a.js': '1', 'b.js': '2' } });
    const reads = ['a.js', 'b.js'].map((path) => ({ tool: 'fs.read', input: { path } }));
    let before = 0;
    let between: readonly (readonly FluffyEvent[])[] = [];
    kernel.sandboxes.turns.push(
      () => {
        before = kernel.store.writes.length;
        return modelAnswer('I look at both.', reads);
      },
      () => {
        between = kernel.store.writes.slice(before);
        return modelAnswer('Done.');
      },
    );
    await runSession(kernel.services, kernel.session, new AbortController().signal);
    const [answer, results, ...more] = between.map((events) => events.map(({ type }) => type));
    expect(answer).toEqual(['text.delta', 'usage', 'text.done']);
    expect(new Set(results)).toEqual(new Set(['tool.started', 'policy.decision', 'tool.finished']));
    expect(more).toEqual([]);
    expect(kernel.session.history().map(({ role }) => role)).toContain('tool');
  });
});

describe('a run ends', () => {
  it.each<[string, readonly FakeTurn[], TestKernelOptions, ReturnType<typeof endOf>]>([
    ['with an answer', [modelAnswer('42')], {}, { status: 'done', exitCode: 0, code: null, requests: 1 }],
    [
      'when the model refuses',
      [[text('I will not.'), done('refusal')]],
      {},
      { status: 'failed', exitCode: 1, code: 'model_refused', requests: 1 },
    ],
    [
      'when the model goes in a circle, after it and then the user were informed',
      forEver([...call(0, 'c1', 'fs.read', '{"path":"a.js"}'), done('tool_calls')]),
      {},
      { status: 'failed', exitCode: 9, code: null, requests: 11 },
    ],
    [
      'when the model says nothing',
      forEver([done('end_turn')]),
      {},
      { status: 'failed', exitCode: 6, code: 'model_empty_answer', requests: 3 },
    ],
    [
      'when the model only thinks',
      forEver([thought, done('end_turn')]),
      {},
      { status: 'failed', exitCode: 6, code: 'model_empty_answer', requests: 3 },
    ],
    [
      'when every message is cut off',
      forEver([text('and'), done('max_tokens')]),
      {},
      { status: 'failed', exitCode: 5, code: 'model_cut_off', requests: 3 },
    ],
    [
      'when every call is cut off',
      forEver([...call(0, 'c', 'fs.read', '{"path":"a'), done('max_tokens')]),
      {},
      { status: 'failed', exitCode: 5, code: 'model_cut_off', requests: 3 },
    ],
    [
      'when the model only talks while a task is under way',
      forEver(modelAnswer('Nearly there.')),
      { state: 'code_writing' },
      { status: 'failed', exitCode: 1, code: null, requests: 3 },
    ],
    [
      'when the provider fails',
      [[failed('auth')]],
      {},
      { status: 'failed', exitCode: 6, code: 'provider_failed', requests: 1 },
    ],
    [
      'when the provider ends without an end',
      [[text('half')]],
      {},
      { status: 'failed', exitCode: 6, code: 'provider_failed', requests: 1 },
    ],
    [
      'when an answer is larger than its token limit allows',
      [[...Array<ModelEvent>(12).fill(text('x'.repeat(100_000))), done('end_turn')]],
      {},
      { status: 'failed', exitCode: 6, code: 'provider_failed', requests: 1 },
    ],
    [
      'at a limit',
      forEver(modelAnswer('', [{ tool: 'fs.read', input: { path: 'a.js' } }])),
      { options: { limits: { max_turns: 4 } } },
      { status: 'failed', exitCode: 5, code: null, requests: 4 },
    ],
    [
      'when the model gives up',
      [modelAnswer('', [{ tool: 'task.give_up', input: { reason: 'too hard' } }])],
      { state: 'code_writing' },
      { status: 'failed', exitCode: 1, code: null, requests: 1 },
    ],
    [
      'when the runner that is configured is not built in',
      [modelAnswer('', [{ tool: 'test.run', input: {} }])],
      { state: 'code_writing', testCommand: { runner: 'gradle', cwd: '', args: [] } },
      { status: 'failed', exitCode: 2, code: 'unknown_test_runner', requests: 1 },
    ],
    [
      'when the repository is not ready',
      [],
      { commits: { base: () => Promise.resolve({ kind: 'problem', reason: 'a rebase is in progress' }) } },
      { status: 'failed', exitCode: 2, code: 'repository_not_ready', requests: 0 },
    ],
  ])('%s', async (_name, turns, options, expected) => {
    expect(endOf(await run(turns, options))).toEqual(expected);
  });

  it('at once after an answer that was cut off or empty once', async () => {
    const kernel = await run([[text('a'), done('max_tokens')], [done('end_turn')], modelAnswer('b')]);
    expect(endOf(kernel)).toMatchObject({ status: 'done', exitCode: 0, requests: 3 });
  });

  it('with the last words that are reported as a reason, an error with its code first', async () => {
    const kernel = await run([[failed('overloaded')]]);
    expect(kernel.events.slice(-2)).toMatchObject([
      { type: 'error', code: 'provider_failed', why: 'said the provider' },
      { type: 'session.finished', summary: expect.stringContaining('said the provider') as string },
    ]);
    expect(kernel.session.row.status).toBe('failed');
    expect(kernel.session.snapshot.running).toBe(false);
  });

  it.each([
    ['interrupt', 130],
    ['terminate', 143],
  ])('by %s with exit %i', async (reason, exitCode) => {
    const kernel = testKernel({ state: 'planning' });
    const controller = new AbortController();
    kernel.sandboxes.turns.push(() => {
      controller.abort(reason);
      return modelAnswer('', [{ tool: 'fs.list', input: { path: '.' } }]);
    });
    await runSession(kernel.services, kernel.session, controller.signal);
    expect(endOf(kernel)).toMatchObject({ status: 'cancelled', exitCode });
  });
});

describe('what a run keeps of a message', () => {
  it('are calls under ids of their own and names that can be shown', async () => {
    const calls = [
      ...call(0, '', 'fs.list', '{"path":"."}'),
      ...call(1, 'same', 'fs.list', '{"path":"."}'),
      ...call(2, 'same', '\u001b[2Jfs.list', '{"path":"."}'),
      ...call(3, 'x'.repeat(500), 'fs.list', '{"path":"."}'),
    ];
    const { session } = await run([[...calls, done('tool_calls')], modelAnswer('ok')]);
    const kept = session.messages.find(({ role }) => role === 'assistant');
    const results = session.messages.find(({ role }) => role === 'tool');
    if (kept?.role !== 'assistant' || results?.role !== 'tool') throw new Error('no calls were kept');
    expect(kept.calls.map(({ call_id }) => call_id)).toEqual(['call_0', 'same', 'call_2', 'call_3']);
    expect(kept.calls.map(({ tool }) => tool)).toEqual(['fs.list', 'fs.list', 'unusable_name', 'fs.list']);
    expect(results.results.map(({ call_id }) => call_id)).toEqual(['call_0', 'same', 'call_2', 'call_3']);
  });

  it.each([
    ['cut off', '{"path":"a'],
    ['nested 100,000 deep', '['.repeat(100_000) + ']'.repeat(100_000)],
  ])('is an empty object for arguments that are %s', async (_name, args) => {
    const { session } = await run([[...call(0, 'c1', 'fs.read', args), done('tool_calls')], modelAnswer('ok')]);
    const kept = session.messages.find((message) => message.role === 'assistant');
    expect(kept?.calls).toEqual([{ call_id: 'c1', tool: 'fs.read', arguments: '{}' }]);
  });
});

describe('a run that cannot begin', () => {
  const broken = new FluffyError({ code: 'images_missing', what: 'w', why: 'y', fix: 'f', exitCode: 3 });
  const notReady = { base: () => Promise.resolve({ kind: 'problem' as const, reason: 'HEAD is on no branch' }) };

  it('because of the repository ends although the provider is still awaited, and closes it when it comes', async () => {
    const kernel = testKernel({ state: 'planning', commits: notReady });
    const { promise, resolve } = Promise.withResolvers<ProviderSandbox>();
    kernel.sandboxes.provider = () => promise;
    await runSession(kernel.services, kernel.session, new AbortController().signal);
    expect(endOf(kernel)).toMatchObject({ exitCode: 2, code: 'repository_not_ready' });
    const closed = Promise.withResolvers<string>();
    const close = () => Promise.resolve(closed.resolve('closed'));
    resolve({ sandbox: 'x_1', chat: () => Promise.resolve(), close } as unknown as ProviderSandbox);
    expect(await closed.promise).toBe('closed');
  });

  it('because of the provider ends with its error, although the repository fails later', async () => {
    const base = Promise.withResolvers<{ kind: 'problem'; reason: string }>();
    const kernel = testKernel({ state: 'planning', commits: { base: () => base.promise } });
    kernel.sandboxes.provider = () => Promise.reject(broken);
    const ended = runSession(kernel.services, kernel.session, new AbortController().signal);
    setImmediate(() => base.resolve({ kind: 'problem', reason: 'later' }));
    await ended;
    expect(endOf(kernel)).toMatchObject({ exitCode: 3, code: 'images_missing' });
  });

  it('because of both is no unhandled rejection', async () => {
    const kernel = testKernel({ state: 'planning', commits: notReady });
    kernel.sandboxes.provider = () => Promise.reject(broken);
    await runSession(kernel.services, kernel.session, new AbortController().signal);
    expect(endOf(kernel).status).toBe('failed');
  });
});

it('a model whose call was cut off at the length limit reads so, and goes on in parts', async () => {
  const cut = [...call(0, 'c1', 'fs.write', '{"path":"a.js","content":"aaa'), done('max_tokens')];
  const kernel = await run([cut, modelAnswer('I write less.')]);
  expect(kernel.sandboxes.requests.at(-1)?.messages).toContainEqual({
    role: 'user',
    author: 'kernel',
    text: expect.stringMatching(/cut off at the length limit.*in parts/) as string,
  });
});

it('what a model thought is kept with its answer, and goes back with it in the next run', async () => {
  const thoughts: ModelEvent = { type: 'thoughts', data: '{"sealed":1}' };
  const kernel = await run([
    [...call(0, 'c1', 'fs.read', '{"path":"a.js"}'), thoughts, done('tool_calls')],
    modelAnswer('Read.'),
    modelAnswer('Again.'),
  ]);
  await runSession(kernel.services, kernel.session, new AbortController().signal);
  expect(kernel.sandboxes.requests).toHaveLength(3);
  for (const { messages } of kernel.sandboxes.requests.slice(1))
    expect(messages.find(({ role }) => role === 'assistant')).toMatchObject({
      thoughts: { model: 'replay/x', data: '{"sealed":1}' },
    });
});
