import type { RecordedCall, RecordedMessage } from './conversation.ts';
import { blockText, listOf, recordOf, textOf } from './loose-json.ts';

type SentCall = Omit<RecordedCall, 'result'>;

/**
 * A message in the form of Anthropic (`tool_use` blocks), OpenAI (`tool_calls`, role `tool`), Gemini (`parts`) or pi (`toolCall`,
 * role `toolResult`).
 */
export function vendorMessage(value: unknown): RecordedMessage {
  const message = recordOf(value);
  const role = textOf(message['role']);
  const blocks = [...listOf(message['content']), ...listOf(message['parts'])].map(recordOf);
  return {
    role: role === 'assistant' || role === 'model' ? 'assistant' : role === 'user' ? 'user' : 'other',
    text: blocks.length > 0 ? blockText(blocks.filter(({ thought }) => thought !== true)) : textOf(message['content']),
    calls: [...blocks.flatMap(callOfBlock), ...listOf(message['tool_calls']).flatMap(callOfChat)],
    results: [...blocks.flatMap(resultOfBlock), ...resultOfRole(role, message)],
  };
}

function callOfBlock(block: ReturnType<typeof recordOf>): SentCall[] {
  const asked = recordOf(block['functionCall']);
  if (textOf(asked['name']) !== '') return [sent(asked['id'] ?? asked['name'], asked['name'], asked['args'])];
  switch (block['type']) {
    case 'tool_use':
      return [sent(block['id'], block['name'], block['input'])];
    case 'toolCall':
      return [sent(block['id'], block['name'], block['arguments'])];
    default:
      return [];
  }
}

function callOfChat(value: unknown): SentCall[] {
  const call = recordOf(value);
  const { name, arguments: given } = recordOf(call['function']);
  return textOf(name) === '' ? [] : [sent(call['id'], name, given)];
}

/** Arguments that are text are the model's own, to the letter. */
function sent(id: unknown, name: unknown, given: unknown): SentCall {
  return {
    id: textOf(id),
    tool: textOf(name),
    arguments: typeof given === 'string' ? given : (JSON.stringify(given) ?? ''),
  };
}

function resultOfBlock(block: ReturnType<typeof recordOf>): RecordedMessage['results'] {
  const answered = recordOf(block['functionResponse']);
  if (textOf(answered['name']) !== '') {
    const id = textOf(answered['id'] ?? answered['name']);
    return [{ id, text: JSON.stringify(answered['response'] ?? ''), failed: false }];
  }
  if (block['type'] !== 'tool_result') return [];
  const id = textOf(block['tool_use_id']);
  return [{ id, text: blockText(block['content']), failed: block['is_error'] === true }];
}

function resultOfRole(role: string, message: ReturnType<typeof recordOf>): RecordedMessage['results'] {
  if (role !== 'tool' && role !== 'toolResult') return [];
  const text = blockText(message['content']);
  const ids = [message['tool_call_id'], message['toolCallId'], ...listOf(message['tool_call_ids'])];
  const failed = message['isError'] === true || /^ERROR/.test(text);
  return ids.filter((id) => typeof id === 'string').map((id) => ({ id, text, failed }));
}
