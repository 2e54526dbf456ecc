import { z } from 'zod';
import { firstLine } from './shared/input-fields.ts';
import { GIT_TOOL } from './plugins.ts';
import { defineTool } from './tool.ts';
import { answer } from './tool-answer.ts';

export const gitCommit = defineTool({
  name: 'git.commit',
  synonyms: ['commit', 'submit', 'finish', 'complete_task', 'attempt_completion'],
  description: 'Propose the commit, with its message. Only in state reviewing, when the whole suite has passed.',
  input: z.strictObject({ message: z.string().min(1).max(20_000) }),
  place: 'overlay',
  effect: 'workflow',
  plugin: GIT_TOOL,
  states: ['reviewing'],
  opens: 'A commit opens when test.run has seen the whole suite pass.',
  describe: ({ message }) => firstLine(message),
  perform: ({ message }, context) => {
    context.workflow.proposeCommit(message);
    return answer('The commit goes to review.', firstLine(message));
  },
});
