import { z } from 'zod';
import { gitText } from './shared/git-text.ts';
import { GIT_TOOL } from './plugins.ts';
import { ANY_STATE, NEXT_TASK } from './shared/states.ts';
import { defineTool } from './tool.ts';

export const gitStatus = defineTool({
  name: 'git.status',
  description: "The repository's status, staged changes of this session included.",
  input: z.strictObject({}),
  place: 'overlay',
  effect: 'read',
  plugin: GIT_TOOL,
  states: ANY_STATE,
  opens: NEXT_TASK,
  result: { maxTokens: 1_500, keep: 'head' },
  perform: (_input, context) => context.inspect({ params: {}, text: gitText }),
});
