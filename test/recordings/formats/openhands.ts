import type { RecordedMessage } from '../conversation.ts';
import { jsonLines, listOf, recordOf, textOf } from '../loose-json.ts';
import type { Loose } from '../loose-json.ts';
import { vendorMessage } from '../vendor-message.ts';
import type { RecordingFormat } from './format.ts';

/** Runs of OpenHands, one a line: actions with the model's own answer beside them, and observations that name their action. */
export const openHands: RecordingFormat = {
  name: 'OpenHands',
  endings: ['output.jsonl'],
  read: (text) =>
    jsonLines(text)
      .map((line) => listOf(recordOf(line)['history']).map(recordOf).flatMap(messagesOf))
      .filter((messages) => messages.length > 0),
};

function messagesOf(event: Loose, index: number): readonly RecordedMessage[] {
  const metadata = recordOf(event['tool_call_metadata']);
  const id = textOf(metadata['tool_call_id']);
  if (typeof event['observation'] === 'string') {
    if (id === '') return [];
    return [{ role: 'other', text: '', calls: [], results: [{ id, text: textOf(event['content']), failed: false }] }];
  }
  const [choice] = listOf(recordOf(metadata['model_response'])['choices']);
  if (choice !== undefined) return [vendorMessage(recordOf(choice)['message'])];
  if (event['action'] === 'message' && event['source'] === 'user') {
    return [{ role: 'user', text: textOf(event['message']), calls: [], results: [] }];
  }
  const command = textOf(event['command'] ?? event['code']);
  if (command === '') return [];
  const call = { id: `event_${index}`, tool: 'execute_bash', arguments: JSON.stringify({ command }) };
  return [{ role: 'assistant', text: textOf(event['thought']), calls: [call], results: [] }];
}
