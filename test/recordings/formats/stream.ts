import type { ProviderWire } from '../../../src/contracts/model/providers.ts';
import { blockText, jsonLines, jsonOf, listOf, recordOf, textOf } from '../loose-json.ts';
import type { Loose } from '../loose-json.ts';
import { interactionsOf } from './cassette.ts';

/** An answer that a vendor streamed, as its events. */
export interface RecordedStream {
  readonly wire: ProviderWire;
  /** As the vendor sent it. */
  readonly body: string;
  readonly events: readonly Loose[];
}

/** Streams of a file: chunks of the Vercel AI SDK, one a line, or the answers in a cassette. */
export function streamsOf(name: string, text: string): readonly RecordedStream[] {
  if (name.endsWith('.chunks.txt')) {
    const events = jsonLines(text).map(recordOf);
    const wire = wireOf(events);
    return wire === null
      ? []
      : [{ wire, events, body: events.map((event) => frame(wire, event)).join('') + over(wire) }];
  }
  if (!name.endsWith('.yaml')) return [];
  return interactionsOf(text).flatMap(({ answer, status }) => {
    const events = eventsOf(answer);
    const wire = status === 200 ? wireOf(events) : null;
    return wire === null ? [] : [{ wire, events, body: answer }];
  });
}

function eventsOf(body: string): readonly Loose[] {
  return body
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => jsonOf(line.slice('data:'.length)))
    .filter((value) => value !== undefined)
    .map(recordOf);
}

/** Null for a wire that we do not speak. */
function wireOf(events: readonly Loose[]): ProviderWire | null {
  const is = (test: (event: Loose) => boolean): boolean => events.some(test);
  if (is(({ type }) => type === 'message_start')) return 'messages';
  if (is(({ type }) => type === 'response.created')) return 'responses';
  if (is(({ object }) => object === 'chat.completion.chunk')) return 'chat-completions';
  // Arguments come in pieces where they were asked for, which we do not.
  const isPiecewise = is((event) => JSON.stringify(event).includes('"willContinue":'));
  if (is(({ candidates }) => Array.isArray(candidates)) && !isPiecewise) return 'generate-content';
  return null;
}

function frame(wire: ProviderWire, event: Loose): string {
  const name = wire === 'messages' || wire === 'responses' ? `event: ${textOf(event['type'])}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}

function over(wire: ProviderWire): string {
  return wire === 'chat-completions' ? 'data: [DONE]\n\n' : '';
}

/** What the events hold, read in the simplest way that there is. */
export interface StreamedAnswer {
  readonly text: string;
  readonly tools: readonly string[];
  /** The service gave up. */
  readonly failed: boolean;
}

export function streamedAnswer({ wire, events: all }: RecordedStream): StreamedAnswer {
  // Some recordings hold several answers, one behind the other.
  const end = all.findIndex(({ type }) => ENDS.includes(textOf(type)));
  const events = end === -1 ? all : all.slice(0, end + 1);
  const failed = events.some(({ type }) => type === 'error' || type === 'response.failed');
  return { ...READERS[wire](events), failed };
}

const ENDS: readonly string[] = ['message_stop', 'response.completed', 'response.incomplete'];

type Reader = (events: readonly Loose[]) => Omit<StreamedAnswer, 'failed'>;

const READERS: Readonly<Record<ProviderWire, Reader>> = {
  messages: (events) => ({
    text: events
      .map(({ delta }) => recordOf(delta))
      .map((delta) => textOf(delta['text']) + textOf(recordOf(delta['stop_details'])['explanation']))
      .join(''),
    tools: blocksOf(
      events.map((event) => event['content_block']),
      'tool_use',
    ),
  }),
  responses: (events) => ({
    text: events
      .filter(({ type }) => type === 'response.output_text.delta' || type === 'response.refusal.delta')
      .map(({ delta }) => textOf(delta))
      .join(''),
    tools: blocksOf(
      events.filter(({ type }) => type === 'response.output_item.added').map(({ item }) => item),
      'function_call',
    ),
  }),
  'chat-completions': (events) => {
    const deltas = events.map((event) => recordOf(recordOf(listOf(event['choices'])[0])['delta']));
    const calls = deltas.flatMap((delta) => listOf(delta['tool_calls'])).map(recordOf);
    const names = calls.map((call) => textOf(recordOf(call['function'])['name']));
    return {
      text: deltas.map(({ content }) => blockText(content)).join(''),
      tools: names.filter((name) => name !== ''),
    };
  },
  'generate-content': (events) => {
    const contents = events.map((event) => recordOf(recordOf(listOf(event['candidates'])[0])['content']));
    const parts = contents.flatMap(({ parts: each }) => listOf(each).map(recordOf));
    return {
      text: parts
        .filter(({ thought }) => thought !== true)
        .map(({ text }) => textOf(text))
        .join(''),
      tools: parts.map(({ functionCall }) => textOf(recordOf(functionCall)['name'])).filter((name) => name !== ''),
    };
  },
};

function blocksOf(blocks: readonly unknown[], type: string): readonly string[] {
  return blocks
    .map(recordOf)
    .filter((block) => block['type'] === type)
    .map(({ name }) => textOf(name));
}
