import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelRequest } from '../../../src/contracts/model/model.ts';
import type { SandboxId } from '../../../src/contracts/ids.ts';
import type { SessionOptions } from '../../../src/contracts/session/session-protocol.ts';
import { runSession } from '../../../src/kernel/run/run-session.ts';
import { changeModel, optionsAtResume } from '../../../src/kernel/serve/change-model.ts';
import { commitFacts } from '../../../src/kernel/commit/commit-facts.ts';
import { forNextTask } from '../../../src/kernel/session/snapshot.ts';
import { addUserMessage } from '../../../src/kernel/session/user-messages.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import { policyOf, shippedPolicy } from '../../support/kernel/policies.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernel } from '../../support/kernel/test-kernel.ts';

const WITHOUT_OPENAI = `capabilities:
  - { name: models, match: { syscall: ai.generate }, action: allow }
  - { name: no-openai, match: { syscall: ai.generate, host: "api.openai.com:443" }, action: deny, reason: closed }
`;
const price = { input: 1, output: 2, cache_read: 0 };
const HOSTS = {
  anthropic: ['api.anthropic.com:443'],
  openai: ['api.openai.com:443'],
  groq: ['api.groq.com:443'],
  ollama: ['127.0.0.1:11434'],
};

const failure = (code: Extract<ModelEvent, { type: 'failed' }>['code']): readonly ModelEvent[] => [
  { type: 'failed', code, message: 'not now', retryable: true },
];

type Reply = readonly ModelEvent[] | (() => readonly ModelEvent[] | Promise<readonly ModelEvent[]>);

/** A session whose providers answer by name; `asked` has each request with the provider that got it. */
function scene(
  replies: Readonly<Record<string, readonly Reply[]>>,
  options: Partial<SessionOptions> = {},
  more: Parameters<typeof testKernel>[0] = {},
) {
  const kernel = testKernel({
    state: 'idle',
    mode: 'explore',
    ...more,
    options: { model: 'anthropic/claude-sonnet-4-5', interactive: true, ...options },
    kernelOptions: { provider_hosts: HOSTS },
  });
  const asked: (ModelRequest & { readonly provider: string })[] = [];
  const closed: string[] = [];
  const left = new Map(Object.entries(replies).map(([name, list]) => [name, [...list]]));
  kernel.sandboxes.provider = (_session, name) => {
    if (!left.has(name)) return Promise.reject(new Error(`${name} has no key`));
    return Promise.resolve({
      sandbox: 'x_provider' as SandboxId,
      over: false,
      chat: async (request, onEvent) => {
        asked.push({ ...request, provider: name });
        const reply = left.get(name)?.shift() ?? failure('bad_request');
        for (const event of typeof reply === 'function' ? await reply() : reply) onEvent(event);
      },
      close: () => Promise.resolve(void closed.push(name)),
    });
  };
  const say = async (text: string) => {
    kernel.session.update({ running: true });
    addUserMessage(kernel.session, { text });
    await runSession(kernel.services, kernel.session, new AbortController().signal);
  };
  return { ...kernel, asked, closed, say };
}

const names = ({ asked }: { asked: readonly { provider: string; model: string }[] }) =>
  asked.map(({ provider, model }) => `${provider}/${model}`);
const endOf = ({ eventsOf }: Pick<TestKernel, 'eventsOf'>) => eventsOf('session.finished').at(-1);

describe('what a model thinks', () => {
  const think = (text: string): ModelEvent => ({ type: 'thought_delta', text });
  const restart: ModelEvent = { type: 'restart', attempt: 2, after_ms: 1, code: 'connection', message: 'cut' };

  it('is reported before what follows it, and is no part of the conversation', async () => {
    const talk = scene({ anthropic: [[think('Let '), think('me see.\n'), ...modelAnswer('Four.')]] });
    await talk.say('Two and two?');
    const types = talk.events.map(({ type }) => type);
    expect(talk.eventsOf('thinking.done')).toMatchObject([{ text: 'Let me see.' }]);
    expect(types.indexOf('thinking.done')).toBeLessThan(types.indexOf('text.delta'));
    expect(JSON.stringify(talk.session.messages)).not.toContain('Let me see');
  });

  it('is bounded, and blank thoughts are none', async () => {
    const long = 'x'.repeat(50_000);
    const talk = scene({ anthropic: [[think(' \n'), restart, think(long), think(long), ...modelAnswer('Four.')]] });
    await talk.say('Two and two?');
    expect(talk.eventsOf('thinking.done').map(({ text }) => text.length)).toEqual([64 * 1024]);
  });
});

