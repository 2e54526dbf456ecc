import { describe, expect, test } from 'vitest';
import type { ModelEvent, ModelRequest } from '../../src/contracts/model/model.ts';
import { answerLengthLimit, modelEventSchema, usageSchema } from '../../src/contracts/model/model.ts';
import { collectAnswer } from '../support/collect-answer.ts';
import type { Script } from '../support/wire/script.ts';
import { calls, turn } from '../support/wire/script.ts';
import type { WireServer } from '../support/wire/wire-server.ts';

/** A provider and the scripted model it speaks to. */
export interface ProviderUnderTest {
  readonly server: WireServer;
  chat(request: ModelRequest, signal?: AbortSignal): Promise<ModelEvent[]>;
  /** The waits between attempts, in milliseconds. */
  readonly waitsMs: readonly number[];
}

export const request: ModelRequest = {
  model: 'scripted-1',
  system: 'You write tests first.',
  messages: [{ role: 'user', text: 'Add error handling.' }],
  tools: [
    {
      name: 'fs.read',
      description: 'Reads a file',
      input_schema: { type: 'object', properties: { path: { type: 'string' } } },
    },
    { name: 'fs.write', description: 'Writes a file', input_schema: { type: 'object', properties: {} } },
    { name: 'plan.complete', description: 'Ends planning', input_schema: { type: 'object', properties: {} } },
  ],
  max_output_tokens: 1_000,
  deadline_ms: 60_000,
};

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const sentence = 'Größe: 3 × 5 → 15 — 漢字, семь, 👩‍👩‍👧 and a flag 🇪🇺.';

/** What a wire cannot say. */
interface WireTraits {
  /** Arguments are no text of the model's: they cannot be malformed. */
  readonly argumentsAreObjects?: boolean;
  /** Events may have a name in front of their data. */
  readonly hasEventNames?: boolean;
}

/**
 * What every provider must do, whatever its vendor's wire looks like. `use` starts the scripted model, runs `body` and cleans up.
 */
