import type { ChangeSet, FileChange } from '../../../contracts/review/change-set.ts';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { hiddenNote } from '../../access/hidden-note.ts';
import { readableFiles, whyHidden } from '../../access/readable-files.ts';
import { toolchainSettings } from '../../proof/run/with-toolchains.ts';
import { failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import type { CommandOutcome, CommandRequest } from '../../tools/tool-context.ts';
import type { AuthorisedCall, CallContext } from '../call.ts';
import { mayWrite } from './may-write.ts';
import { runDiscarded, runOnOverlay } from './overlay.ts';
import type { DiscardedRun, OverlayOperation } from './overlay.ts';

/** Added to the deadline: the time to start and end the sandbox does not count as the command's time. */
const GRACE_MS = 10_000;

/** Runs a command in a sandbox that sees only the files that the model may read. */
export function runCommand(context: CallContext, call: AuthorisedCall, request: CommandRequest): Promise<ToolAnswer> {
  switch (request.effects) {
    case 'discard':
      return discardEffects(context, call, request);
    case 'stage':
      return stageEffects(context, call, request);
    default:
      return assertNever(request.effects);
  }
}

async function discardEffects(
  context: CallContext,
  call: AuthorisedCall,
  request: CommandRequest,
): Promise<ToolAnswer> {
  const run = await runDiscarded(context, call, operationOf(context, request));
  if (run.kind === 'failed') return run.answer;
  const outcome = request.outcome(run.result.result, []);
  return outcome === null ? noResult(call) : answerOf(context, outcome, run);
}

/**
 * Stages the changes of a command only if the model could have made every one of them with `fs.write` or `fs.delete`.
 * Files that git ignores are dropped.
 */
async function stageEffects(context: CallContext, call: AuthorisedCall, request: CommandRequest): Promise<ToolAnswer> {
  const { workspace } = context;
  const run = await runOnOverlay(context, call, operationOf(context, request));
  if (run.kind === 'failed') return run.answer;
  const changed = await unignored(workspace, run.changes).catch(async (error: unknown) => {
    await run.discard();
    throw error;
  });
  const paths = changed.map(({ path }) => path);
  const outcome = request.outcome(run.result.result, paths);
  if (outcome === null) {
    await run.discard();
    return noResult(call);
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
  return refused ?? answerOf(context, outcome, run);
}

function operationOf({ services, session }: CallContext, { params, timeoutMs }: CommandRequest): OverlayOperation {
  const toolchains = toolchainSettings(services.options);
  return {
    params: toolchains === null ? params : { ...params, toolchains },
    paths: [],
    deadlineMs: timeoutMs + GRACE_MS,
    view: { visible: readableFiles(services, session) },
  };
}

function answerOf(
  { services, session }: CallContext,
  outcome: CommandOutcome,
  { hidden, result }: Extract<DiscardedRun, { kind: 'ran' }>,
): ToolAnswer {
  const note = outcome.succeeded ? null : hiddenNote(whyHidden(services, session, hidden), outcome.text);
  return {
    ok: true,
    text: note === null ? outcome.text : `${outcome.text}\n${note}`,
    summary: outcome.summary,
    printed: note === null ? outcome.printed : `${outcome.printed}\n${note}`,
    ...(outcome.succeeded ? {} : { commandFailed: true }),
    sandboxId: result.sandbox,
  };
}

function noResult({ use }: AuthorisedCall): ToolAnswer {
  return failure('sandbox_failed', `The sandbox returned an invalid result for ${use.tool.name}.`);
}

async function unignored(workspace: Workspace, changes: ChangeSet): Promise<ChangeSet> {
  const kept: FileChange[] = [];
  for (const change of changes) if (!(await workspace.isIgnored(change.path as ProjectPath))) kept.push(change);
  return kept;
}
