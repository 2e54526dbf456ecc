import { withDescriptorsAsync } from '../descriptors.ts';
import { compileGlob, splitLiteralPrefix } from '../ignore/path-glob.ts';
import { compareCodeUnits } from '../union/union-read.ts';
import { locate, resolvePath } from '../union/union-walk.ts';
import type { SearchContext } from './grep-union.ts';
import { WALK_OPTIONS } from './grep-union.ts';
import { runRipgrep } from './run-ripgrep.ts';

export interface GlobResult {
  readonly paths: string[];
  readonly truncated: boolean;
}

/** Maximum number of names that are checked. */
const MAX_NAMES = 500_000;

/**
 * Files of the union that match, sorted. ripgrep lists the project's files, because it knows what git ignores. Matching
 * is done here, because a pattern given to ripgrep would include ignored files again. The part of the pattern without a
 * wildcard is searched even if it is ignored.
 */
export async function globUnion(
  { context, signal }: { readonly context: SearchContext; readonly signal: AbortSignal },
  glob: string,
  path: string,
  maxResults: number,
): Promise<GlobResult> {
  const { prefix, rest } = splitLiteralPrefix(glob.replace(/^(?:\.\/)+/, '').replace(/\/+$/, ''));
  return withDescriptorsAsync(async (descriptors) => {
    const resolved = resolvePath(descriptors, context.roots, [path, prefix].filter((part) => part !== '').join('/'));
    if (resolved.kind === 'refused' || !resolved.exists) return { paths: [], truncated: false };
    const base = locate(descriptors, context.roots, resolved.path);
    if (base.kind !== 'directory') {
      return { paths: base.kind === 'file' && rest === null ? [resolved.path] : [], truncated: false };
    }
    const compiled = compileGlob(rest ?? '**');
    if (compiled.kind === 'invalid') return { paths: [], truncated: false };

    const under = resolved.path === '' ? '' : `${resolved.path}/`;
    const baseIgnored = resolved.path !== '' && context.ignored.isIgnored(resolved.path, true);
    const listed = base.project === null ? NOTHING : await listProject(context, base.project, { baseIgnored, signal });
    const fromProject = listed.names
      .filter((name) => compiled.matches(name))
      .map((name) => under + name)
      .filter((file) => !context.staged.hides(file))
      .filter((file) => baseIgnored || !context.ignoreFilesDiffer || !context.ignored.isIgnored(file, false));
    const fromStaging = context.staged.files
      .filter((file) => file.startsWith(under) && compiled.matches(file.slice(under.length)))
      .filter((file) => baseIgnored || !context.ignored.isIgnored(file, false));

    const paths = [...fromProject, ...fromStaging].sort(compareCodeUnits);
    return { paths: paths.slice(0, maxResults), truncated: listed.truncated || paths.length > maxResults };
  });
}

interface Listed {
  readonly names: readonly string[];
  readonly truncated: boolean;
}

const NOTHING: Listed = { names: [], truncated: false };

async function listProject(
  context: SearchContext,
  directory: number,
  { baseIgnored, signal }: { readonly baseIgnored: boolean; readonly signal: AbortSignal },
): Promise<Listed> {
  const chunks: Buffer[] = [];
  let count = 0;
  const all = baseIgnored || context.ignoreFilesDiffer ? ['--no-ignore'] : [];
  const end = await runRipgrep({
    program: context.ripgrepPath,
    args: ['--files', '--null', ...WALK_OPTIONS, ...all, '--glob=!.git', '--', './'],
    directory,
    deadlineMs: context.deadlineMs,
    signal,
    onOutput: (chunk) => {
      chunks.push(chunk);
      for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) count += 1;
      return count > MAX_NAMES ? 'enough' : 'more';
    },
  });
  const names = Buffer.concat(chunks).toString('utf8').split('\0').slice(0, -1);
  return { names: names.map((name) => name.replace(/^\.\//, '')), truncated: end.kind !== 'ended' };
}