describe('another model inside a session', () => {
  it('takes the conversation over, calls and results included', async () => {
    const call = modelAnswer('', [{ tool: 'fs.list', input: { path: '.' } }]);
    const talk = scene({ anthropic: [call, modelAnswer('Three files.')], openai: [modelAnswer('Yes.')] });
    await talk.say('What is here?');
    await changeModel(talk.services, talk.session, { model: 'openai/gpt-5', effort: 'high', reasoning: true, price });
    await talk.say('Sure?');
    expect(names(talk)).toEqual(['anthropic/claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5', 'openai/gpt-5']);
    const sent = talk.asked[2];
    expect(sent).toMatchObject({ effort: 'high', reasoning: true });
    expect(sent?.messages.slice(0, -1)).toEqual(
      expect.arrayContaining([
        ...(talk.asked[1]?.messages ?? []),
        { role: 'assistant', text: 'Three files.', calls: [] },
      ]),
    );
    expect(talk.eventsOf('model.changed')).toMatchObject([
      { from: 'anthropic/claude-sonnet-4-5', to: 'openai/gpt-5', by: 'user', effort: 'high' },
    ]);
    expect(talk.session.snapshot.spending.map(({ model }) => model)).toEqual([
      'anthropic/claude-sonnet-4-5',
      'openai/gpt-5',
    ]);
  });

  it('counts from the next request on in the middle of a run, and ends every program with it', async () => {
    const talk = scene({
      anthropic: [
        async () => {
          await changeModel(talk.services, talk.session, { model: 'openai/gpt-5' });
          return modelAnswer('', [{ tool: 'fs.list', input: { path: '.' } }]);
        },
      ],
      openai: [modelAnswer('Done.')],
    });
    await talk.say('Look around.');
    expect(names(talk)).toEqual(['anthropic/claude-sonnet-4-5', 'openai/gpt-5']);
    // What the first one used is counted for it.
    expect(talk.session.snapshot.spending.map(({ model, requests }) => [model, requests])).toEqual([
      ['anthropic/claude-sonnet-4-5', 1],
      ['openai/gpt-5', 1],
    ]);
    await Promise.resolve();
    expect(talk.closed.sort()).toEqual(['anthropic', 'openai']);
  });

  it('forgets what was learned of the window of the one before', async () => {
    const talk = scene({});
    talk.session.update({
      context: {
        start: 0,
        answers_before: 0,
        head: null,
        summary: '',
        cleared: [],
        shortened: {},
        said: [],
        window_tokens: 5_000,
      },
    });
    await changeModel(talk.services, talk.session, { model: 'openai/gpt-5', window_tokens: 400_000 });
    expect(talk.session.snapshot.context?.window_tokens).toBeNull();
  });

  it('is refused where policy closes its host, and recorded', async () => {
    const policy = policyOf(WITHOUT_OPENAI);
    const talk = scene({}, {}, { policy });
    const { ok, reason } = await changeModel(talk.services, talk.session, { model: 'openai/gpt-5' });
    expect({ ok, reason }).toMatchObject({ ok: false });
    expect(reason).toMatch(/^Policy denies openai\/gpt-5/);
    expect(talk.session.snapshot.options.model).toBe('anthropic/claude-sonnet-4-5');
    expect(talk.audit.records.at(-1)).toMatchObject({ syscall_type: 'session.set_model', policy_decision: 'denied' });
  });

  it('is refused without a price where money is limited', async () => {
    const talk = scene({}, { limits: { max_session_cost_usd: 3 } });
    const change = (choice: { model: string; price?: typeof price }) =>
      changeModel(talk.services, talk.session, choice);
    expect(await change({ model: 'ollama/x' })).toMatchObject({ ok: false });
    expect(await change({ model: 'openai/gpt-5', price })).toMatchObject({ ok: true });
  });
});

