import type { ImageType } from '../../contracts/model/image.ts';
import type { ModelCall, ModelMessage } from '../../contracts/model/model.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import { assertNever } from '../../lib/assert-never.ts';

export interface CallResult {
  readonly call_id: string;
  readonly ok: boolean;
  readonly content: string;
}

/** `data` is base64. */
export interface TurnImage {
  readonly media_type: ImageType;
  readonly data: string;
}

/** Results answer the calls of the assistant's turn before, each exactly once, in the order of the calls. */
export type Turn =
  | {
      readonly role: 'user';
      readonly results: readonly CallResult[];
      readonly texts: readonly string[];
      readonly images: readonly TurnImage[];
    }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelCall[] };

export type AssistantTurn = Extract<Turn, { role: 'assistant' }>;

const NO_RESULT = 'There is no result: the call was interrupted before it finished.';

/**
 * Brings a history into the strict form that vendors require: roles alternate, every call has its result in the very next turn, and there are no
 * other results. A session that was interrupted or summarised may lack results; a vendor would refuse all of it.
 */
export function toTurns(messages: readonly ModelMessage[]): readonly Turn[] {
  const groups = groupByRole(messages);
  return groups.flatMap((group, index): Turn[] => {
    const previous = groups[index - 1];
    if (group.role === 'assistant') {
      const isLast = index === groups.length - 1;
      return isLast && group.calls.length > 0
        ? [group, { role: 'user', results: unanswered(group.calls), texts: [], images: [] }]
        : [group];
    }
    const calls = previous?.role === 'assistant' ? previous.calls : [];
    const results = calls.map((call) => group.results.get(call.call_id) ?? noResult(call));
    return [{ role: 'user', results, texts: group.texts, images: group.images }];
  });
}

type Group =
  | {
      readonly role: 'user';
      readonly results: Map<string, CallResult>;
      readonly texts: string[];
      readonly images: TurnImage[];
    }
  | { readonly role: 'assistant'; text: string; readonly calls: ModelCall[] };

function groupByRole(messages: readonly ModelMessage[]): readonly Group[] {
  const groups: Group[] = [];
  for (const message of messages) {
    switch (message.role) {
      case 'user':
        if (message.text.trim() !== '') userGroup(groups).texts.push(message.text);
        for (const { media_type, data } of message.images ?? []) {
          if (data !== undefined) userGroup(groups).images.push({ media_type, data });
        }
        break;
      case 'tool':
        for (const result of message.results) addResult(groups, result);
        break;
      case 'assistant':
        addAssistant(groups, message.text, message.calls);
        break;
      default:
        assertNever(message);
    }
  }
  return groups;
}

function userGroup(groups: Group[]): Extract<Group, { role: 'user' }> {
  const last = groups.at(-1);
  if (last?.role === 'user') return last;
  const group = { role: 'user' as const, results: new Map<string, CallResult>(), texts: [], images: [] };
  groups.push(group);
  return group;
}

/** Drops a result without a call in the latest assistant turn. */
function addResult(groups: Group[], result: CallResult): void {
  const asked = groups.findLast((group) => group.role === 'assistant');
  if (asked?.role === 'assistant' && asked.calls.some(({ call_id }) => call_id === result.call_id)) {
    userGroup(groups).results.set(result.call_id, result);
  }
}

function addAssistant(groups: Group[], text: string, calls: readonly ModelCall[]): void {
  if (text.trim() === '' && calls.length === 0) return;
  const last = groups.at(-1);
  if (last?.role !== 'assistant') {
    groups.push({ role: 'assistant', text, calls: [...calls] });
    return;
  }
  last.text = [last.text, text].filter((part) => part.trim() !== '').join('\n\n');
  last.calls.push(...calls);
}

function unanswered(calls: readonly ModelCall[]): readonly CallResult[] {
  return calls.map(noResult);
}

function noResult(call: ModelCall): CallResult {
  return { call_id: call.call_id, ok: false, content: NO_RESULT };
}

/**
 * A model's arguments as the object that vendors require when it is sent back. Anything that is not an object becomes `{}`, also an object so deeply
 * nested that writing it again would fail.
 */
export function argumentsObject(text: string): Record<string, unknown> {
  const parsed = parseStrictJson(Buffer.from(text));
  const value = parsed.ok ? parsed.value : null;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** An image in the form of OpenAI's protocols. */
export function dataUrl({ media_type, data }: TurnImage): string {
  return `data:${media_type};base64,${data}`;
}
