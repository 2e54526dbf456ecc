import { z } from 'zod';
import { gitDiffResultSchema } from '../../contracts/sandbox/git-tool.ts';
import { pathField } from './shared/input-fields.ts';
import { GIT_TOOL } from './plugins.ts';
import { readableDiff } from './shared/readable-diff.ts';
import { ANY_STATE, NEXT_TASK } from './shared/states.ts';
import { defineTool } from './tool.ts';

export const gitDiff = defineTool({
  name: 'git.diff',
  description: 'Changes against HEAD, including the changes of this session.',
  input: z.strictObject({ path: pathField.optional() }),
  place: 'overlay',
  effect: 'read',
  plugin: GIT_TOOL,
  states: ANY_STATE,
  opens: NEXT_TASK,
  result: { maxTokens: 4_000, keep: 'head' },
  paths: ({ path }) => (path === undefined ? [] : [path]),
  touches: () => ({ reads: 'everything', writes: [] }),
  perform: (_input, context) => {
    const [path] = context.named;
    return context.inspect({ params: path === undefined ? {} : { path }, text: diffText });
  },
});

/**
 * The diff as text, without files that the model may not read: a diff shows content, also of files that the call does
 * not name.
 */
function diffText(result: unknown, readable: (path: string) => boolean): string | null {
  const parsed = gitDiffResultSchema.safeParse(result);
  if (!parsed.success) return null;
  const { text, leftOut } = readableDiff(parsed.data.diff, readable);
  const notes = [
    ...(leftOut === 0 ? [] : [`(${leftOut} ${leftOut === 1 ? 'part' : 'parts'} left out: not open to reading)`]),
    ...(parsed.data.truncated ? ['(the diff was too long and was cut; name a path for less of it)'] : []),
  ];
  if (text === '' && notes.length === 0) return 'No changes.';
  return [...(text === '' ? [] : [text]), ...notes].join('\n');
}
