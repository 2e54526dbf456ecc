import type { EventBody } from '../../contracts/session/events.ts';
import type { ModelCall } from '../../contracts/model/model.ts';
import type { PolicyDecision } from '../../contracts/policy.ts';
import { record, recordRead } from '../record/audit-trail.ts';
import { redactSecrets } from '../../lib/secrets/redact-secrets.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import type { Session } from '../session/session.ts';
import type { ToolAnswer } from '../tools/tool-answer.ts';
import type { ToolUse } from '../tools/tool.ts';
import type { CallDecision } from './call.ts';
import type {
  AuthorisedCall,
  CallContext,
  CallReply,
  ParsedCall,
  PerformedCall,
  RefusedCall,
  ResolvedCall,
} from './call.ts';
import { boundResult } from './bound-result.ts';
import { otherRefusal, policyRefusal, withRefusal } from './last-refusal.ts';
import { parseJson } from '../../lib/parse-json.ts';

/**
 * Everything that is recorded, shown and answered about a call: audit records, events, the last refusal, the reply to
 * the model. Each function is called at the end of a stage. Records and events of a read may reach the disk later,
 * because a read has no effect. All others are on disk before the next step.
 */

const MAX_SUMMARY = 500;
const MAX_SHOWN_ARGUMENTS = 2000;

/** End of `parse`: people see the call, even if it is refused later. */
export function reportStarted(context: CallContext, call: ParsedCall | RefusedCall, sent: ModelCall): void {
  const { received, use } = call;
  const input = use === null ? sent.arguments.slice(0, MAX_SHOWN_ARGUMENTS) : use.input;
  const words = use === null ? '' : redacted(context, use.words).slice(0, MAX_SUMMARY);
  show(context.session, isRead(use), {
    type: 'tool.started',
    call_id: received.call_id,
    tool: received.tool,
    input: redactedJson(context, input),
    ...(words === '' ? {} : { summary: words }),
    ...(context.caller === undefined ? {} : { by: context.caller }),
  });
}

const VERDICTS = { allow: 'allowed', deny: 'denied', require_review: 'review_required' } as const;

/**
 * End of a decision in `authorise`. The record of a denied read is on disk too, because it is the only trace of the
 * attempt.
 */
export function reportDecision(context: CallContext, call: ResolvedCall, made: CallDecision): void {
  const { session } = context;
  const { use, targets, received } = call;
  const { decision, rules, reasons } = made.strictest;
  const isAllowed = decision === 'allow';
  const names = rules.filter((rule) => rule.action !== 'pass').map((rule) => rule.name);
  const reason = reasons.join('; ');
  write(context, isRead(use) && isAllowed, 'syscall', {
    syscall_type: made.syscall,
    tool_name: use.tool.name,
    policy_decision: VERDICTS[decision],
    input_summary: inputSummary(call),
    ...(names.length === 0 ? {} : { policy_rule_name: names.join(',') }),
    ...(isAllowed ? {} : { deny_reason: reason }),
    metadata: { call_id: received.call_id, ...made.metadata },
  });
  const [target = targets.writes[0]] = targets.named;
  show(session, isRead(use) && isAllowed, {
    type: 'policy.decision',
    call_id: received.call_id,
    syscall: made.syscall,
    ...(target === undefined ? {} : { target }),
    decision: VERDICTS[decision],
    rules: names,
    ...(isAllowed ? {} : { decided_by: decidedBy(made.strictest) }),
    reason,
  });
  if (!isAllowed) session.update({ last_refusal: policyRefusal(session, call, made) });
}

/** The rules that decided; empty if the call is denied because no rule allows it. */
function decidedBy({ decision, rules }: Pick<PolicyDecision, 'decision' | 'rules'>): string[] {
  return rules.filter((rule) => rule.action === decision).map((rule) => rule.name);
}

/**
 * End of `authorise`: the intent is on disk before the effect. If it cannot be written, this throws and nothing is
 * performed.
 */
export function reportIntent(context: CallContext, call: AuthorisedCall): void {
  if (isRead(call.use)) return;
  write(context, false, 'tool_execute', {
    tool_name: call.use.tool.name,
    syscall_type: call.use.tool.name,
    input_summary: inputSummary(call),
    metadata: { call_id: call.received.call_id },
  });
}

/** A read that failed is tried once more. */
export function reportRetry({ services, session }: CallContext, { use }: AuthorisedCall): void {
  recordRead(services, session, 'tool_execute', { tool_name: use.tool.name, input_summary: 'retried' });
}

