import type { ProjectPath } from '../../contracts/ids.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { firstText } from '../../lib/text/first-last.ts';
import { lexicalTarget } from '../policy/index.ts';
import type { ToolUse } from '../tools/tool.ts';
import { refuse } from './call.ts';
import type { CallContext, ParsedCall, RefusedCall, ResolvedCall, Targets } from './call.ts';

export type TargetsOutcome =
  { readonly kind: 'ok'; readonly targets: Targets } | { readonly kind: 'refused'; readonly why: string };

/** A moved file counts twice, because it has two names. A capability covers at most a thousand operations. */
const MAX_WRITES = 900;

export async function resolveCall(context: CallContext, call: ParsedCall): Promise<ResolvedCall | RefusedCall> {
  const { services, workspace } = context;
  const resolved = await resolveTargets(call.use, workspace, services.options.project_root);
  if (resolved.kind === 'ok') return { ...call, stage: 'resolved', targets: resolved.targets };
  return refuse(call, 'resolver', { code: 'path_refused', message: resolved.why, retryable: false });
}

/** The only place where a path from the model becomes the path that is opened. */
export async function resolveTargets(
  { tool, paths, touches }: Pick<ToolUse, 'tool' | 'paths' | 'touches'>,
  workspace: Workspace,
  projectRoot: string,
): Promise<TargetsOutcome> {
  const named: ProjectPath[] = [];
  const leaf = tool.target === 'tree' ? 'keep' : 'follow';
  for (const path of paths) {
    const lexical = lexicalTarget(path, projectRoot);
    if (lexical.kind === 'refused') return refused(`${path}: ${lexical.reason}`);
    const resolved = await workspace.resolve(lexical.path, { leaf });
    if (resolved.kind === 'refused') return refused(`${path}: ${resolved.reason}`);
    named.push(resolved.path);
  }
  const writes: ProjectPath[] = [];
  const isWritten = touches.writes !== 'everything' && touches.writes.length > 0;
  for (const path of isWritten ? named : []) {
    const beneath = tool.target === 'tree' ? await filesBeneath(workspace, path) : [path];
    if (beneath.length > MAX_WRITES) return tooMany(path);
    writes.push(...beneath);
  }
  const unique = [...new Set([...writes, ...tool.alsoWrites(named, writes)])];
  return unique.length > MAX_WRITES ? tooMany(firstText(named)) : { kind: 'ok', targets: { named, writes: unique } };
}

async function filesBeneath(workspace: Workspace, path: ProjectPath): Promise<ProjectPath[]> {
  if ((await workspace.kindOf(path)) !== 'directory') return [path];
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

function refused(why: string): TargetsOutcome {
  return { kind: 'refused', why };
}

function tooMany(path: string): TargetsOutcome {
  return refused(`${path} has more files than one call may change (${MAX_WRITES} names). Name smaller parts.`);
}
