import type { ModelCall } from '../../contracts/model.ts';
import type { PolicyDecision } from '../../contracts/policy.ts';
import type { ToolErrorCode } from '../../contracts/tool-errors.ts';
import type { ParsedCall } from '../../contracts/tools.ts';
import type { Session } from '../session/session.ts';
import type { CallFacts } from './call-facts.ts';

const MAX_RULES = 40;
const MAX_TEXT = 1000;

/** Errors that are somebody's no, and not a mistake or a misfortune. */
const REFUSALS: readonly ToolErrorCode[] = ['policy_denied', 'path_refused', 'tool_unavailable', 'review_required'];

interface PolicyRefusal {
  readonly callId: string;
  readonly call: ParsedCall;
  readonly plugin: string;
  readonly facts: CallFacts;
  readonly policy: string;
  /** The path that was decided about; null for none. */
  readonly target: string | null;
  readonly decision: Pick<PolicyDecision, 'decision' | 'rules' | 'reasons'>;
}

/** Keeps what the policy said for whoever asks why. An allow is nothing to ask about. */
export function notePolicyRefusal(session: Session, refusal: PolicyRefusal): void {
  const { callId, call, plugin, facts, policy, target } = refusal;
  const { decision, rules, reasons } = refusal.decision;
  if (decision === 'allow') return;
  session.update({
    last_refusal: {
      kind: 'policy',
      call_id: callId,
      syscall: call.tool,
      state: session.state,
      mode: session.mode,
      decision,
      target,
      plugin,
      facts: { ...facts },
      policy,
      rules: rules.slice(0, MAX_RULES).map(({ name, layer, action, reason }) => ({
        name,
        layer,
        action,
        ...(reason === undefined ? {} : { reason: reason.slice(0, MAX_TEXT) }),
      })),
      reasons: reasons.slice(0, MAX_RULES).map((reason) => reason.slice(0, MAX_TEXT)),
    },
  });
}

/** Keeps why a call failed that something else than a rule refused. `message` is cleaned of secrets. */
export function noteRefusal(session: Session, call: ModelCall, code: ToolErrorCode, message: string): void {
  if (!REFUSALS.includes(code)) return;
  const known = session.snapshot.last_refusal;
  if (known?.kind === 'policy' && known.call_id === call.call_id && !message.startsWith('The user said no')) return;
  const { state, mode } = session;
  session.update({
    last_refusal: {
      kind: 'other',
      call_id: call.call_id,
      syscall: call.tool.slice(0, 100),
      state,
      mode,
      code,
      message,
    },
  });
}
