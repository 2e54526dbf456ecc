import { plannedKind } from '../../../contracts/change-kinds.ts';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import type { Baseline } from '../../../contracts/session-facts.ts';
import type { TestRun } from '../../../contracts/test-run.ts';
import { decodeUtf8 } from '../../../lib/decode-utf8.ts';
import { classifyPath } from '../../policy/index.ts';
import { hashesOf, isChange, isSource, isTest } from '../../proof/changed-files.ts';
import type { GreenOutcome } from '../../proof/green.ts';
import { judgeStaged } from '../../proof/green-run.ts';
import { deletedNames, whyNotKept } from '../../proof/kept-behaviour.ts';
import type { SourceTexts } from '../../proof/kept-behaviour.ts';
import type { SessionContext } from '../../services.ts';
import type { Session } from '../../session/session.ts';
import type { TestCall } from './suite-run.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_NAMED = 5;
const MAX_FILES = 20_000;

/** Whether the change under way is one that no failing test has to come before. */
export function keepsBehaviour({ mode, snapshot }: Session): boolean {
  const { exemption, opened, kind } = snapshot;
  return mode === 'strict' && exemption === null && (opened !== null || kind === 'tests');
}

/** A run of the whole suite after such a change: it passes, and the change is what it was planned as. */
export async function judgeKept(call: TestCall, run: TestRun, baseline: Baseline): Promise<GreenOutcome> {
  const { services, session, workspace } = call;
  const changes = await workspace.changes();
  const outcome = judgeStaged(services, changes, { run, baseline, red: null });
  if (outcome.kind === 'not-green') return outcome;
  const sources = await sourceTexts(call);
  const { kind, opened } = session.snapshot;
  const planned = plannedKind(kind);
  const testHashes = hashesOf(changes, services.policy(), isTest);
  const sourcePaths = Object.keys(hashesOf(changes, services.policy(), isSource));
  const refusal = whyNotKept({ kind: planned, run, opened, testHashes, sources, sourcePaths });
  if (refusal !== null) return refusal;
  const used = planned === 'deletion' ? await stillNamed(call, deletedNames(sources)) : [];
  return { kind: 'green', findings: [...outcome.findings, ...used] };
}

/** Changed files that are no tests, before and after. */
async function sourceTexts({ services, workspace }: SessionContext): Promise<SourceTexts[]> {
  const policy = services.policy();
  const changes = await workspace.changes();
  const paths = Object.keys(hashesOf(changes, policy, isChange));
  const project = await services.workspaces.scratch();
  try {
    const texts: SourceTexts[] = [];
    for (const path of paths)
      texts.push({ path, before: await textAt(project.workspace, path), after: await textAt(workspace, path) });
    return texts;
  } finally {
    await project.close();
  }
}

async function textAt(workspace: Workspace, path: string): Promise<string | null> {
  const read = await workspace.read(path as ProjectPath, MAX_BYTES);
  return read.kind === 'file' ? decodeUtf8(read.bytes) : null;
}

/** Source that still has a name which was deleted, for the person who decides: no test may execute it. */
async function stillNamed({ services, workspace }: SessionContext, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const wanted = new RegExp(`(?<![\\w$])(?:${names.map((name) => name.replaceAll('$', '\\$')).join('|')})(?![\\w$])`);
  const { paths } = await workspace.glob('**/*', '' as ProjectPath, MAX_FILES);
  const found: string[] = [];
  for (const path of paths) {
    if (found.length >= MAX_NAMED) break;
    if (classifyPath(services.policy(), path).kind !== 'source') continue;
    const line = (await textAt(workspace, path))?.split('\n').findIndex((each) => wanted.test(each)) ?? -1;
    if (line !== -1) found.push(`${path}:${line + 1} still has a name that this deletes.`);
  }
  return found;
}
