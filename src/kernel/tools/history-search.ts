import { z } from 'zod';
import { KERNEL } from './plugins.ts';
import { ANY_STATE, NEXT_TASK } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { answer } from './tool-answer.ts';

const DEFAULT_HITS = 20;

export const historySearch = defineTool({
  name: 'history.search',
  description:
    'Search the whole conversation of this session, including what is no longer shown: messages, calls and results that contain a text.',
  input: z.strictObject({
    query: z.string().min(2).max(500).describe('Literal text; upper and lower case are alike.'),
    max_results: z.number().int().min(1).max(100).optional(),
  }),
  place: 'kernel',
  effect: 'read',
  plugin: KERNEL,
  states: ANY_STATE,
  opens: NEXT_TASK,
  touches: () => ({ reads: [], writes: [] }),
  result: { maxTokens: 2_500, keep: 'head' },
  describe: ({ query }) => JSON.stringify(query),
  perform: ({ query, max_results: max = DEFAULT_HITS }, { history }) => {
    const hits = history.search(query, max);
    if (hits.length === 0) return answer(`Nothing in this session contains "${query}".`, 'nothing found');
    const lines = hits.map(({ reference, what, excerpt }) => `${reference} ${what}: ${excerpt}`);
    return answer(
      ['The newest first; output.read shows each whole by its reference.', ...lines].join('\n'),
      `${hits.length} ${hits.length === 1 ? 'place' : 'places'}`,
    );
  },
});
