import { z } from 'zod';
import type { GrepMatch } from '../../contracts/ports/workspace.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { searchBase } from './shared/existing-path.ts';
import { directoryField } from './shared/input-fields.ts';
import { KERNEL } from './plugins.ts';
import { ANY_STATE, NEXT_TASK } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { answer, failure } from './tool-answer.ts';
import type { ToolAnswer } from './tool-answer.ts';
import type { ReadScope } from './tool-context.ts';

const DEFAULT_MATCHES = 200;

const input = z.strictObject({
  pattern: z.string().min(1).max(2000).describe('Regular expression (Rust syntax).'),
  path: directoryField.optional().describe('Directory or file; default: the project.'),
  glob: z.string().max(500).optional().describe('Only files that match, e.g. **/*.ts'),
  ignore_case: z.boolean().optional(),
  context: z.number().int().min(0).max(20).optional().describe('Lines to show around each match.'),
  max_results: z.number().int().min(1).max(2000).optional(),
});

type Query = z.infer<typeof input>;

export const searchGrep = defineTool({
  name: 'search.grep',
  synonyms: [
    'grep',
    'rg',
    'search',
    'search_files',
    'search_dir',
    'search_file',
    'search_file_content',
    'codebase_search',
    'grep_search',
  ],
  description:
    'Search file contents with a regular expression. Files that git ignores are left out unless path names them.',
  input,
  foreign: {
    names: {
      pattern: ['query', 'regex', 'search_pattern', 'search_term'],
      path: ['directory', 'dir', 'dir_path', 'search_path'],
      glob: ['include', 'include_pattern', 'file_pattern'],
      ignore_case: ['case_insensitive', 'i'],
      context: ['c', 'context_lines'],
      max_results: ['head_limit', 'limit', 'max_matches'],
    },
    idle: ['n', 'output_mode'],
  },
  place: 'kernel',
  effect: 'read',
  plugin: KERNEL,
  states: ANY_STATE,
  opens: NEXT_TASK,
  result: { maxTokens: 3_000, keep: 'head' },
  paths: ({ path }) => (path === undefined ? [] : [path]),
  describe: ({ pattern, path = '', glob = '' }) =>
    [JSON.stringify(pattern), path, glob].filter((part) => part !== '').join(' '),
  perform: (query, context) => context.read((scope) => grep(scope, { ...query, path: context.named[0] })),
});

/** Matches by file; `12:` is a match and `13-` is a line around a match. */
async function grep(scope: ReadScope, query: Query): Promise<ToolAnswer> {
  const base = await searchBase(scope, query.path);
  if (base.kind === 'refused') return base.answer;
  const outcome = await scope.workspace.grep(
    {
      pattern: query.pattern,
      path: base.path,
      glob: query.glob,
      ignoreCase: query.ignore_case ?? false,
      contextLines: query.context ?? 0,
      maxResults: query.max_results ?? DEFAULT_MATCHES,
      readable: scope.readable,
    },
    scope.signal,
  );
  switch (outcome.kind) {
    case 'invalid-pattern':
      return failure('invalid_input', `The pattern can't be used: ${outcome.message}`);
    case 'timed-out':
      return failure('timeout', `The search took more than ${outcome.afterMs} ms. Narrow it with path or glob.`, true);
    case 'ok':
      return showMatches(outcome.matches, outcome.truncated, query);
    default:
      return assertNever(outcome);
  }
}

function showMatches(matches: readonly GrepMatch[], truncated: boolean, query: Query): ToolAnswer {
  const count = matches.filter((match) => !match.context).length;
  if (count === 0) {
    const narrowed = query.glob === undefined ? '' : ` in files that match "${query.glob}"`;
    return answer(
      `Nothing matches${narrowed}. Files that git ignores are left out unless path names them.`,
      'no matches',
    );
  }
  const lines: string[] = [];
  let previous: GrepMatch | undefined;
  for (const match of matches) {
    if (match.path !== previous?.path) lines.push(...(previous === undefined ? [] : ['']), match.path);
    else if (match.line > previous.line + 1 && (query.context ?? 0) > 0) lines.push('  …');
    lines.push(`  ${match.line}${match.context ? '-' : ':'} ${match.text}`);
    previous = match;
  }
  const files = new Set(matches.map((match) => match.path)).size;
  const found = `${count} ${count === 1 ? 'match' : 'matches'} in ${files} ${files === 1 ? 'file' : 'files'}`;
  if (truncated) lines.push('', `(the first ${found}; narrow the search with path, glob or a longer pattern)`);
  return answer(lines.join('\n'), truncated ? `${found}, more left out` : found);
}
