import type { ProjectPath } from '../../../contracts/ids.ts';
import type { GrepMatch } from '../../../contracts/ports/workspace.ts';
import type { ToolInput } from '../../../contracts/tools.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import type { NativeScope } from './existing-path.ts';
import { existingPath } from './existing-path.ts';
import type { NativeAnswer } from './native-answer.ts';
import { answer, refuse } from './native-answer.ts';
import { showName } from './show-name.ts';

const DEFAULT_MATCHES = 200;
const MAX_PATHS = 1000;

/** `search.grep`: matches by file, `12:` a match and `13-` a line around one. */
export async function grep(input: ToolInput<'search.grep'>, scope: NativeScope): Promise<NativeAnswer> {
  const base = await searchBase(input.path, scope);
  if (base.kind === 'refused') return base.answer;
  const outcome = await scope.workspace.grep(
    {
      pattern: input.pattern,
      path: base.path,
      glob: input.glob,
      ignoreCase: input.ignore_case ?? false,
      contextLines: input.context ?? 0,
      maxResults: input.max_results ?? DEFAULT_MATCHES,
      readable: scope.readable,
    },
    scope.signal,
  );
  switch (outcome.kind) {
    case 'invalid-pattern':
      return refuse('invalid_input', `The pattern can't be used: ${outcome.message}`);
    case 'timed-out':
      return refuse('timeout', `The search took more than ${outcome.afterMs} ms. Narrow it with path or glob.`, true);
    case 'ok':
      return showMatches(outcome.matches, outcome.truncated, input);
    default:
      return assertNever(outcome);
  }
}

/** `search.glob`: matching files, one a line. */
export async function glob(input: ToolInput<'search.glob'>, scope: NativeScope): Promise<NativeAnswer> {
  if (input.pattern.split('/').includes('..')) {
    return refuse('path_refused', 'A pattern may not hold "..". Give the directory to search in as path.');
  }
  const base = await searchBase(input.path, scope);
  if (base.kind === 'refused') return base.answer;
  const found = await scope.workspace.glob(input.pattern, base.path, MAX_PATHS);
  // A name alone can tell a secret, and what policy hides from reading it hides from looking.
  const paths = found.paths.filter((path) => !path.split('/').includes('.git') && scope.readable(path));
  const { truncated } = found;
  if (paths.length === 0) {
    return answer(
      `No file matches "${input.pattern}". Files that git ignores are left out unless the pattern names their directory.`,
      'no files',
    );
  }
  const more = truncated ? ['(more files match; use a narrower pattern)'] : [];
  return answer([...paths.map(showName), ...more].join('\n'), `${paths.length}${truncated ? ' or more' : ''} files`);
}

async function searchBase(path: string | undefined, scope: NativeScope): ReturnType<typeof existingPath> {
  return path === undefined || path === '' ? { kind: 'ok', path: '' as ProjectPath } : existingPath(scope, path);
}

function showMatches(matches: readonly GrepMatch[], truncated: boolean, input: ToolInput<'search.grep'>): NativeAnswer {
  const count = matches.filter((match) => !match.context).length;
  if (count === 0) {
    const narrowed = input.glob === undefined ? '' : ` in files that match "${input.glob}"`;
    return answer(
      `Nothing matches${narrowed}. Files that git ignores are left out unless path names them.`,
      'no matches',
    );
  }
  const lines: string[] = [];
  let previous: GrepMatch | undefined;
  for (const match of matches) {
    if (match.path !== previous?.path) lines.push(...(previous === undefined ? [] : ['']), match.path);
    else if (match.line > previous.line + 1 && (input.context ?? 0) > 0) lines.push('  …');
    lines.push(`  ${match.line}${match.context ? '-' : ':'} ${match.text}`);
    previous = match;
  }
  const files = new Set(matches.map((match) => match.path)).size;
  const found = `${count} ${count === 1 ? 'match' : 'matches'} in ${files} ${files === 1 ? 'file' : 'files'}`;
  if (truncated) lines.push('', `(the first ${found}; narrow the search with path, glob or a longer pattern)`);
  return answer(lines.join('\n'), truncated ? `${found}, more left out` : found);
}