/** End of a call: updates the session, writes the last record and event, and returns the reply to the model. */
export function reportEnd(context: CallContext, call: PerformedCall | RefusedCall, durationMs: number): CallReply {
  const { services, session } = context;
  const { received, use } = call;
  if (call.stage === 'refused') reportRefusal(context, call);
  else if (isDenied(call.answer)) session.update({ refused: { ...session.snapshot.refused, policy: true } });

  const answer: ToolAnswer = call.stage === 'refused' ? { ok: false, error: call.error } : call.answer;
  const raw = answer.ok ? answer.text : (answer.text ?? `${answer.error.code}: ${answer.error.message}`);
  const summary = redacted(context, answer.ok ? answer.summary : answer.error.message).slice(0, MAX_SUMMARY);
  if (!answer.ok) {
    session.update(otherRefusal(session, received, answer.error.code, summary));
    session.update({ refusals: withRefusal(session.snapshot.refusals, received, answer.error.code, summary) });
  }

  const sandbox = answer.sandboxId === undefined ? {} : { sandbox_id: answer.sandboxId };
  write(context, isRead(use), 'tool_result', {
    tool_name: received.tool,
    ...(call.stage === 'refused' && call.by !== 'parser' ? { policy_decision: 'denied' } : {}),
    output_summary: summary,
    duration_ms: Math.round(durationMs),
    ...sandbox,
    metadata: {
      call_id: received.call_id,
      ok: String(answer.ok),
      output_digest: services.digestOf(raw),
      ...(answer.ok ? {} : { error: answer.error.code }),
    },
  });
  show(session, isRead(use), {
    type: 'tool.finished',
    call_id: received.call_id,
    tool: received.tool,
    ok: answer.ok,
    summary,
    duration_ms: Math.round(durationMs * 10) / 10,
    ...sandbox,
    ...(answer.ok && answer.commandFailed === true ? { command_failed: true } : {}),
    ...(context.caller === 'user' && answer.ok && answer.printed !== undefined
      ? { output: printed(context, answer.printed) }
      : {}),
    ...(answer.ok && answer.diff !== undefined ? { diff: redacted(context, answer.diff) } : {}),
    ...(answer.ok ? {} : { error: { ...answer.error, message: summary } }),
  });
  return { call_id: received.call_id, ok: answer.ok, content: boundResult(context, use?.tool ?? null, raw) };
}

/** Notes the refusal for the exit code of the run. Writes a record if no decision of the policy has one. */
function reportRefusal(context: CallContext, call: RefusedCall): void {
  const { session } = context;
  const { refused } = session.snapshot;
  switch (call.by) {
    case 'parser':
    case 'person':
      return;
    case 'absence':
      session.update({ refused: { ...refused, review: true } });
      return;
    case 'policy':
    case 'resolver':
      session.update({ refused: { ...refused, policy: true } });
      return;
    case 'network':
    case 'ignore-file':
      session.update({ refused: { ...refused, policy: true } });
      break;
    case 'state':
    case 'exemption':
      if ((call.targets?.writes ?? []).length > 0) session.update({ refused: { ...refused, gate: true } });
  }
  write(context, false, 'syscall', {
    tool_name: call.received.tool,
    policy_decision: 'denied',
    deny_reason: call.error.message,
    input_summary: inputSummary(call),
    metadata: { call_id: call.received.call_id },
  });
}

/** A call that policy denies after the outcome is known counts as refused by policy. */
function isDenied(answer: ToolAnswer): boolean {
  return !answer.ok && answer.error.code === 'policy_denied';
}

/** A call of an unknown tool does not count as a read. */
function isRead(use: ToolUse | null): boolean {
  return use?.tool.effect === 'read';
}

/** For the audit log: the paths of a call; for a call without paths, its description. */
function inputSummary({ use, targets }: Pick<RefusedCall, 'use' | 'targets'>): string {
  return targets === null || targets.named.length === 0 ? (use?.words ?? '') : targets.named.join(' ');
}

type CallEvent = Extract<EventBody, { type: 'tool.started' | 'policy.decision' | 'tool.finished' }>;

/** Writes the event to disk before it is shown, unless `isBuffered`. */
function show(session: Session, isBuffered: boolean, event: CallEvent): void {
  if (isBuffered) session.stream(event);
  else session.emit(event);
}

function write(
  { services, session, caller }: CallContext,
  isBuffered: boolean,
  type: Parameters<typeof record>[2],
  details: Parameters<typeof record>[3],
): void {
  const entry = caller === undefined ? details : { ...details, caller };
  if (isBuffered) recordRead(services, session, type, entry);
  else record(services, session, type, entry);
}

/** Maximum number of characters for the screen. The text is printed once and stored with the event. */
const MAX_PRINTED = 16_000;

function printed(context: CallContext, text: string): string {
  return cutText(redacted(context, text), 'tail', MAX_PRINTED).text;
}

function redacted({ services }: CallContext, text: string): string {
  return redactSecrets(text, services.policy().sanitizer.patterns).text;
}

function redactedJson(context: CallContext, input: unknown): unknown {
  const text = redacted(context, JSON.stringify(input) ?? 'null');
  const value = parseJson(text);
  return value === undefined ? text : value;
}
