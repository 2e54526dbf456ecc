import type { RecordedMessage } from '../conversation.ts';
import { jsonLines, jsonOf, listOf, recordOf } from '../loose-json.ts';
import { vendorMessage } from '../vendor-message.ts';
import type { RecordingFormat } from './format.ts';

/** One JSON value with `messages`, or with the lines of a session in `loglines`. */
export const messagesFile: RecordingFormat = {
  name: 'messages',
  endings: ['.messages.json', 'session.json'],
  read: (text) => {
    const file = recordOf(jsonOf(text));
    return withCalls(listOf(file['messages'] ?? file['loglines']).map(messageIn));
  },
};

/** A session of pi or Claude Code: an entry a line, messages under `message`. */
export const sessionLines: RecordingFormat = {
  name: 'session lines',
  endings: ['.jsonl'],
  read: (text) =>
    withCalls(
      jsonLines(text)
        .filter((line) => recordOf(line)['message'] !== undefined)
        .map(messageIn),
    ),
};

function messageIn(line: unknown): RecordedMessage {
  return vendorMessage(recordOf(line)['message'] ?? line);
}

function withCalls(messages: readonly RecordedMessage[]): readonly (readonly RecordedMessage[])[] {
  return messages.some(({ calls }) => calls.length > 0) ? [messages] : [];
}
