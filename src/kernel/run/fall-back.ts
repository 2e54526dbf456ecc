import type { ModelChoice } from '../../contracts/model/model-choice.ts';
import type { ModelFailure } from '../../contracts/model/model.ts';
import { modelInUse, standIn } from '../session/model-in-use.ts';
import type { Session } from '../session/session.ts';
import { whyNotAllowed } from './may-ask-model.ts';
import type { ReplyFailure } from './reply.ts';
import type { RunContext } from './run-context.ts';

/** What is the provider's trouble and may last. A key, a request or a model that is wrong stays so. */
const OUTAGES: ReadonlySet<ModelFailure> = new Set([
  'overloaded',
  'rate_limited',
  'server_error',
  'connection',
  'timeout',
]);

/**
 * After the provider has failed in spite of its retries: the next model of the user's list answers until the run ends. `tried` holds the models that have
 * failed in this run. False: the failure is none of this kind, or no model is left that policy allows and that can be started.
 */
export async function fallBack(context: RunContext, tried: Set<string>, failure: ReplyFailure): Promise<boolean> {
  const { session } = context;
  const failed = modelInUse(session).model;
  tried.add(failed);
  if (!OUTAGES.has(failure.code)) return false;
  for (const candidate of session.snapshot.options.fallback_models ?? []) {
    if (tried.has(candidate.model)) continue;
    tried.add(candidate.model);
    const obstacle = await obstacleTo(context, candidate);
    if (obstacle !== null) {
      report(session, `${candidate.model} cannot replace ${failed}`, obstacle);
      continue;
    }
    report(session, `${candidate.model} answers in place of ${failed}`, `${failure.code}: ${failure.message}`);
    standIn(session, candidate);
    return true;
  }
  return false;
}

/** Throws only when the run is interrupted. */
async function obstacleTo(
  { services, session, providers, signal }: RunContext,
  { model }: ModelChoice,
): Promise<string | null> {
  const denied = await whyNotAllowed(services, session, model);
  if (denied !== null) return `policy denies it: ${denied}`;
  try {
    await providers.of(model);
    return null;
  } catch (error) {
    signal.throwIfAborted();
    return `it could not be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function report(session: Session, what: string, why: string): void {
  session.emit({
    type: 'notice',
    level: 'warn',
    what,
    why,
    fix: 'Nothing; the next run begins with the chosen model again',
    code: 'model_fallback',
  });
}
