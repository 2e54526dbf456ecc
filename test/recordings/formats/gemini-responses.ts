import type { RecordedMessage } from '../conversation.ts';
import { jsonLines, listOf, recordOf } from '../loose-json.ts';
import { vendorMessage } from '../vendor-message.ts';
import type { RecordingFormat } from './format.ts';

/** What gemini-cli's tests play back: an answer of the model a line, as its chunks. */
export const geminiResponses: RecordingFormat = {
  name: 'gemini-cli responses',
  endings: ['.responses'],
  read: (text) => {
    const messages = jsonLines(text).map((line, turn) => {
      const { response } = recordOf(line);
      return whole((Array.isArray(response) ? response : [response]).map(contentOf).map(vendorMessage), turn);
    });
    return messages.some(({ calls }) => calls.length > 0) ? [messages] : [];
  },
};

function contentOf(chunk: unknown): unknown {
  const [candidate] = listOf(recordOf(chunk)['candidates']);
  return { role: 'model', ...recordOf(recordOf(candidate)['content']) };
}

/** Calls of this wire have no ids. */
function whole(chunks: readonly RecordedMessage[], turn: number): RecordedMessage {
  const calls = chunks.flatMap((chunk) => chunk.calls).map((call, index) => ({ ...call, id: `turn_${turn}_${index}` }));
  return { role: 'assistant', text: chunks.map(({ text }) => text).join(''), calls, results: [] };
}
