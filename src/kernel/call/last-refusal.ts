import type { ModelCall } from '../../contracts/model/model.ts';
import type { ToolErrorCode } from '../../contracts/model/tool-errors.ts';
import type { Session } from '../session/session.ts';
import type { Snapshot } from '../session/snapshot.ts';
import type { CallDecision } from './call.ts';
import type { ResolvedCall } from './call.ts';

const MAX_RULES = 40;
const MAX_TEXT = 1000;

/** Codes of errors that come from a decision, not from a mistake or an accident. */
const REFUSALS: readonly ToolErrorCode[] = ['policy_denied', 'path_refused', 'tool_unavailable', 'review_required'];

/** The policy's refusal, for a person who asks why. An allowed call keeps the last refusal. */
export function policyRefusal(session: Session, call: ResolvedCall, made: CallDecision): Snapshot['last_refusal'] {
  const { decision, rules, reasons } = made.strictest;
  if (decision === 'allow') return session.snapshot.last_refusal;
  return {
    kind: 'policy',
    call_id: call.received.call_id,
    syscall: made.syscall,
    state: session.state,
    mode: session.mode,
    decision,
    target: made.target,
    plugin: call.use.tool.plugin.name,
    tags: [...call.use.tool.plugin.tags],
    ...(call.use.effects === null ? {} : { effects: call.use.effects }),
    facts: { ...made.facts },
    policy: made.policy.hash,
    rules: rules.slice(0, MAX_RULES).map(({ name, layer, action, reason }) => ({
      name,
      layer,
      action,
      ...(reason === undefined ? {} : { reason: reason.slice(0, MAX_TEXT) }),
    })),
    reasons: reasons.slice(0, MAX_RULES).map((reason) => reason.slice(0, MAX_TEXT)),
  };
}

/**
 * The last refusal, for a call that was refused by something other than a policy rule; unchanged if a rule refused the
 * call or if it merely failed. `message` has no secrets.
 */
export function otherRefusal(
  { snapshot: { last_refusal: known }, state, mode }: Session,
  call: ModelCall,
  code: ToolErrorCode,
  message: string,
): Partial<Snapshot> {
  if (!REFUSALS.includes(code)) return {};
  if (known?.kind === 'policy' && known.call_id === call.call_id && !message.startsWith('The user refused')) return {};
  return { last_refusal: { kind: 'other', call_id: call.call_id, syscall: call.tool, state, mode, code, message } };
}

const MAX_REFUSALS = 20;

/**
 * The refusals of a task with one more: each tool and reason once, the newest last. A call that merely failed is not
 * added.
 */
export function withRefusal(
  refusals: Snapshot['refusals'],
  call: ModelCall,
  code: ToolErrorCode,
  message: string,
): Snapshot['refusals'] {
  if (!REFUSALS.includes(code)) return refusals;
  const refusal = { tool: call.tool, code, message: message.slice(0, MAX_TEXT) };
  const others = refusals.filter((each) => each.tool !== refusal.tool || each.message !== refusal.message);
  return [...others, refusal].slice(-MAX_REFUSALS);
}