describe('a session that is taken up', () => {
  const own = { model: 'openai/gpt-5', effort: 'low', price, window_tokens: 400_000 } as const;
  const now = { ...scene({}).session.snapshot.options, window_tokens: 200_000 };

  it('goes on with its own model and effort where no other was named', () => {
    const { session } = scene({}, own);
    expect(optionsAtResume(session, { options: now, keep_model: true })).toMatchObject(own);
    expect(optionsAtResume(session, { options: now })).toMatchObject({
      model: 'anthropic/claude-sonnet-4-5',
      window_tokens: 200_000,
    });
    expect(optionsAtResume(session, { options: now })).not.toHaveProperty('effort');
  });

  it('has what the host knows of that model now', () => {
    const { session } = scene({}, own);
    const options = { ...now, model: own.model, window_tokens: 500_000 };
    const taken = optionsAtResume(session, { options, keep_model: true });
    expect(taken).toMatchObject({ effort: 'low', window_tokens: 500_000 });
  });

  it('does not go on with a model without a price where money is limited', () => {
    const { session } = scene({}, { model: 'ollama/x' });
    const options = { ...now, price, limits: { max_cost_usd: 1 } };
    expect(() => optionsAtResume(session, { options, keep_model: true })).toThrow(/own model/);
  });
});

