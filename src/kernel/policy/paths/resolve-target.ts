import type { ProjectPath } from '../../../contracts/ids.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { lexicalTarget, nameProblem, refusePath } from './lexical-target.ts';
import type { PathRefusal } from './lexical-target.ts';

/** What stands at a project-relative path whose parents are real directories; the last component is not followed. */
export type ProbedEntry =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file' }
  | { readonly kind: 'directory' }
  | { readonly kind: 'symlink'; readonly target: string }
  /** FIFO, socket, device. */
  | { readonly kind: 'special' };

/** What resolving needs of the workspace. An implementation opens each component with O_NOFOLLOW, staged changes included. */
export interface TargetProbe {
  probe(path: ProjectPath): Promise<ProbedEntry>;
}

/** `entry` is what stands there now; never a symlink unless the link itself was asked for. */
export type ResolvedTarget =
  | { readonly kind: 'ok'; readonly path: ProjectPath; readonly entry: 'absent' | 'file' | 'directory' | 'symlink' }
  | PathRefusal;

export interface ResolveOptions {
  /** `follow` for reading and writing contents; `keep` for deleting or moving, which act on the link. */
  readonly leaf: 'follow' | 'keep';
}

/** As the kernel's own limit (Linux: 40). */
const MAX_LINKS = 40;

/**
 * The one place that turns a path from a model or plugin into the target that policy is asked about and that is then opened. Links are
 * followed inside the project; one that leaves it, by `..` or by an absolute target, is refused.
 *
 * The answer is about the workspace as it is now. Whoever opens the path opens it component by component without following links, so that
 * a link put there in between is an error and not another file.
 */
export async function resolveTarget(
  sent: string,
  projectRoot: string,
  workspace: TargetProbe,
  options: ResolveOptions = { leaf: 'follow' },
): Promise<ResolvedTarget> {
  const lexical = lexicalTarget(sent, projectRoot);
  if (lexical.kind === 'refused') return lexical;
  const pending = lexical.path === '' ? [] : lexical.path.split('/');
  const real: string[] = [];
  let links = 0;
  let entry: 'absent' | 'file' | 'directory' | 'symlink' = 'directory';

  while (pending.length > 0) {
    const name = pending.shift() ?? '';
    if (name === '' || name === '.') continue;
    if (name === '..') {
      // Only from the target of a link; what is above is resolved already, so the parent by name is the real parent.
      if (real.pop() === undefined) return refusePath('A link in the path leads out of the project');
      entry = 'directory';
      continue;
    }
    if (entry === 'file') return refusePath(`${real.join('/')} is a file, not a directory`);
    if (entry === 'absent') {
      real.push(name);
      continue;
    }
    const path = [...real, name].join('/') as ProjectPath;
    const found = await workspace.probe(path);
    switch (found.kind) {
      case 'absent':
      case 'file':
      case 'directory':
        real.push(name);
        entry = found.kind;
        break;
      case 'special':
        return refusePath(`${path} is neither a file nor a directory`);
      case 'symlink': {
        if (pending.length === 0 && options.leaf === 'keep') {
          return { kind: 'ok', path, entry: 'symlink' };
        }
        links += 1;
        if (links > MAX_LINKS) return refusePath('The path goes through too many links');
        const target = linkTarget(found.target, projectRoot);
        if (target.kind === 'refused') return target;
        if (target.fromRoot) real.length = 0;
        pending.unshift(...target.names);
        entry = 'directory';
        break;
      }
      default:
        return assertNever(found);
    }
  }
  if (lexical.directory && entry === 'file') return refusePath(`${real.join('/')} is a file, not a directory`);
  return { kind: 'ok', path: real.join('/') as ProjectPath, entry };
}

type LinkTarget = { readonly kind: 'ok'; readonly names: readonly string[]; readonly fromRoot: boolean } | PathRefusal;

/** A link's text is as untrusted as what the model sends, and is read by the same rules, except that `..` waits for the real parent. */
function linkTarget(text: string, projectRoot: string): LinkTarget {
  if (text.startsWith('/')) {
    const lexical = lexicalTarget(text, projectRoot);
    if (lexical.kind === 'refused') return refusePath('A link in the path leads out of the project');
    return { kind: 'ok', names: lexical.path.split('/'), fromRoot: true };
  }
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  for (const name of names) {
    if (name === '..') continue;
    const lexical = lexicalTarget(name, null);
    const problem = lexical.kind === 'refused' ? lexical.reason : nameProblem(name);
    if (problem !== null) return refusePath('A link in the path has a target that is refused');
  }
  return names.length === 0 ? refusePath('A link in the path has no target') : { kind: 'ok', names, fromRoot: false };
}
