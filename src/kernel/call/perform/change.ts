import type { ChangeSet } from '../../../contracts/review/change-set.ts';
import { fsChangeResultSchema } from '../../../contracts/model/tool-call.ts';
import { failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import type { ChangeRequest } from '../../tools/tool-context.ts';
import { sizeCheckOf } from '../authorise.ts';
import type { AuthorisedCall, CallContext } from '../call.ts';
import { whyFiltered } from './filtered.ts';
import { runOnOverlay, sizeOf } from './overlay.ts';

/** Changes files in a sandbox. If any path other than those that the call writes has changed, nothing is kept. */
export async function changeFiles(
  context: CallContext,
  call: AuthorisedCall,
  { params, done, written, expected = new Map() }: ChangeRequest,
): Promise<ToolAnswer> {
  const { writes } = call.targets;
  const filtered = await whyFiltered(context, written ?? writes);
  if (filtered !== null) return filtered;
  const run = await runOnOverlay(context, call, { params, paths: writes });
  if (run.kind === 'failed') return run.answer;
  const why = whyRefused(call, run.changes, run.result.result) ?? whyUnexpected(run.changes, expected);
  if (why !== null) {
    await run.discard();
    return why;
  }
  const refused = await run.accept(new Set(run.changes.map(({ path }) => path)));
  return refused ?? { ok: true, text: done, summary: done, sandboxId: run.result.sandbox };
}

/** A file that already has the expected content is not a change. */
function whyUnexpected(changes: ChangeSet, expected: ReadonlyMap<string, string>): ToolAnswer | null {
  const other = changes.find(({ path, after }) => {
    const sha256 = expected.get(path);
    return sha256 !== undefined && !(after.kind === 'file' && after.sha256 === sha256);
  });
  return other === undefined
    ? null
    : failure('sandbox_failed', `The sandbox wrote something else to ${other.path}; nothing was kept.`);
}

function whyRefused(call: AuthorisedCall, changes: ChangeSet, result: unknown): ToolAnswer | null {
  const expected = new Set<string>(call.targets.writes);
  const stray = changes.find(({ path }) => !expected.has(path));
  if (stray !== undefined || !fsChangeResultSchema.safeParse(result).success) {
    const what = stray?.path ?? 'something';
    return failure('sandbox_failed', `The sandbox changed ${what} that it was not asked to; nothing was kept.`);
  }
  const mayHaveSize = sizeCheckOf(call);
  for (const { path, after } of changes) {
    const tooLarge = mayHaveSize(path, sizeOf(after));
    if (tooLarge !== null) return failure('policy_denied', `Policy denies ${call.use.tool.name}: ${tooLarge}`);
  }
  return null;
}