describe('while a provider fails', () => {
  const fallback_models = [
    { model: 'openai/gpt-5', price },
    { model: 'groq/llama', price },
  ];

  it.each(['overloaded', 'rate_limited', 'server_error', 'connection', 'timeout'] as const)(
    'after %s the next model stands in, and what was answered is in the evidence',
    async (code) => {
      const talk = scene(
        { anthropic: [failure(code), modelAnswer('Back.')], openai: [modelAnswer('Here.'), modelAnswer('Yes.')] },
        { fallback_models },
      );
      await talk.say('Hello');
      expect(names(talk)).toEqual(['anthropic/claude-sonnet-4-5', 'openai/gpt-5']);
      expect(endOf(talk)).toMatchObject({ status: 'done' });
      expect(talk.eventsOf('model.changed')).toMatchObject([{ to: 'openai/gpt-5', by: 'fallback' }]);
      expect(talk.eventsOf('notice')).toMatchObject([{ code: 'model_fallback', why: `${code}: not now` }]);
      // Somebody else can answer: the failed one is left alone for some minutes.
      await talk.say('And now?');
      expect(names(talk).at(-1)).toBe('openai/gpt-5');
      await talk.advance(5 * 60_000);
      await talk.say('And now?');
      expect(names(talk).at(-1)).toBe('anthropic/claude-sonnet-4-5');
      expect(talk.eventsOf('model.changed').at(-1)).toMatchObject({
        to: 'anthropic/claude-sonnet-4-5',
        by: 'fallback',
      });
      expect(talk.session.snapshot.answered_by).toEqual(['openai/gpt-5', 'anthropic/claude-sonnet-4-5']);
      expect(factsOf(talk)).toMatchObject({
        model: 'anthropic/claude-sonnet-4-5',
        models: ['openai/gpt-5', 'anthropic/claude-sonnet-4-5'],
      });
    },
  );

  it('passes over one that cannot be started', async () => {
    const talk = scene({ anthropic: [failure('overloaded')], groq: [modelAnswer('Here.')] }, { fallback_models });
    await talk.say('Hello');
    expect(names(talk)).toEqual(['anthropic/claude-sonnet-4-5', 'groq/llama']);
    expect(talk.eventsOf('notice')[0]).toMatchObject({ why: expect.stringContaining('has no key') as string });
  });

  it('never asks a host that policy closes', async () => {
    const policy = policyOf(WITHOUT_OPENAI);
    const talk = scene(
      { anthropic: [failure('overloaded')], openai: [modelAnswer('Here.')] },
      { fallback_models: fallback_models.slice(0, 1) },
      { policy },
    );
    await talk.say('Hello');
    expect(names(talk)).toEqual(['anthropic/claude-sonnet-4-5']);
    expect(endOf(talk)).toMatchObject({ status: 'failed', exit_code: 6 });
  });

  it('ends when each has failed once', async () => {
    const talk = scene(
      { anthropic: [failure('overloaded')], openai: [failure('timeout')], groq: [failure('connection')] },
      { fallback_models },
    );
    await talk.say('Hello');
    expect(names(talk)).toHaveLength(3);
    expect(endOf(talk)).toMatchObject({ exit_code: 6 });
  });

  it.each(['auth', 'no_credit', 'unknown_model', 'bad_request'] as const)(
    'ends at once for %s, which waiting does not change',
    async (code) => {
      const talk = scene({ anthropic: [failure(code)], openai: [modelAnswer('Here.')] }, { fallback_models });
      await talk.say('Hello');
      expect(names(talk)).toHaveLength(1);
      expect(endOf(talk)).toMatchObject({ exit_code: 6 });
    },
  );

  it('does not keep the chosen one out for longer when the calendar was set back', async () => {
    const talk = scene(
      { anthropic: [failure('overloaded'), modelAnswer('Back.')], openai: [modelAnswer('Here.')] },
      { fallback_models },
    );
    await talk.say('Hello');
    const [outage] = talk.session.snapshot.outages;
    talk.session.update({ outages: [{ model: outage?.model ?? '', until_ms: (outage?.until_ms ?? 0) + 3_600_000 }] });
    await talk.say('And now?');
    expect(names(talk).at(-1)).toBe('anthropic/claude-sonnet-4-5');
  });

  it('says that the chosen one answers again, also where another task has begun in between', async () => {
    const talk = scene(
      { anthropic: [failure('overloaded'), modelAnswer('Back.')], openai: [modelAnswer('Here.')] },
      { fallback_models },
    );
    await talk.say('Hello');
    talk.session.update(forNextTask(talk.session.snapshot, 'next', talk.services.clock.nowMs()));
    await talk.advance(5 * 60_000);
    await talk.say('And now?');
    expect(talk.eventsOf('model.changed').map(({ from, to }) => [from, to])).toEqual([
      ['anthropic/claude-sonnet-4-5', 'openai/gpt-5'],
      ['openai/gpt-5', 'anthropic/claude-sonnet-4-5'],
    ]);
  });

  it('is given up soon while another can answer, and the last one left has all its attempts', async () => {
    const talk = scene(
      { anthropic: [failure('overloaded')], openai: [failure('overloaded')], groq: [modelAnswer('Here.')] },
      { fallback_models },
    );
    await talk.say('Hello');
    expect(talk.asked.map(({ give_up }) => give_up?.after_attempts)).toEqual([2, 2, undefined]);
  });

  it('leaves a server of the user more time in silence than a public one', async () => {
    const silence = async (model: string) => {
      const talk = scene({ anthropic: [modelAnswer('x')], ollama: [modelAnswer('x')] }, { model, fallback_models });
      await talk.say('Hello');
      return talk.asked[0]?.give_up?.silence_ms ?? 0;
    };
    expect(await silence('ollama/qwen')).toBeGreaterThan(await silence('anthropic/x'));
  });

  it('the chosen one is asked after all where its stand-in fails in a later run', async () => {
    const talk = scene(
      { anthropic: [failure('overloaded'), modelAnswer('Back.')], openai: [modelAnswer('Here.'), failure('timeout')] },
      { fallback_models: fallback_models.slice(0, 1) },
    );
    await talk.say('Hello');
    await talk.say('And now?');
    expect(names(talk).slice(2)).toEqual(['openai/gpt-5', 'anthropic/claude-sonnet-4-5']);
    expect(endOf(talk)).toMatchObject({ status: 'done' });
  });

  it('a stand-in whose host policy closes before the next run is not used any more', async () => {
    let policy = shippedPolicy();
    const talk = scene(
      { anthropic: [failure('overloaded'), modelAnswer('Back.')], openai: [modelAnswer('Here.')] },
      { fallback_models: fallback_models.slice(0, 1) },
      { policy: () => policy },
    );
    await talk.say('Hello');
    policy = policyOf(WITHOUT_OPENAI);
    await talk.say('And now?');
    expect(names(talk)).toEqual(['anthropic/claude-sonnet-4-5', 'openai/gpt-5', 'anthropic/claude-sonnet-4-5']);
    expect(endOf(talk)).toMatchObject({ status: 'done', exit_code: 0 });
  });

  it('a stand-in that cannot be started in the next run is not used any more', async () => {
    const replies = { anthropic: [failure('overloaded'), modelAnswer('Back.')], openai: [modelAnswer('Here.')] };
    const talk = scene(replies, { fallback_models: fallback_models.slice(0, 1) });
    await talk.say('Hello');
    const { provider } = talk.sandboxes;
    talk.sandboxes.provider = (session, name) =>
      name === 'openai' ? Promise.reject(new Error('openai has no key')) : provider(session, name);
    await talk.say('And now?');
    expect(names(talk).at(-1)).toBe('anthropic/claude-sonnet-4-5');
    expect(endOf(talk)).toMatchObject({ status: 'done', exit_code: 0 });
  });

  it('a model that the user chooses again is asked at once', async () => {
    const talk = scene(
      { anthropic: [failure('overloaded'), modelAnswer('Back.')], openai: [modelAnswer('Here.')] },
      { fallback_models },
    );
    await talk.say('Hello');
    await changeModel(talk.services, talk.session, { model: 'anthropic/claude-sonnet-4-5' });
    await talk.say('And now?');
    expect(names(talk).at(-1)).toBe('anthropic/claude-sonnet-4-5');
  });

  it.each(['auth', 'no_credit', 'unknown_model', 'bad_request', 'protocol'] as const)(
    'a stand-in with %s is passed over, and the end names all of them',
    async (code) => {
      const replies = { anthropic: [failure('rate_limited')], openai: [failure(code)] };
      const talk = scene({ ...replies, groq: [modelAnswer('Here.')] }, { fallback_models });
      await talk.say('Hello');
      expect(names(talk).at(-1)).toBe('groq/llama');
      const alone = scene(replies, { fallback_models: fallback_models.slice(0, 1) });
      await alone.say('Hello');
      expect(alone.eventsOf('error')).toMatchObject([
        {
          what: 'The model provider failed (rate_limited)',
          why: `anthropic/claude-sonnet-4-5: not now; openai/gpt-5 as fallback: ${code}: not now`,
          fix: expect.stringContaining('Anthropic') as string,
        },
      ]);
    },
  );
});

