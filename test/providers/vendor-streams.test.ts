import { describe, expect, test } from 'vitest';
import type { ProviderWire } from '../../src/contracts/model/providers.ts';
import { collectAnswer } from '../support/collect-answer.ts';
import type { ScriptedReply } from '../support/wire/script.ts';
import { turn } from '../support/wire/script.ts';
import { useWire } from '../support/wire/wires.ts';
import { request } from './conformance.ts';

type Event = Readonly<Record<string, unknown>>;

/** What a service or a server that imitates one was seen to stream, and what the answer is. */
interface Row {
  readonly name: string;
  readonly wire: ProviderWire;
  readonly events: readonly Event[];
  readonly text?: string;
  readonly calls?: readonly (readonly [tool: string, args: string])[];
  /** How it ends; `again`: the next attempt is asked for, because of this failure. */
  readonly end: string | { readonly again: string };
}

const message = (stop: string, more: Event = {}): readonly Event[] => [
  { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null, ...more }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
];
const START = {
  type: 'message_start',
  message: { id: 'm', content: [], usage: { input_tokens: 9, output_tokens: 1 } },
};
const block = (index: number, content_block: Event, ...deltas: readonly Event[]): readonly Event[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const said = (index: number, text: string): readonly Event[] =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text });

const chat = (delta: Event, finish: string | null = null, more: Event = {}): Event => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});
const call = (fields: Event): Event => chat({ tool_calls: [fields] });

const completed = (status: string, more: Event = {}): Event => ({
  type: `response.${status}`,
  response: { id: 'r', status, output: [], usage: null, ...more },
});
const item = (kind: 'added' | 'done', fields: Event, output_index = 0): Event => ({
  type: `response.output_item.${kind}`,
  output_index,
  item: fields,
});

const gemini = (parts: readonly Event[], finishReason?: string): Event => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason === undefined ? {} : { finishReason }) }],
});

