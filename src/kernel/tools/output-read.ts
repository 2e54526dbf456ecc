import { z } from 'zod';
import { KERNEL } from './plugins.ts';
import { ANY_STATE, NEXT_TASK } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { answer, failure } from './tool-answer.ts';

const MAX_CHARACTERS = 14_000;

export const outputRead = defineTool({
  name: 'output.read',
  description:
    'Read a result that was cut or removed from the conversation, or a message of it, by the reference that was given for it.',
  input: z.strictObject({
    reference: z.string().min(1).max(100).describe('As given, e.g. m120.2 or o_3f9a.'),
    offset: z.number().int().min(0).optional().describe('First character, counting from 0.'),
    limit: z.number().int().min(1).max(MAX_CHARACTERS).optional().describe('Number of characters.'),
  }),
  place: 'kernel',
  effect: 'read',
  plugin: KERNEL,
  states: ANY_STATE,
  opens: NEXT_TASK,
  touches: () => ({ reads: [], writes: [] }),
  result: { maxTokens: 4_000, keep: 'head' },
  describe: ({ reference, offset }) => (offset === undefined ? reference : `${reference} from ${offset}`),
  perform: ({ reference, offset = 0, limit = MAX_CHARACTERS }, { history }) => {
    const text = history.read(reference);
    if (text === null) {
      return failure(
        'not_found',
        `Nothing is stored under "${reference}". history.search finds earlier messages and results.`,
      );
    }
    if (offset >= text.length && text.length > 0) {
      return failure(
        'invalid_input',
        `"${reference}" has ${text.length} characters; offset ${offset} is behind its end.`,
      );
    }
    const part = text.slice(offset, offset + limit);
    const end = offset + part.length;
    const rest =
      end < text.length ? `\n(characters ${offset} to ${end} of ${text.length}; read on with offset ${end})` : '';
    return answer(`${part.toWellFormed()}${rest}`, `${part.length} of ${text.length} characters`);
  },
});
