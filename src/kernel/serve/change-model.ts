import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { ModelChoice } from '../../contracts/model/model-choice.ts';
import { modelChoiceOf, providerOf, withModel } from '../../contracts/model/model-choice.ts';
import type { RequestParams, RequestResult, SessionOptions } from '../../contracts/session/session-protocol.ts';
import { record } from '../record/audit-trail.ts';
import { whyNotAllowed } from '../run/model/may-ask-model.ts';
import type { Services } from '../services.ts';
import { chooseModel } from '../session/model-in-use.ts';
import type { Session } from '../session/session.ts';
import { isMoneyLimited } from '../session/small-model.ts';

/** Changes a session's model from its next request on, also during a run. The conversation is unchanged. */
export async function changeModel(
  services: Services,
  session: Session,
  choice: ModelChoice,
): Promise<RequestResult<'session.set_model'>> {
  const unbounded = withoutPrice(session.snapshot.options.limits, choice);
  if (unbounded !== null) return { ok: false, reason: unbounded };
  const denied = await whyNotAllowed(services, session, choice.model);
  const { model: from } = session.snapshot.options;
  record(services, session, 'syscall', {
    syscall_type: 'session.set_model',
    caller: 'user',
    policy_decision: denied === null ? 'allowed' : 'denied',
    input_summary: `${from} -> ${choice.model}`,
    ...(denied === null ? {} : { deny_reason: denied }),
  });
  if (denied !== null) return { ok: false, reason: `Policy denies ${choice.model}: ${denied}` };
  chooseModel(session, choice);
  return { ok: true, reason: `The model is ${choice.model} now.` };
}

/**
 * Options of a resumed session: the options of the person who resumes it, with the session's own mode, and with its own
 * model if no other was named.
 */
export function optionsAtResume(
  session: Session,
  { options, keep_model: keep }: Pick<RequestParams<'session.resume'>, 'options' | 'keep_model'>,
): SessionOptions {
  const own = session.snapshot.options;
  const next = { ...options, mode: session.mode };
  if (keep === undefined) return next;
  const effort = options.effort ?? own.effort;
  const chosen = effort === undefined ? {} : { effort };
  // The same model: its data from the host is updated, because a recording may have grown, for example.
  if (own.model === options.model) return { ...next, ...chosen };
  const unbounded = withoutPrice(options.limits, own);
  if (unbounded !== null) throw priceMissing(unbounded);
  return withModel(next, { ...modelChoiceOf(own), ...chosen });
}

/** Why a limit in money would have no effect: the model has no price. */
function withoutPrice(limits: SessionOptions['limits'], { model, price }: ModelChoice): string | null {
  if (price !== undefined || providerOf(model) === 'replay' || !isMoneyLimited(limits)) return null;
  return `A limit in money needs a price for ${model}: set models.${model}.price in your config.yaml`;
}

function priceMissing(why: string): FluffyError {
  return new FluffyError({
    code: 'usage',
    what: 'The session cannot continue with its own model',
    why,
    fix: 'Set the price, or name another model with --model',
    exitCode: EXIT.usage,
  });
}
