import { z } from 'zod';
import { gitText } from './shared/git-text.ts';
import { pathField } from './shared/input-fields.ts';
import { GIT_TOOL } from './plugins.ts';
import { ANY_STATE, NEXT_TASK } from './shared/states.ts';
import { defineTool } from './tool.ts';

const DEFAULT_COMMITS = 20;

export const gitLog = defineTool({
  name: 'git.log',
  description: 'Recent commits.',
  input: z.strictObject({ path: pathField.optional(), limit: z.number().int().min(1).max(200).optional() }),
  place: 'overlay',
  effect: 'read',
  plugin: GIT_TOOL,
  states: ANY_STATE,
  opens: NEXT_TASK,
  result: { maxTokens: 2_000, keep: 'head' },
  paths: ({ path }) => (path === undefined ? [] : [path]),
  touches: () => ({ reads: 'everything', writes: [] }),
  perform: ({ limit = DEFAULT_COMMITS }, context) => {
    const [path] = context.named;
    const params = { limit, ...(path === undefined ? {} : { path }) };
    return context.inspect({ params, text: gitText });
  },
});