export function describeConformance(
  name: string,
  use: (script: Script, body: (provider: ProviderUnderTest) => Promise<void>) => Promise<void>,
  { argumentsAreObjects = false, hasEventNames = true }: WireTraits = {},
): void {
  describe(`${name} conforms`, () => {
    test('a text comes whole, in order, with one end', async () => {
      await use([turn({ text: sentence, usage: { input: 90, output: 12, cacheRead: 40 } })], async ({ chat }) => {
        const answer = collectAnswer(await chat(request));
        expect(answer).toMatchObject({
          text: sentence,
          calls: [],
          restarts: [],
          ends: [{ type: 'done', stop: 'end_turn' }],
        });
        expect(answer.usage).toEqual({ input_tokens: 90, output_tokens: 12, cache_read_tokens: 40 });
      });
    });

    test.each([1, 2, 3])('text and calls survive writes of %i bytes', async (bytesPerWrite) => {
      const input = { path: 'src/größe.ts', content: `a "quoted" \\ line\n${sentence}` };
      const script = [
        turn({ text: sentence, calls: [{ tool: 'fs.write', input, id: 'call_a' }], chunkLength: 3, bytesPerWrite }),
      ];
      await use(script, async ({ chat }) => {
        const answer = collectAnswer(await chat(request));
        expect(answer.text).toBe(sentence);
        expect(answer.calls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) as unknown }))).toEqual([
          { id: 'call_a', tool: 'fs.write', arguments: input, ended: true },
        ]);
        expect(answer.ends).toEqual([{ type: 'done', stop: 'tool_calls' }]);
      });
    });

    test('five calls at once stay apart and in order', async () => {
      const list = Array.from({ length: 5 }, (_, index) => ({
        tool: 'fs.read',
        input: { path: `src/${index}.ts` },
        id: `call_${index}`,
      }));
      await use([calls(...list)], async ({ chat }) => {
        const answer = collectAnswer(await chat(request));
        expect(answer.calls).toEqual(
          list.map(({ id, input }) => ({ id, tool: 'fs.read', arguments: JSON.stringify(input), ended: true })),
        );
      });
    });

    test.skipIf(argumentsAreObjects).each(['{"path": "src/a', 'not json at all', '[1,2]', '{"path":"a"}{"path":"b"}'])(
      'malformed arguments %j reach the kernel as they are',
      async (rawArguments) => {
        await use([calls({ tool: 'fs.read', rawArguments })], async ({ chat }) => {
          const answer = collectAnswer(await chat(request));
          expect(answer.calls).toMatchObject([{ tool: 'fs.read', arguments: rawArguments }]);
          expect(answer.ends).toEqual([{ type: 'done', stop: 'tool_calls' }]);
        });
      },
    );

    test('a call without arguments has the empty object', async () => {
      await use([calls({ tool: 'plan.complete', rawArguments: '' })], async ({ chat }) => {
        expect(collectAnswer(await chat(request)).calls).toMatchObject([{ tool: 'plan.complete', arguments: '{}' }]);
      });
    });

    test('a tool that was not offered keeps the name the model used', async () => {
      await use([calls({ tool: 'rm_rf', input: {} })], async ({ chat }) => {
        expect(collectAnswer(await chat(request)).calls).toMatchObject([{ tool: 'rm_rf' }]);
      });
    });

    test.each([
      ['nothing at all', {}, 'empty'],
      ['blank text', { text: ' \n' }, 'empty'],
      ['nothing but thinking', { thinking: 'What do I answer?' }, 'thinking_only'],
      ['thinking, then text', { thinking: 'What do I answer?', text: 'Yes.' }, 'end_turn'],
    ] as const)('%s ends as what it is', async (_what, fields, stop) => {
      await use([turn(fields)], async ({ chat, server }) => {
        const events = await chat(request);
        expect(collectAnswer(events).ends).toEqual([{ type: 'done', stop }]);
        // Where a server shows thoughts, they are not taken for text.
        const thought = events.map((event) => (event.type === 'thought_delta' ? event.text : '')).join('');
        expect(['', 'thinking' in fields ? fields.thinking : '']).toContain(thought);
        expect(server.requests).toHaveLength(1);
      });
    });

    test.each([
      ['repeated', ['same', 'same', 'same']],
      ['empty', ['', '', '']],
      ['overlong', ['x'.repeat(500), 'y'.repeat(500), 'z']],
      ['of an earlier answer', ['call_old', 'call_new', 'call_newer']],
    ])('calls whose ids are %s get ids of their own', async (_what, ids) => {
      const earlier: ModelRequest['messages'] = [
        { role: 'assistant', text: '', calls: [{ call_id: 'call_old', tool: 'fs.read', arguments: '{}' }] },
        { role: 'tool', results: [{ call_id: 'call_old', ok: true, content: 'a' }] },
      ];
      const list = ids.map((id, index) => ({ tool: 'fs.read', input: { path: `${index}` }, id }));
      await use([calls(...list)], async ({ chat }) => {
        const events = await chat({ ...request, messages: [...request.messages, ...earlier] });
        const answer = collectAnswer(events);
        expect(answer.calls.map((call) => call.arguments)).toEqual(list.map(({ input }) => JSON.stringify(input)));
        expect(new Set([...answer.calls.map(({ id }) => id), 'call_old']).size).toBe(4);
        for (const event of events) expect(modelEventSchema.safeParse(event).error).toBeUndefined();
      });
    });

    test.each([
      ['negative', { input: -5, output: -1, cacheRead: -2 }],
      ['fractional', { input: 90.5, output: 12.25, cacheRead: 1.5 }],
      ['zero', { input: 0, output: 0, cacheRead: 0 }],
    ])('tokens whose number is %s are counted anyway', async (_what, usage) => {
      await use([turn({ text: sentence, usage })], async ({ chat }) => {
        const answer = collectAnswer(await chat(request));
        expect(usageSchema.safeParse(answer.usage).error).toBeUndefined();
        expect(answer.usage?.input_tokens).toBeGreaterThan(0);
        expect(answer.usage?.output_tokens).toBeGreaterThan(0);
      });
    });

    test.each([
      ['text', turn({ text: 'word '.repeat(2_000), chunkLength: 500 })],
      ['arguments', calls({ tool: 'fs.write', rawArguments: JSON.stringify('x'.repeat(10_000)) })],
    ])('%s beyond the token limit is cut', async (_what, script) => {
      await use([script], async ({ chat, server }) => {
        const answer = collectAnswer(await chat({ ...request, max_output_tokens: 10 }));
        expect(answer.ends).toEqual([{ type: 'done', stop: 'max_tokens' }]);
        const length = answer.text.length + answer.calls.reduce((sum, call) => sum + call.arguments.length, 0);
        expect(length).toBeLessThanOrEqual(answerLengthLimit(10));
        expect(length).toBeGreaterThan(100);
        expect(server.requests).toHaveLength(1);
      });
    });

    test('a history with arguments nested 400,000 deep is sent without them', async () => {
      const messages: ModelRequest['messages'] = [
        ...request.messages,
        { role: 'assistant', text: '', calls: [{ call_id: 'deep', tool: 'fs.read', arguments: '['.repeat(400_000) }] },
        { role: 'assistant', text: '', calls: [{ call_id: 'deeper', tool: 'fs.read', arguments: nested(400_000) }] },
      ];
      await use([turn({ text: 'Here.' })], async ({ chat, server }) => {
        expect(collectAnswer(await chat({ ...request, messages })).text).toBe('Here.');
        expect(server.requests).toHaveLength(1);
      });
    });

    test.each([
      ['max_tokens', 'max_tokens'],
      ['refusal', 'refusal'],
    ] as const)('stop %s is reported', async (stop, expected) => {
      await use([turn({ text: 'So far', stop })], async ({ chat }) => {
        expect(collectAnswer(await chat(request)).ends).toEqual([{ type: 'done', stop: expected }]);
      });
    });

    test('an image goes out with its bytes and its type, before the words about it', async () => {
      const data = Buffer.from('the bytes of a picture').toString('base64');
      const image = { reference: 'image_1', name: 'shot.png', media_type: 'image/png' as const, data };
      const messages: ModelRequest['messages'] = [{ role: 'user', text: 'What is in shot.png?', images: [image] }];
      await use([turn({ text: 'A cat.' })], async ({ chat, server }) => {
        expect(collectAnswer(await chat({ ...request, messages })).text).toBe('A cat.');
        const sent = server.requests[0]?.bytes ?? '';
        expect(sent).toContain(data);
        expect(sent).toContain('image/png');
        expect(sent.indexOf(data)).toBeLessThan(sent.indexOf('What is in shot.png?'));
      });
    });

    test('tools go out without dots, and a history with broken arguments and missing results is accepted', async () => {
      const messages: ModelRequest['messages'] = [
        { role: 'user', text: 'Start.' },
        {
          role: 'assistant',
          text: '',
          calls: [
            { call_id: 'call_a', tool: 'fs.read', arguments: '{"path": "broken' },
            { call_id: 'odd id/with:signs', tool: 'fs.write', arguments: '{"path":"b"}' },
          ],
        },
        { role: 'tool', results: [{ call_id: 'call_a', ok: true, content: 'content of a' }] },
        { role: 'user', text: 'Go on.' },
      ];
      await use([turn({ text: 'ok' })], async ({ chat, server }) => {
        await chat({ ...request, messages });
        const [sent] = server.requests;
        expect(sent?.tools).toEqual(['fs_read', 'fs_write', 'plan_complete']);
        expect(sent?.lastText).toBe('Go on.');
        expect(JSON.stringify(sent?.body)).not.toContain('broken');
        expect(JSON.stringify(sent?.body)).toContain('interrupted before it finished');
        expect(JSON.stringify(sent?.body)).not.toContain('odd id/with:signs');
      });
    });

    describe('when something goes wrong', () => {
      const good = turn({ text: 'Here it is.', calls: [{ tool: 'fs.read', input: { path: 'a' }, id: 'call_good' }] });
      const goodAnswer = {
        text: 'Here it is.',
        calls: [{ id: 'call_good', tool: 'fs.read', arguments: '{"path":"a"}', ended: true }],
        ends: [{ type: 'done', stop: 'tool_calls' }],
      };

      test.each([
        ['rate limit', { kind: 'error', status: 429, type: 'rate_limit_error', message: 'slow down' }, 'rate_limited'],
        [
          'rate limit in tokens',
          { kind: 'error', status: 429, type: 'rate_limit_error', message: 'too many tokens per minute' },
          'rate_limited',
        ],
        ['overloaded', { kind: 'error', status: 529, type: 'overloaded_error', message: 'busy' }, 'overloaded'],
        ['server error', { kind: 'error', status: 500, type: 'api_error', message: 'oops' }, 'server_error'],
        [
          'bad gateway with a page',
          { kind: 'raw', status: 502, contentType: 'text/html', body: '<h1>502</h1>' },
          'server_error',
        ],
        ['closed without an answer', { kind: 'drop' }, 'connection'],
      ] as const)('%s: asked again, heard once', async (_what, first, code) => {
        await use([first, good], async ({ chat, server }) => {
          const answer = collectAnswer(await chat(request));
          expect(answer).toMatchObject(goodAnswer);
          expect(answer.restarts).toMatchObject([{ attempt: 2, code }]);
          expect(server.requests).toHaveLength(2);
          expect(server.requests[1]?.body).toEqual(server.requests[0]?.body);
        });
      });

      const stream = 'text/event-stream';
      const eventName = hasEventNames ? 'event: message_start\n' : '';
      const json = 'application/json';
      test.each([
        ['a page in place of the stream', 200, 'text/html', '<!doctype html><p>Sign in', 'a web page (status 200)'],
        ['a page without a type', 200, '', '<html><p>Sign in</p></html>', 'a web page (status 200)'],
        ['a page where nothing is', 404, 'text/html; charset=utf-8', '<h1>404</h1>', 'a web page (status 404)'],
        ['a page that blocks', 403, 'text/html', '<h1>Blocked</h1>', 'a web page (status 403)'],
        ['an error with a good status', 200, json, '{"error":{"message":"no such route"}}', 'no such route'],
        ['a whole answer in place of a stream', 200, json, '{"choices":[]}', 'no stream of events'],
        ['nothing', 200, json, '', 'answered with nothing'],
        ['an event that is no JSON', 200, stream, `${eventName}data: {"type": oops\n\n`, 'not valid JSON'],
      ])('%s: a protocol error, reported once', async (_what, status, contentType, body, message) => {
        await use([{ kind: 'raw', status, contentType, body }, good], async ({ chat, server }) => {
          const answer = collectAnswer(await chat(request));
          expect(answer.ends).toMatchObject([{ type: 'failed', code: 'protocol', retryable: false }]);
          expect(JSON.stringify(answer.ends)).toContain(message);
          expect(server.requests).toHaveLength(1);
        });
      });

      test('a redirect: a protocol error that names where it leads', async () => {
        const headers = { location: 'https://login.example/?token=secret' };
        const redirect = { kind: 'error', status: 302, type: 'x', message: 'x', headers } as const;
        await use([redirect, good], async ({ chat, server }) => {
          const [end] = collectAnswer(await chat(request)).ends;
          expect(end).toMatchObject({ type: 'failed', code: 'protocol', retryable: false });
          expect(JSON.stringify(end)).toContain('login.example');
          expect(JSON.stringify(end)).not.toContain('secret');
          expect(server.requests).toHaveLength(1);
        });
      });

      test('a stream of events without its content type is read', async () => {
        const kept: string[] = [];
        const relay = { ...good, withoutContentType: true };
        await use([relay], async ({ chat }) => {
          kept.push(collectAnswer(await chat(request)).text);
        });
        expect(kept).toEqual(['Here it is.']);
      });

      test.each(['cutAfterEvents', 'endAfterEvents'] as const)(
        '%s, at every place: asked again, heard once',
        async (where) => {
          let restarted = true;
          let events = 1;
          for (; restarted; events += 1) {
            await use([{ ...good, [where]: events }, good], async ({ chat }) => {
              const answer = collectAnswer(await chat(request));
              expect(answer, `after ${events} events`).toMatchObject(goodAnswer);
              restarted = answer.restarts.length > 0;
            });
          }
          // The text, the call and its arguments were all under way at some cut.
          expect(events).toBeGreaterThan(argumentsAreObjects ? 3 : 5);
        },
      );

      test.each([
        ['rate_limit_error', 'rate_limited', true],
        ['overloaded_error', 'overloaded', true],
        ['invalid_request_error', 'bad_request', false],
      ] as const)('the error %s in the middle of a stream', async (type, code, retryable) => {
        const broken = { ...good, errorAfterEvents: { events: 4, type, message: 'in the middle' } };
        await use([broken, good], async ({ chat, server }) => {
          const answer = collectAnswer(await chat(request));
          expect(server.requests).toHaveLength(retryable ? 2 : 1);
          if (retryable) expect(answer).toMatchObject({ ...goodAnswer, restarts: [{ code }] });
          else expect(answer.ends).toMatchObject([{ type: 'failed', code, message: 'in the middle' }]);
        });
      });

      test.each([
        ['retry-after-ms', '1250', 1_250],
        ['retry-after', '2', 2_000],
      ])('%s is honoured', async (header, value, leastMs) => {
        const refusal = {
          kind: 'error',
          status: 429,
          type: 'rate_limit_error',
          message: 'x',
          headers: { [header]: value },
        } as const;
        await use([refusal, good], async ({ chat, waitsMs }) => {
          expect(collectAnswer(await chat(request))).toMatchObject(goodAnswer);
          expect(waitsMs).toHaveLength(1);
          expect(waitsMs[0]).toBeGreaterThanOrEqual(leastMs);
          expect(waitsMs[0]).toBeLessThan(leastMs * 1.2);
        });
      });

      test('a wait beyond the deadline is not begun', async () => {
        const refusal = {
          kind: 'error',
          status: 429,
          type: 'rate_limit_error',
          message: 'x',
          headers: { 'retry-after': '3600' },
        } as const;
        await use([refusal, good], async ({ chat, server, waitsMs }) => {
          const answer = collectAnswer(await chat(request));
          expect(answer.ends).toMatchObject([{ type: 'failed', code: 'rate_limited', retryable: true }]);
          expect({ waits: waitsMs.length, requests: server.requests.length }).toEqual({ waits: 0, requests: 1 });
        });
      });

      test('it gives up in the end', async () => {
        const refusal = { kind: 'error', status: 503, type: 'api_error', message: 'down for today' } as const;
        await use(
          () => refusal,
          async ({ chat, server }) => {
            const answer = collectAnswer(await chat({ ...request, deadline_ms: 600_000 }));
            expect(answer.ends).toMatchObject([{ type: 'failed', code: 'server_error', retryable: true }]);
            expect(server.requests.length).toBe(8);
          },
        );
      });

      test.each([
        [401, 'authentication_error', 'invalid key', 'auth'],
        [403, 'permission_error', 'not yours', 'auth'],
        [404, 'not_found_error', 'model: scripted-1', 'unknown_model'],
        [400, 'invalid_request_error', 'tools.0: bad schema', 'bad_request'],
        [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum', 'context_too_long'],
        [400, 'invalid_request_error', "This model's maximum context length is 8192 tokens.", 'context_too_long'],
        [413, 'request_too_large', 'too large', 'context_too_long'],
        [402, 'billing_error', 'no money', 'no_credit'],
        [400, 'invalid_request_error', 'Your credit balance is too low', 'no_credit'],
      ] as const)('%i %s is not asked again', async (status, type, message, code) => {
        await use([{ kind: 'error', status, type, message }], async ({ chat, server }) => {
          const answer = collectAnswer(await chat(request));
          expect(answer.ends).toMatchObject([{ type: 'failed', code, retryable: false }]);
          expect(server.requests).toHaveLength(1);
        });
      });

      test('silence ends at the deadline', async () => {
        await use([{ kind: 'silence' }], async ({ chat }) => {
          const answer = collectAnswer(await chat({ ...request, deadline_ms: 150 }));
          expect(answer.ends).toMatchObject([{ type: 'failed', code: 'timeout' }]);
        });
      });

      test('a cancelled request ends at once and sends nothing more', async () => {
        await use([turn({ text: sentence.repeat(20), betweenEventsMs: 5 })], async ({ chat }) => {
          const controller = new AbortController();
          setTimeout(() => controller.abort(), 60);
          await expect(chat(request, controller.signal)).rejects.toThrow();
        });
      });
    });
  });
}
