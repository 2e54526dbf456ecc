import { describe, expect, test } from 'vitest';
import type { ModelFailure, ModelMessage, ModelRequest } from '../../src/contracts/model/model.ts';
import type { ProviderWire } from '../../src/contracts/model/providers.ts';
import { collectAnswer } from '../support/collect-answer.ts';
import { calls, turn } from '../support/wire/script.ts';
import type { Script, ScriptedReply } from '../support/wire/script.ts';
import { useWire, WIRE_NAMES } from '../support/wire/wires.ts';
import { request } from './conformance.ts';
import type { ProviderUnderTest } from './conformance.ts';

/**
 * What goes wrong at a provider, one row a fault, with what each vendor documents that it sends then. Every row is played against every wire; null:
 * the wire does not know this fault, and the row says why.
 */
interface Fault {
  readonly name: string;
  readonly sent: Readonly<Record<ProviderWire, Script | { readonly none: string }>>;
  readonly ask?: Partial<ModelRequest>;
  readonly then: (answer: ReturnType<typeof collectAnswer>, provider: ProviderUnderTest) => void;
}

const good = turn({ text: 'Here.' });
const READ = { tool: 'fs.read', input: { path: 'src/größe.ts', lines: [1, 2] } };

/** The same script over every wire. */
function everywhere(script: Script): Fault['sent'] {
  return { messages: script, responses: script, 'chat-completions': script, 'generate-content': script };
}

/** An error before the stream, in each vendor's own words: status, its name for the error, message. */
function errors(of: {
  readonly anthropic: readonly [number, string, string];
  readonly openai: readonly [number, string | null, string];
  readonly google: readonly [number, string, string];
}): Fault['sent'] {
  const raw = (status: number, body: unknown): readonly ScriptedReply[] => [
    { kind: 'raw', status, contentType: 'application/json', body: JSON.stringify(body) },
    good,
  ];
  const [status, type, message] = of.anthropic;
  const [openAiStatus, code, openAiMessage] = of.openai;
  const [googleStatus, name, googleMessage] = of.google;
  const openAi = raw(openAiStatus, {
    error: { message: openAiMessage, type: 'invalid_request_error', param: null, code },
  });
  return {
    messages: raw(status, { type: 'error', error: { type, message }, request_id: 'req_1' }),
    responses: openAi,
    'chat-completions': openAi,
    'generate-content': raw(googleStatus, { error: { code: googleStatus, message: googleMessage, status: name } }),
  };
}

/** Reported once, and not asked again. */
function failsWith(code: ModelFailure): Fault['then'] {
  return (answer, { server }) => {
    expect(answer.ends).toMatchObject([{ type: 'failed', code, retryable: false }]);
    expect(server.requests).toHaveLength(1);
  };
}

function asksAgain(code: ModelFailure): Fault['then'] {
  return (answer, { server }) => {
    expect(answer).toMatchObject({ text: 'Here.', restarts: [{ attempt: 2, code }] });
    expect(answer.ends).toEqual([{ type: 'done', stop: 'end_turn' }]);
    expect(server.requests).toHaveLength(2);
  };
}

function waits(atLeastMs: number, atMostMs: number): Fault['then'] {
  return (answer, provider) => {
    asksAgain('rate_limited')(answer, provider);
    expect(provider.waitsMs).toHaveLength(1);
    expect(provider.waitsMs[0]).toBeGreaterThanOrEqual(atLeastMs);
    expect(provider.waitsMs[0]).toBeLessThanOrEqual(atMostMs);
  };
}

function endsWith(stop: string): Fault['then'] {
  return ({ ends }, { server }) => {
    expect(ends).toEqual([{ type: 'done', stop }]);
    expect(server.requests).toHaveLength(1);
  };
}

const limited = (headers: Readonly<Record<string, string>>): ScriptedReply => ({
  kind: 'error',
  status: 429,
  type: 'rate_limit_error',
  message: 'slow down',
  headers,
});

