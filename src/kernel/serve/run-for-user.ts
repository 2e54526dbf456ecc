import { receiveCalls, runCalls } from '../call/run-calls.ts';
import { BaselineRun } from '../proof/baseline-run.ts';
import type { Services } from '../services.ts';
import type { Session } from '../session/session.ts';
import { addNote } from '../session/user-messages.ts';

/** A build takes longer than what a model looks up. */
const TIMEOUT_MS = 300_000;

/**
 * A command of the user: a call of `shell.run` like one of the model, with the same sandbox, policy and records, whose changes are all dropped. The model
 * reads what came of it before the next message.
 */
export async function runForUser(
  services: Services,
  session: Session,
  script: string,
  signal: AbortSignal,
): Promise<void> {
  const workspace = await services.workspaces.open(session.id);
  const context = { services, session, workspace, signal, baseline: new BaselineRun(), caller: 'user' } as const;
  const call = {
    call_id: services.random.id('u', 12),
    tool: 'shell.run',
    arguments: JSON.stringify({ script, timeout_ms: TIMEOUT_MS }),
  };
  const [reply] = await runCalls(context, receiveCalls(services.tools(), [call]));
  if (reply === undefined) return;
  addNote(session, `The user has run a command; what it changed was dropped.\n$ ${script}\n${reply.content}`);
}