const ROWS: readonly Row[] = [
  {
    name: 'a refusal without text, explained by the service',
    wire: 'messages',
    events: [
      START,
      ...message('refusal', { stop_details: { type: 'refusal', category: 'cyber', explanation: 'Not this.' } }),
    ],
    text: 'Not this.',
    end: 'refusal',
  },
  {
    name: 'the window of the model is exceeded in the middle of the answer',
    wire: 'messages',
    events: [START, ...said(0, 'Half'), ...message('model_context_window_exceeded')],
    text: 'Half',
    end: 'max_tokens',
  },
  {
    name: 'redacted thinking, pings and a kind of event that does not exist yet',
    wire: 'messages',
    events: [
      { type: 'ping' },
      START,
      ...block(0, { type: 'redacted_thinking', data: 'opaque' }),
      { type: 'content_block_annotated', index: 0 },
      ...said(1, 'Yes.'),
      ...message('end_turn'),
    ],
    text: 'Yes.',
    end: 'end_turn',
  },
  {
    name: 'a stop reason that does not exist yet',
    wire: 'messages',
    events: [START, ...said(0, 'Yes.'), ...message('compaction')],
    text: 'Yes.',
    end: 'end_turn',
  },
  {
    name: 'an answer that begins again in the middle of a call',
    wire: 'messages',
    events: [
      START,
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'a', name: 'fs_read', input: {} },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"pa' } },
      START,
      ...said(0, 'Yes.'),
      ...message('end_turn'),
    ],
    end: { again: 'connection' },
  },
  {
    name: 'content as a list of blocks, thoughts among them',
    wire: 'chat-completions',
    events: [
      chat({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Let me see.' }] }] }),
      chat({ content: [{ type: 'text', text: 'Four.' }, { type: 'reference', reference_ids: [1] }, null] }),
      chat({ content: '' }, 'stop'),
    ],
    text: 'Four.',
    end: 'end_turn',
  },
  {
    name: 'calls without numbers, with ids that differ',
    wire: 'chat-completions',
    events: [
      call({ id: 'a', function: { name: 'fs_read', arguments: '{"path":"a"}' } }),
      call({ id: 'b', function: { name: 'fs_read', arguments: '{"path":"b"}' } }),
      chat({}, 'tool_calls'),
    ],
    calls: [
      ['fs.read', '{"path":"a"}'],
      ['fs.read', '{"path":"b"}'],
    ],
    end: 'tool_calls',
  },
  {
    name: 'arguments that are an object, and null',
    wire: 'chat-completions',
    events: [
      call({ index: 0, id: 'a', function: { name: 'fs_read', arguments: { path: 'a' } } }),
      call({ index: 1, id: 'b', function: { name: 'plan_complete', arguments: null } }),
      chat({}, 'tool_calls'),
    ],
    calls: [
      ['fs.read', '{"path":"a"}'],
      ['plan.complete', '{}'],
    ],
    end: 'tool_calls',
  },
  {
    name: 'a finish that comes twice, and tokens in a chunk without choices',
    wire: 'chat-completions',
    events: [
      call({ index: 0, id: 'a', function: { name: 'fs_read', arguments: '{}' } }),
      chat({ content: '' }, 'tool_calls'),
      chat({ content: '' }, 'tool_calls'),
      { id: 'c', choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } },
    ],
    calls: [['fs.read', '{}']],
    end: 'tool_calls',
  },
  ...(['error', 'network_error', 'insufficient_system_resource'] as const).map((finish): Row => ({
    name: `the service ends the answer with ${finish}`,
    wire: 'chat-completions',
    events: [chat({ content: 'Half' }), chat({}, finish)],
    end: { again: finish === 'insufficient_system_resource' ? 'overloaded' : 'server_error' },
  })),
  {
    name: 'the window ends the answer',
    wire: 'chat-completions',
    events: [chat({ content: 'Half' }), chat({}, 'model_length')],
    text: 'Half',
    end: 'max_tokens',
  },
  ...(['content_filter', 'sensitive'] as const).map((finish): Row => ({
    name: `a filter ends the answer with ${finish}`,
    wire: 'chat-completions',
    events: [chat({ content: 'Half' }), chat({}, finish)],
    text: 'Half',
    end: 'refusal',
  })),
  {
    name: 'a text that comes with the end of its item alone',
    wire: 'responses',
    events: [
      item('done', { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'Yes.', annotations: [] }] }),
      completed('completed'),
    ],
    text: 'Yes.',
    end: 'end_turn',
  },
  {
    name: 'a text that comes in pieces is not said again at its end',
    wire: 'responses',
    events: [
      item('added', { type: 'message', id: 'm', content: [] }),
      { type: 'response.output_text.delta', output_index: 0, delta: 'Yes.' },
      item('done', { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'Yes.', annotations: [] }] }),
      completed('completed'),
    ],
    text: 'Yes.',
    end: 'end_turn',
  },
  {
    name: 'a call that comes with the end of its item alone',
    wire: 'responses',
    events: [
      item('done', { type: 'function_call', call_id: 'a', name: 'fs_read', arguments: '{"path":"a"}' }),
      item('done', { type: 'function_call', call_id: 'b', name: 'plan_complete', arguments: '' }, 1),
      completed('completed'),
    ],
    calls: [
      ['fs.read', '{"path":"a"}'],
      ['plan.complete', '{}'],
    ],
    end: 'tool_calls',
  },
  {
    name: 'a call whose end comes with the answer alone, and a text that does',
    wire: 'responses',
    events: [
      item('added', { type: 'function_call', call_id: 'a', name: 'fs_read', arguments: '' }),
      completed('completed', {
        output: [
          { type: 'function_call', call_id: 'a', name: 'fs_read', arguments: '{"path":"a"}' },
          { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'Yes.', annotations: [] }] },
        ],
      }),
    ],
    text: 'Yes.',
    calls: [['fs.read', '{"path":"a"}']],
    end: 'tool_calls',
  },
  {
    name: 'what came before is not taken again from the end of the answer',
    wire: 'responses',
    events: [
      item('done', { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'Yes.', annotations: [] }] }),
      item('done', { type: 'function_call', call_id: 'a', name: 'fs_read', arguments: '{}' }, 1),
      completed('completed', {
        output: [
          { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'Yes.', annotations: [] }] },
          { type: 'function_call', call_id: 'a', name: 'fs_read', arguments: '{}' },
        ],
      }),
    ],
    text: 'Yes.',
    calls: [['fs.read', '{}']],
    end: 'tool_calls',
  },
  {
    name: 'a call whose arguments come in one piece, and that has no end',
    wire: 'responses',
    events: [
      item('added', { type: 'function_call', call_id: 'a', name: 'fs_read' }),
      { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"path":"a"}' },
      completed('completed'),
    ],
    calls: [['fs.read', '{"path":"a"}']],
    end: 'tool_calls',
  },
  {
    name: 'a call that has another id at the end of the answer',
    wire: 'responses',
    events: [
      item('done', { type: 'function_call', call_id: 'a', name: 'fs_read', arguments: '{"path":"a"}' }),
      completed('completed', {
        output: [{ type: 'function_call', call_id: 'b', name: 'fs_read', arguments: '{"path":"a"}' }],
      }),
    ],
    calls: [['fs.read', '{"path":"a"}']],
    end: 'tool_calls',
  },
  {
    name: 'a call that ends at another index than it began',
    wire: 'responses',
    events: [
      item('added', { type: 'function_call', call_id: 'a', name: 'fs_read', arguments: '' }),
      item('done', { type: 'function_call', call_id: 'a', name: 'fs_read', arguments: '{"path":"a"}' }, 1),
      completed('completed', {
        output: [{ type: 'function_call', call_id: 'a', name: 'fs_read', arguments: '{"path":"a"}' }],
      }),
    ],
    calls: [['fs.read', '{"path":"a"}']],
    end: 'tool_calls',
  },
  {
    name: 'a call that has another index at the end of the answer',
    wire: 'responses',
    events: [
      item('added', { type: 'function_call', call_id: 'a', name: 'fs_read', arguments: '' }, 1),
      completed('completed', {
        output: [{ type: 'function_call', call_id: 'a', name: 'fs_read', arguments: '{"path":"a"}' }],
      }),
    ],
    calls: [['fs.read', '{"path":"a"}']],
    end: 'tool_calls',
  },
  {
    name: 'texts and calls that come with the end of the answer alone',
    wire: 'responses',
    events: [
      completed('completed', {
        output: [
          { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'Yes. ', annotations: [] }] },
          { type: 'message', id: 'n', content: [{ type: 'output_text', text: 'Now.', annotations: [] }] },
          { type: 'function_call', name: 'fs_read', arguments: '{"path":"a"}' },
          { type: 'function_call', name: 'fs_read', arguments: '{"path":"b"}' },
        ],
      }),
    ],
    text: 'Yes. Now.',
    calls: [
      ['fs.read', '{"path":"a"}'],
      ['fs.read', '{"path":"b"}'],
    ],
    end: 'tool_calls',
  },
  {
    name: 'arguments that are an object, a list, null, or are missing',
    wire: 'responses',
    events: [
      item('done', { type: 'function_call', call_id: 'a', name: 'fs_read', arguments: { path: 'a' } }),
      item('done', { type: 'function_call', call_id: 'b', name: 'fs_read', arguments: [1] }, 1),
      item('done', { type: 'function_call', call_id: 'c', name: 'fs_read', arguments: null }, 2),
      item('done', { type: 'function_call', call_id: 'd', name: 'fs_read' }, 3),
      completed('completed'),
    ],
    calls: [
      ['fs.read', '{"path":"a"}'],
      ['fs.read', '[1]'],
      ['fs.read', '{}'],
      ['fs.read', '{}'],
    ],
    end: 'tool_calls',
  },
  {
    name: 'arguments that are an object or a number, and numbers for names',
    wire: 'messages',
    events: [
      START,
      ...block(
        0,
        { type: 'tool_use', id: 'a', name: 'fs_read', input: {} },
        { type: 'input_json_delta', partial_json: { path: 'a' } },
      ),
      ...block(1, { type: 'tool_use', id: 5, name: 7, input: null }, { type: 'input_json_delta', partial_json: 8 }),
      ...message('tool_use'),
    ],
    calls: [
      ['fs.read', '{"path":"a"}'],
      ['7', '8'],
    ],
    end: 'tool_calls',
  },
  {
    name: 'an answer that is no stream, as one event',
    wire: 'chat-completions',
    events: [{ choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }] }],
    text: 'Yes.',
    end: 'end_turn',
  },
  ...(
    [
      [429, 'rate_limited'],
      [502, 'server_error'],
    ] as const
  ).map(([code, failure]): Row => ({
    name: `an error inside the stream with the status ${code}`,
    wire: 'chat-completions',
    events: [chat({ content: 'Half' }), { error: { code, message: 'not now' } }],
    end: { again: failure },
  })),
  {
    name: 'an answer that its token limit cut off',
    wire: 'responses',
    events: [
      item('added', { type: 'message', id: 'm', content: [] }),
      { type: 'response.output_text.delta', output_index: 0, delta: 'Half' },
      completed('incomplete', { incomplete_details: { reason: 'max_output_tokens' } }),
    ],
    text: 'Half',
    end: 'max_tokens',
  },
  {
    name: 'an answer that a filter left incomplete',
    wire: 'responses',
    events: [completed('incomplete', { incomplete_details: { reason: 'content_filter' } })],
    end: 'refusal',
  },
  {
    name: 'an answer that the service gave up on',
    wire: 'responses',
    events: [completed('failed', { error: { code: 'server_error', message: 'sorry' } })],
    end: { again: 'server_error' },
  },
  ...(['MALFORMED_FUNCTION_CALL', 'MALFORMED_RESPONSE'] as const).map((finish): Row => ({
    name: `the service cannot read what the model wrote (${finish})`,
    wire: 'generate-content',
    events: [gemini([{ text: 'Half' }]), gemini([], finish)],
    end: { again: 'server_error' },
  })),
  {
    name: 'a prompt that is blocked',
    wire: 'generate-content',
    events: [{ promptFeedback: { blockReason: 'JAILBREAK' } }],
    end: 'refusal',
  },
  {
    name: 'calls without ids and arguments, and a signature in a part of its own',
    wire: 'generate-content',
    events: [
      gemini([{ functionCall: { name: 'plan_complete' } }, { functionCall: { name: 'fs_read', args: { path: 'a' } } }]),
      gemini([{ text: '', thoughtSignature: 'c2ln' }], 'STOP'),
    ],
    calls: [
      ['plan.complete', '{}'],
      ['fs.read', '{"path":"a"}'],
    ],
    end: 'tool_calls',
  },
];