/** An answer of Anthropic's that stops to be taken up again. */
const PAUSED: ScriptedReply = {
  kind: 'raw',
  status: 200,
  contentType: 'text/event-stream',
  body: [
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 9, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'So far' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'pause_turn', stop_sequence: null }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join(''),
};

const FAULTS: readonly Fault[] = [
  {
    name: 'the prompt is too long',
    sent: errors({
      anthropic: [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'],
      openai: [400, 'context_length_exceeded', 'Your input exceeds the context window of this model.'],
      google: [
        400,
        'INVALID_ARGUMENT',
        'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).',
      ],
    }),
    then: failsWith('context_too_long'),
  },
  {
    name: 'the model refuses',
    sent: everywhere([turn({ text: 'I cannot', stop: 'refusal' })]),
    then: endsWith('refusal'),
  },
  {
    name: 'the answer is paused',
    sent: {
      messages: [PAUSED],
      responses: { none: 'it has no such end' },
      'chat-completions': { none: 'it has no such end' },
      'generate-content': { none: 'it has no such end' },
    },
    then: (answer, provider) => {
      expect(answer.text).toBe('So far');
      endsWith('end_turn')(answer, provider);
    },
  },
  {
    name: 'the model only thinks',
    sent: everywhere([turn({ thinking: 'What do I answer?' })]),
    then: endsWith('thinking_only'),
  },
  {
    name: 'calls are split at every byte',
    sent: everywhere([turn({ calls: [READ, { ...READ, input: { path: 'b' } }], chunkLength: 1, bytesPerWrite: 1 })]),
    then: (answer, provider) => {
      endsWith('tool_calls')(answer, provider);
      expect(answer.calls.map((call) => [call.tool, JSON.parse(call.arguments) as unknown])).toEqual([
        ['fs.read', READ.input],
        ['fs.read', { path: 'b' }],
      ]);
    },
  },
  {
    name: 'calls have the same id',
    sent: everywhere([calls({ ...READ, id: 'same' }, { ...READ, id: 'same' }, { ...READ, id: 'same' })]),
    then: (answer, provider) => {
      endsWith('tool_calls')(answer, provider);
      expect(new Set(answer.calls.map(({ id }) => id)).size).toBe(3);
    },
  },
  {
    name: 'no tokens are counted',
    sent: everywhere([turn({ text: 'Here is a long answer.', usage: 'none' })]),
    then: (answer, provider) => {
      endsWith('end_turn')(answer, provider);
      expect(answer.usage?.input_tokens).toBeGreaterThan(0);
      expect(answer.usage?.output_tokens).toBeGreaterThan(0);
    },
  },
  {
    name: 'too many requests, and when to come back',
    sent: everywhere([limited({ 'retry-after': '7' }), good]),
    then: waits(7_000, 8_400),
  },
  {
    name: 'too many requests, and no word of when to come back',
    sent: everywhere([limited({}), good]),
    then: waits(100, 5_000),
  },
  {
    name: 'overloaded in the middle of the stream',
    sent: everywhere([
      {
        ...turn({ text: 'Half of an answer, and' }),
        errorAfterEvents: { events: 3, type: 'overloaded_error', message: 'busy' },
      },
      good,
    ]),
    then: asksAgain('overloaded'),
  },
  {
    name: 'there is no such model',
    sent: errors({
      anthropic: [404, 'not_found_error', 'model: scripted-1'],
      openai: [404, 'model_not_found', 'The model `scripted-1` does not exist or you do not have access to it.'],
      google: [404, 'NOT_FOUND', 'models/scripted-1 is not found for API version v1beta'],
    }),
    then: failsWith('unknown_model'),
  },
  {
    name: 'the key has no right to this',
    sent: errors({
      anthropic: [403, 'permission_error', 'Your API key does not have permission to use the specified resource.'],
      openai: [
        403,
        'insufficient_permissions',
        'You have insufficient permissions for this operation. Missing scopes: model.request.',
      ],
      google: [403, 'PERMISSION_DENIED', "Your API key doesn't have the required permissions."],
    }),
    then: failsWith('auth'),
  },
  {
    name: 'the organisation is not verified, or closed',
    sent: errors({
      anthropic: [400, 'invalid_request_error', 'This organization has been disabled.'],
      openai: [
        400,
        'unsupported_value',
        'Your organization must be verified to stream this model. Please go to: https://platform.openai.com/settings/organization/general',
      ],
      google: [
        403,
        'PERMISSION_DENIED',
        'Generative Language API has not been used in project 7 before or it is disabled.',
      ],
    }),
    then: failsWith('no_access'),
  },
];

/** The names of models that want back what they have thought. */
const THINKERS: Readonly<Record<ProviderWire, string>> = {
  messages: 'claude-sonnet-4-5',
  responses: 'gpt-5',
  'chat-completions': 'any',
  'generate-content': 'gemini-3-pro',
};

describe.each(WIRE_NAMES)('over the wire %s', (wire) => {
  test.each(FAULTS.map((fault) => [fault.name, fault] as const))('%s', async (_name, { sent, then }) => {
    const script = sent[wire];
    if ('none' in script) return;
    await useWire(wire, script, async (provider) => {
      then(collectAnswer(await provider.chat(request)), provider);
    });
  });

  const thoughtful = turn({
    thinking: 'First the test.',
    calls: [{ tool: 'fs.read', input: { path: 'a' }, id: 'call_1' }],
  });
  const asked: ModelRequest = {
    ...request,
    model: THINKERS[wire],
    reasoning: true,
    effort: 'low',
    max_output_tokens: 8_000,
  };
  const afterAnswer = (thoughts?: string): ModelMessage[] => [
    ...request.messages,
    {
      role: 'assistant',
      text: '',
      calls: [{ call_id: 'call_1', tool: 'fs.read', arguments: '{"path":"a"}' }],
      ...(thoughts === undefined ? {} : { thoughts: { model: 'vendor/model', data: thoughts } }),
    },
    { role: 'tool', results: [{ call_id: 'call_1', ok: true, content: 'a' }] },
  ];

  test('what the model has thought before a call comes back unchanged, or the service refuses', async () => {
    const after = afterAnswer();
    await useWire(wire, [thoughtful, good, good], async ({ chat, server }) => {
      expect(collectAnswer(await chat(asked)).ends).toEqual([{ type: 'done', stop: 'tool_calls' }]);
      expect(collectAnswer(await chat({ ...asked, messages: after })).text).toBe('Here.');
      if (wire === 'chat-completions') return;
      const { body, path, headers } = server.requests[1] ?? expect.fail('it was asked once');
      const mark = /"(?:signature|encrypted_content|thoughtSignature)":"/;
      const changed = JSON.stringify(body).replace(mark, '$&x');
      expect(changed).not.toBe(JSON.stringify(body));
      const url = `${server.url}${path}${wire === 'generate-content' ? '?alt=sse' : ''}`;
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...pick(headers), 'content-type': 'application/json' },
        body: changed,
      });
      expect(answer.status).toBe(400);
    });
  });

  test('another program sends the same bytes, with what the conversation has of the thoughts', async () => {
    let thoughts: string | undefined;
    let sent: unknown;
    await useWire(wire, [thoughtful, good], async ({ chat, server }) => {
      thoughts = (await chat(asked)).find((event) => event.type === 'thoughts')?.data;
      await chat({ ...asked, messages: afterAnswer() });
      sent = server.requests[1]?.body;
    });
    // Chat Completions has no place for them.
    expect(thoughts === undefined).toBe(wire === 'chat-completions');
    await useWire(wire, [good, good, good], async ({ chat, server }) => {
      for (const each of [thoughts, '{"of":"another vendor"}', 'no JSON'])
        await chat({ ...asked, messages: afterAnswer(each) });
      const [same, other, broken] = server.requests.map(({ body }) => JSON.stringify(body));
      expect(same).toBe(JSON.stringify(sent));
      expect(other).toBe(broken);
    });
  });
});

/** What a request needs besides its body. */
function pick(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(?:authorization|x-api-key|x-goog-api-key)$/.test(name)),
  );
}
