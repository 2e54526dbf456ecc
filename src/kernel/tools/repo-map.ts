import { z } from 'zod';
import type { ProjectPath } from '../../contracts/ids.ts';
import { searchBase } from './shared/existing-path.ts';
import { directoryField } from './shared/input-fields.ts';
import { mapSources, sourcesOf } from './shared/map-sources.ts';
import { KERNEL } from './plugins.ts';
import { ANY_STATE, NEXT_TASK } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { answer } from './tool-answer.ts';
import type { ToolAnswer } from './tool-answer.ts';
import type { ReadScope } from './tool-context.ts';

const DEFAULT_TOKENS = 2_000;
const MAX_TOKENS = 8_000;
const CHARACTERS_PER_TOKEN = 3.5;
/** Parsing more files would take too long. */
const MAX_FILES = 600;
const MAX_LISTED = 20_000;
/** Maximum number of files that cannot be parsed. */
const MAX_UNUSABLE = 20;

const input = z.strictObject({
  path: directoryField.optional(),
  focus: z
    .array(z.string().min(1).max(500))
    .max(20)
    .optional()
    .describe(
      'Files, directories or names that are important now: what they use, and what uses them, is listed first.',
    ),
  max_tokens: z.number().int().min(200).max(MAX_TOKENS).optional(),
});

export const repoMap = defineTool({
  name: 'repo.map',
  description:
    'A map of the code: the functions, classes and types that the rest of the project uses most, by file, with their lines. For JavaScript, TypeScript, Python and Go. To find your way before you search.',
  input,
  place: 'kernel',
  effect: 'read',
  plugin: KERNEL,
  states: ANY_STATE,
  opens: NEXT_TASK,
  result: { maxTokens: MAX_TOKENS, keep: 'head' },
  paths: ({ path }) => (path === undefined ? [] : [path]),
  describe: ({ path = '', focus = [] }) => [path, ...focus].filter((part) => part !== '').join(' '),
  perform: (wish, context) => context.read((scope) => mapOf(scope, context.named[0], wish)),
});

async function mapOf(
  scope: ReadScope,
  named: ProjectPath | undefined,
  { focus = [], max_tokens: maxTokens = DEFAULT_TOKENS }: z.infer<typeof input>,
): Promise<ToolAnswer> {
  const base = await searchBase(scope, named);
  if (base.kind === 'refused') return base.answer;
  const { paths } = await scope.workspace.glob('**/*', base.path, MAX_LISTED);
  const sources = sourcesOf(scope, paths);
  const { text, files } = await mapSources(scope, sources.slice(0, MAX_FILES), {
    focus,
    maxCharacters: Math.floor(maxTokens * CHARACTERS_PER_TOKEN),
    maxUnusable: MAX_UNUSABLE,
  });
  if (text === '') return answer('There is no source here in a supported language.', 'no source');
  const left = sources.length - MAX_FILES;
  const more = left > 0 ? `\n(${left} more files were not read; narrow it with path)` : '';
  return answer(`${text}${more}`, `${files} files`);
}
