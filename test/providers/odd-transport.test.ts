import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ModelFailure } from '../../src/contracts/model/model.ts';
import type { ProviderWire } from '../../src/contracts/model/providers.ts';
import { collectAnswer } from '../support/collect-answer.ts';
import type { ScriptedReply } from '../support/wire/script.ts';
import { turn } from '../support/wire/script.ts';
import { useWire, WIRE_NAMES } from '../support/wire/wires.ts';
import { request } from './conformance.ts';

type Event = Readonly<Record<string, unknown>>;
type Raw = Extract<ScriptedReply, { kind: 'raw' }>;

/** An answer with the text `Größe.`, as each vendor streams it. */
const ANSWER: Readonly<Record<ProviderWire, readonly Event[]>> = {
  messages: [
    { type: 'message_start', message: { id: 'm', content: [], usage: { input_tokens: 9, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Größe.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ],
  responses: [
    { type: 'response.output_text.delta', output_index: 0, delta: 'Größe.' },
    { type: 'response.completed', response: { id: 'r', status: 'completed', output: [], usage: null } },
  ],
  'chat-completions': [
    { choices: [{ index: 0, delta: { content: 'Größe.' } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ],
  'generate-content': [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'Größe.' }] } }] },
    { candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP' }] },
  ],
};

/** How one event is written; `name` is the line with its name, or nothing. */
type Write = (name: string, data: Event, index: number) => string;

function streamed(wire: ProviderWire, write: Write = plainly): string {
  const isNamed = wire === 'messages' || wire === 'responses';
  return ANSWER[wire]
    .map((event, index) => write(isNamed ? `event: ${String(event['type'])}\n` : '', event, index))
    .join('');
}

const plainly: Write = (name, data) => `${name}data: ${JSON.stringify(data)}\n\n`;

function sse(body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Raw {
  return { kind: 'raw', status: 200, contentType: 'text/event-stream', body, headers };
}

const READ: readonly (readonly [what: string, (wire: ProviderWire) => Raw])[] = [
  ['lines that end in CR and LF', (wire) => sse(streamed(wire).replaceAll('\n', '\r\n'))],
  ['lines that end in CR', (wire) => sse(streamed(wire).replaceAll('\n', '\r'))],
  ['a byte order mark', (wire) => sse(`\uFEFF${streamed(wire)}`)],
  ['no blank behind the colons', (wire) => sse(streamed(wire).replaceAll(/^(data|event): /gm, '$1:'))],
  [
    'comments, ids and times within the events',
    (wire) => sse(streamed(wire, (name, data, id) => `: here\nid: ${id}\nretry: 5\n${plainly(name, data, id)}`)),
  ],
  [
    'data over several lines',
    (wire) =>
      sse(streamed(wire, (name, data) => `${name}${JSON.stringify(data, null, 2).replaceAll(/^/gm, 'data: ')}\n\n`)),
  ],
  ['no empty lines', (wire) => sse(streamed(wire, (name, data) => `${name}data: ${JSON.stringify(data)}\n`))],
  ['no empty line at the end', (wire) => sse(streamed(wire).trimEnd())],
  ['data that is no object', (wire) => sse(`data: null\n\ndata: 5\n\ndata: []\n\ndata: \n\n${streamed(wire)}`)],
  ['gzip, which was not asked for', (wire) => sse(gzipSync(streamed(wire)), { 'content-encoding': 'gzip' })],
  ['brotli, which was not asked for', (wire) => sse(brotliCompressSync(streamed(wire)), { 'content-encoding': 'br' })],
];

const AGAIN: readonly (readonly [what: string, (wire: ProviderWire) => Raw])[] = [
  ['an end within an event', (wire) => sse(streamed(wire).slice(0, -40))],
  ['gzip that is cut', (wire) => sse(gzipSync(streamed(wire)).subarray(0, 40), { 'content-encoding': 'gzip' })],
  ['comments alone', () => sse(': ping\n\n'.repeat(3))],
  ['an error without end', () => ({ ...sse('x'.repeat(64 * 1024)), status: 500, isEndless: true })],
];

const FAILED: readonly (readonly [what: string, Raw, code: ModelFailure, message: RegExp])[] = [
  ['a page as a stream', sse('<html>hello</html>'), 'protocol', /a text that is no stream of events/],
  ['UTF-16', sse(Buffer.from('data: {"a":1}\n\n', 'utf16le')), 'protocol', /a text that is no stream of events/],
  ['gzip without its header', sse(gzipSync('data: {"a":1}\n\n')), 'protocol', /a text that is no stream of events/],
  ['an event without end', { ...sse('data: '.padEnd(1 << 20, 'x')), isEndless: true }, 'protocol', /more than 16 MiB/],
  ['a status that does not exist', { ...sse(''), status: 999 }, 'protocol', /the status 999/],
  ['a page that says too large', { ...sse('<h1>413</h1>'), status: 413 }, 'context_too_long', /answered 413/],
  ['an error as text', { ...sse('prompt is too long: 9'), status: 400 }, 'context_too_long', /prompt is too long/],
  [
    'an error beside its message',
    error({ object: 'error', message: 'maximum context length is 4' }),
    'context_too_long',
    /is 4$/,
  ],
  ['an error as a word', error({ code: 'x', error: 'Incorrect API key provided' }), 'auth', /Incorrect API key/],
  ['a list of errors', error([{ error: { code: 400, message: 'API key not valid.' } }]), 'auth', /not valid/],
  [
    'an error in detail',
    error({ detail: [{ loc: ['body'], msg: 'field required' }] }),
    'bad_request',
    /^field required$/,
  ],
  [
    'an error with other words beside it',
    error({ message: 'Bad request', error: { message: 'maximum context length is 5' } }),
    'context_too_long',
    /is 5$/,
  ],
  [
    'an error with a long field',
    error({ error: { code: 400, param: 'x'.repeat(100_000), message: 'maximum context length is 6' } }),
    'context_too_long',
    /is 6$/,
  ],
  [
    'an error whose compression cannot be read',
    { ...error({ error: { message: 'no' } }), status: 401, headers: { 'content-encoding': 'gzip' } },
    'auth',
    /answered 401/,
  ],
  ['an error without words', error({ error: { code: 7 } }), 'bad_request', /the service answered 400/],
  ['an error that is null', error(null), 'bad_request', /the service answered 400/],
];

function error(body: unknown): Raw {
  return { ...sse(JSON.stringify(body)), status: 400, contentType: 'application/json' };
}

describe.each(WIRE_NAMES)('over the wire %s', (wire) => {
  test.each(READ)('%s is read', async (_what, reply) => {
    await useWire(wire, [reply(wire)], async ({ chat }) => {
      const answer = collectAnswer(await chat(request));
      expect(answer).toMatchObject({ text: 'Größe.', restarts: [], ends: [{ type: 'done', stop: 'end_turn' }] });
    });
  });

  test.each(AGAIN)('%s is asked again', async (_what, reply) => {
    await useWire(wire, [reply(wire), turn({ text: 'Here.' })], async ({ chat }) => {
      expect(collectAnswer(await chat(request))).toMatchObject({ text: 'Here.', restarts: [{ attempt: 2 }] });
    });
  });

  test.each(FAILED)('%s is reported once, for what it is', async (_what, reply, code, message) => {
    await useWire(wire, [reply], async ({ chat, server }) => {
      const { ends } = collectAnswer(await chat(request));
      expect(ends).toEqual([
        { type: 'failed', code, message: expect.stringMatching(message) as string, retryable: false },
      ]);
      expect(server.requests).toHaveLength(1);
    });
  });

  test('an answer of another form than the protocol has is not taken for a lost connection', async () => {
    const events: Readonly<Record<ProviderWire, Event>> = {
      messages: { type: 'content_block_start', index: 0, content_block: null },
      responses: { type: 'response.output_item.done', output_index: 0, item: null },
      'chat-completions': { choices: [{ delta: { tool_calls: [null] } }] },
      'generate-content': { candidates: [{ content: { parts: [null] } }] },
    };
    const { type } = events[wire];
    const name = type === undefined ? '' : `event: ${String(type)}\n`;
    await useWire(wire, [sse(`${name}data: ${JSON.stringify(events[wire])}\n\n`)], async ({ chat, server }) => {
      const { ends } = collectAnswer(await chat(request));
      expect(ends).toMatchObject([{ type: 'failed', code: 'protocol', retryable: false }]);
      expect(server.requests).toHaveLength(1);
    });
  });

  test('counts of tokens that cannot be are not taken', async () => {
    const usage = { input: 1e300, output: 1e300, cacheRead: 1e300 };
    await useWire(wire, [turn({ text: 'Here.', usage })], async ({ chat }) => {
      const { usage: counted } = collectAnswer(await chat(request));
      expect(counted?.output_tokens).toBe(2);
      expect(counted?.input_tokens).toBeLessThan(1_000);
      expect(counted?.cache_read_tokens).toBe(0);
    });
  });
});
