import type { ChangeSet, FileChange } from '../../../contracts/change-set.ts';
import type { ProjectPath } from '../../../contracts/ids.ts';
import { CORE_TAGS } from '../../../contracts/policy.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import { askPolicy } from '../../access/ask-policy.ts';
import { hiddenNote } from '../../access/hidden-note.ts';
import { readableFiles, whyHidden } from '../../access/readable-files.ts';
import { heldTo } from '../../policy/index.ts';
import { failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import type { CommandRequest } from '../../tools/tool-context.ts';
import type { AuthorisedCall, CallContext } from '../call.ts';
import { isWritable } from '../gate.ts';
import { runOnOverlay, sizeOf } from './overlay.ts';

/** Starting and ending the sandbox is not the command's time. */
const GRACE_MS = 10_000;

/** A command in a sandbox. What it changed is kept only if every path is open to writing, as for `fs.write`; what git ignores is dropped. */
export async function runCommand(
  context: CallContext,
  call: AuthorisedCall,
  request: CommandRequest,
): Promise<ToolAnswer> {
  const { services, session, workspace } = context;
  const { params, timeoutMs } = request;
  const run = await runOnOverlay(context, call, {
    params,
    paths: [],
    deadlineMs: timeoutMs + GRACE_MS,
    view: { visible: readableFiles(services, session) },
  });
  if (run.kind === 'failed') return run.answer;
  const changed = await unignored(workspace, run.changes).catch(async (error: unknown) => {
    await run.discard();
    throw error;
  });
  const paths = changed.map(({ path }) => path);
  const outcome = request.outcome(run.result.result, paths);
  if (outcome === null) {
    await run.discard();
    return failure('sandbox_failed', `The sandbox answered with something that is no result of ${call.use.tool.name}.`);
  }
  const forbidden: string[] = [];
  for (const change of changed) if (!(await mayWrite(context, change))) forbidden.push(change.path);
  if (forbidden.length > 0) {
    await run.discard();
    const named = forbidden.slice(0, 5).join(', ');
    return failure(
      'policy_denied',
      `The command changed ${named}, which is not open to writing now; nothing was kept.`,
    );
  }
  const refused = await run.accept(new Set(paths));
  if (refused !== null) return refused;
  const note = outcome.succeeded ? null : hiddenNote(whyHidden(services, session, run.hidden), outcome.text);
  return {
    ok: true,
    text: note === null ? outcome.text : `${outcome.text}\n${note}`,
    summary: outcome.summary,
    sandboxId: run.result.sandbox,
  };
}

async function unignored(workspace: Workspace, changes: ChangeSet): Promise<ChangeSet> {
  const kept: FileChange[] = [];
  for (const change of changes) if (!(await workspace.isIgnored(change.path as ProjectPath))) kept.push(change);
  return kept;
}

async function mayWrite({ services, session }: CallContext, { path, after }: FileChange): Promise<boolean> {
  if (!isWritable(services.policy(), session, path)) return false;
  const facts = { template: 'code-executor', hasToken: true, sizeBytes: sizeOf(after) } as const;
  const { template, sizeBytes } = facts;
  const { state, mode } = session;
  const request = { syscall: 'fs.write', path, state, mode, tags: CORE_TAGS, template, sizeBytes };
  return heldTo(await askPolicy(services, request), facts).decision === 'allow';
}
