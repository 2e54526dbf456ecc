import type { ProjectPath } from '../../contracts/ids.ts';
import type { ToolError } from '../../contracts/tool-errors.ts';
import type { ParsedCall } from '../../contracts/tools.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { lexicalTarget } from '../policy/index.ts';
import { touchedPaths } from '../tools/touched-paths.ts';

/** A call's paths as they really are: links followed, outside refused. `calls` with no path have none. */
export interface Targets {
  readonly reads: readonly ProjectPath[];
  /** Files that the call writes, those beneath a directory one by one. */
  readonly writes: readonly ProjectPath[];
  /** The paths of the call itself, in the order of its input. */
  readonly named: readonly ProjectPath[];
}

export type TargetsOutcome =
  { readonly kind: 'ok'; readonly targets: Targets } | { readonly kind: 'refused'; readonly error: ToolError };

/** Of a file that is moved both names count. A capability is good for no more than a thousand operations. */
const MAX_WRITES = 900;

/** The one place where what a model sent becomes what is opened. */
export async function resolveTargets(
  call: ParsedCall,
  workspace: Workspace,
  projectRoot: string,
): Promise<TargetsOutcome> {
  const sent = sentPaths(call);
  const named: ProjectPath[] = [];
  // A link is deleted and moved itself: policy is asked about it, not about what it points at.
  const leaf = call.tool === 'fs.delete' || call.tool === 'fs.move' ? 'keep' : 'follow';
  for (const path of sent) {
    const lexical = lexicalTarget(path, projectRoot);
    if (lexical.kind === 'refused') return refused(`${path}: ${lexical.reason}`);
    const resolved = await workspace.resolve(lexical.path, { leaf });
    if (resolved.kind === 'refused') return refused(`${path}: ${resolved.reason}`);
    named.push(resolved.path);
  }
  const touched = touchedPaths(call);
  const writesNamed = touched.writes === 'everything' || touched.writes.length === 0 ? [] : named;
  const writes: ProjectPath[] = [];
  for (const path of writesNamed) {
    const beneath = call.tool === 'fs.delete' || call.tool === 'fs.move' ? await filesBeneath(workspace, path) : [path];
    if (beneath.length > MAX_WRITES) return tooMany(path);
    writes.push(...beneath);
  }
  if (call.tool === 'fs.move') writes.push(...movedTo(named, writes));
  const unique = [...new Set(writes)];
  if (unique.length > MAX_WRITES) return tooMany(named[0] ?? '');
  return {
    kind: 'ok',
    targets: { named, writes: unique, reads: touched.reads === 'everything' ? [] : named },
  };
}

function sentPaths(call: ParsedCall): readonly string[] {
  if (call.tool === 'test.run') return call.input.paths ?? [];
  if (call.tool === 'workflow.request_exemption') return call.input.affected_paths;
  if (call.tool === 'git.diff' || call.tool === 'git.log')
    return call.input.path === undefined ? [] : [call.input.path];
  const touched = touchedPaths(call);
  if (call.tool === 'fs.move') return [call.input.from, call.input.to];
  const reads = touched.reads === 'everything' ? [] : touched.reads;
  const writes = touched.writes === 'everything' ? [] : touched.writes;
  return [...new Set([...reads, ...writes])];
}

/** Where each file of a moved directory ends up. */
function movedTo(named: readonly ProjectPath[], writes: readonly ProjectPath[]): ProjectPath[] {
  const [from, to] = named;
  if (from === undefined || to === undefined) return [];
  return writes
    .filter((path) => path.startsWith(`${from}/`))
    .map((path) => `${to}${path.slice(from.length)}` as ProjectPath);
}

async function filesBeneath(workspace: Workspace, path: ProjectPath): Promise<ProjectPath[]> {
  const state = await workspace.stat(path);
  if (state.kind !== 'directory') return [path];
  const found: ProjectPath[] = [path];
  const pending: ProjectPath[] = [path];
  while (pending.length > 0 && found.length <= MAX_WRITES) {
    const directory = pending.pop() as ProjectPath;
    for (const entry of (await workspace.list(directory)) ?? []) {
      const child = (directory === '' ? entry.name : `${directory}/${entry.name}`) as ProjectPath;
      found.push(child);
      if (entry.kind === 'directory') pending.push(child);
    }
  }
  return found;
}

function refused(message: string): TargetsOutcome {
  return { kind: 'refused', error: { code: 'path_refused', message, retryable: false } };
}

function tooMany(path: string): TargetsOutcome {
  return refused(`${path} holds more files than one call may change (${MAX_WRITES} names); name smaller parts.`);
}