describe('a request that is refused for its images', () => {
  const image = (name: string) => ({ reference: `image_${name}`, name, media_type: 'image/png' as const });
  const refusal = failure('bad_request');
  /** Names of the images of each request. */
  const sentIn = (talk: ReturnType<typeof scene>) =>
    talk.asked.map(({ messages }) =>
      messages.flatMap((message) => (message.role === 'user' ? (message.images ?? []) : [])).map(({ name }) => name),
    );
  const sees = { images: true };
  const show = async (talk: ReturnType<typeof scene>, name: string) => {
    talk.session.keepOutput(`image_${name}`, 'AAAA');
    talk.session.update({ running: true });
    addUserMessage(talk.session, { text: `see ${name}`, images: [image(name)] });
    await runSession(talk.services, talk.session, new AbortController().signal);
  };

  it('is sent again without those of the newest message, which stay out from then on', async () => {
    const talk = scene({ anthropic: [modelAnswer('A.'), refusal, modelAnswer('B.'), modelAnswer('C.')] }, sees);
    await show(talk, 'good.png');
    await show(talk, 'bad.png');
    await talk.say('Forget it.');
    expect(sentIn(talk)).toEqual([['good.png'], ['good.png', 'bad.png'], ['good.png'], ['good.png']]);
    expect(talk.eventsOf('notice')).toMatchObject([
      {
        code: 'image_not_seen',
        what: 'bad.png is not sent any more',
        why: expect.stringContaining('not now') as string,
      },
    ]);
    expect(JSON.stringify(talk.asked.at(-1)?.messages)).toContain('[image bad.png: your provider could not read it');
    expect(endOf(talk)).toMatchObject({ status: 'done' });
  });

  it('is sent without any where that is not enough, and ends the run where images are not the reason', async () => {
    const talk = scene({ anthropic: [modelAnswer('A.'), refusal, refusal, refusal] }, sees);
    await show(talk, 'one.png');
    await show(talk, 'two.png');
    expect(sentIn(talk).slice(1)).toEqual([['one.png', 'two.png'], ['one.png'], []]);
    expect(endOf(talk)).toMatchObject({ exit_code: 6 });
  });

  it('says nothing about another model', async () => {
    const talk = scene({ anthropic: [refusal, modelAnswer('A.')], openai: [modelAnswer('B.')] }, sees);
    await show(talk, 'one.png');
    await changeModel(talk.services, talk.session, { model: 'openai/gpt-5', images: true });
    await talk.say('And you?');
    expect(sentIn(talk)).toEqual([['one.png'], [], ['one.png']]);
  });
});

function factsOf({ services, session }: TestKernel) {
  const state = { head: 'a'.repeat(40), branchRef: 'refs/heads/main' } as Parameters<typeof commitFacts>[2];
  const parts = { audit: services.audit, clock: services.clock, policy: services.policy, images: {} };
  return commitFacts(parts, session, state, [], 'b'.repeat(40) as Parameters<typeof commitFacts>[4]);
}