/** With comments between the events, as routers send them to keep a connection. */
function streamed({ wire, events }: Row): ScriptedReply {
  const named = wire === 'messages' || wire === 'responses';
  const frames = events.map(
    (event) => `${named ? `event: ${String(event['type'])}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
  );
  const end = wire === 'chat-completions' ? 'data: [DONE]\n\n' : '';
  return {
    kind: 'raw',
    status: 200,
    contentType: 'text/event-stream',
    body: `: PROCESSING\n\n${frames.join(': PROCESSING\n\n')}${end}`,
  };
}

describe('what services and servers like them stream', () => {
  test.each(ROWS.map((row) => [row.wire, row.name, row] as const))('%s: %s', async (wire, _name, row) => {
    await useWire(wire, [streamed(row), turn({ text: 'Here.' })], async (provider) => {
      const answer = collectAnswer(await provider.chat(request));
      if (typeof row.end !== 'string') {
        expect(answer).toMatchObject({ text: 'Here.', calls: [], restarts: [{ code: row.end.again }] });
        return;
      }
      expect(answer.ends).toEqual([{ type: 'done', stop: row.end }]);
      expect(answer.text).toBe(row.text ?? '');
      expect(answer.calls.map((each) => [each.tool, each.arguments, each.ended])).toEqual(
        (row.calls ?? []).map(([tool, args]) => [tool, args, true]),
      );
      expect(answer.usage?.input_tokens).toBeGreaterThan(0);
    });
  });

  test.each(['messages', 'responses', 'chat-completions', 'generate-content'] as const)(
    '%s: a page of a proxy in place of an answer is asked again',
    async (wire) => {
      const page = (status: number): ScriptedReply => ({
        kind: 'raw',
        status,
        contentType: 'text/html',
        body: '<html><body>Service Unavailable</body></html>',
      });
      await useWire(wire, [page(503), page(529), turn({ text: 'Here.' })], async (provider) => {
        const answer = collectAnswer(await provider.chat(request));
        expect(answer.text).toBe('Here.');
        expect(answer.restarts.map(({ code }) => code)).toEqual(['server_error', 'overloaded']);
      });
    },
  );
});
