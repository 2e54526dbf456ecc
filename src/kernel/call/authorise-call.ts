import { CORE_TAGS } from '../../contracts/policy.ts';
import type { PolicyDecision, PolicyRequest } from '../../contracts/policy.ts';
import type { ToolError } from '../../contracts/tool-errors.ts';
import type { ParsedCall } from '../../contracts/tools.ts';
import { heldTo, requestMetadata, strictestDecision } from '../policy/index.ts';
import type { Session } from '../session/session.ts';
import { askPolicy } from '../access/ask-policy.ts';
import { isRead, record, recordRead } from '../record/audit-trail.ts';
import { factsOf } from './call-facts.ts';
import type { CallFacts, DecisionsByPath } from './call-facts.ts';
import { notePolicyRefusal } from './note-refusal.ts';
import type { Targets } from './resolve-targets.ts';
import type { Services } from '../services.ts';

export type Authorisation =
  | { readonly kind: 'allowed'; readonly decisions: DecisionsByPath }
  | { readonly kind: 'review'; readonly reasons: readonly string[]; readonly decisions: DecisionsByPath }
  | { readonly kind: 'denied'; readonly error: ToolError };

/** Asks the policy about every path of a call; tells and records the outcome. Nothing has happened yet. */
export async function authoriseCall(
  services: Services,
  session: Session,
  callId: string,
  call: ParsedCall,
  targets: Targets,
): Promise<Authorisation> {
  const paths: (string | undefined)[] = [...new Set([...targets.reads, ...targets.writes, ...targets.named])];
  if (paths.length === 0) paths.push(undefined);
  const facts = factsOf(call);
  const requests = paths.map((path) => requestFor(session, call, facts, path));
  const decisions = await Promise.all(
    requests.map(async (request) => heldTo(await askPolicy(services, request), facts)),
  );
  const [first, ...rest] = decisions;
  const [request, ...others] = requests;
  if (first === undefined || request === undefined) throw new Error('a call without any decision');
  const strictest = strictestDecision([first, ...rest]);
  tell(services, session, callId, call, targets, strictest, requestMetadata([request, ...others], facts));
  notePolicyRefusal(session, {
    callId,
    call,
    plugin: pluginOf(call.tool),
    facts,
    policy: services.policy().hash,
    target: paths[decisions.findIndex((one) => one.decision === strictest.decision)] ?? null,
    decision: strictest,
  });
  const byPath = new Map(paths.map((path, index) => [path, decisions[index] ?? first]));
  switch (strictest.decision) {
    case 'allow':
      return { kind: 'allowed', decisions: byPath };
    case 'require_review':
      return { kind: 'review', reasons: strictest.reasons, decisions: byPath };
    case 'deny':
      return {
        kind: 'denied',
        error: {
          code: 'policy_denied',
          message: `Policy denies ${call.tool}: ${strictest.reasons.join('; ')}`,
          retryable: false,
        },
      };
  }
}

function requestFor(
  { state, mode }: Session,
  call: ParsedCall,
  { template }: CallFacts,
  path: string | undefined,
): PolicyRequest {
  return {
    syscall: call.tool,
    path,
    state,
    mode,
    tags: CORE_TAGS,
    plugin: pluginOf(call.tool),
    ...(template === null ? {} : { template }),
    ...(call.tool === 'fs.write' ? { sizeBytes: Buffer.byteLength(call.input.content) } : {}),
  };
}

const WORDS = { allow: 'allowed', deny: 'denied', require_review: 'review_required' } as const;

function tell(
  services: Services,
  session: Session,
  callId: string,
  call: ParsedCall,
  targets: Targets,
  decision: Omit<PolicyDecision, 'constraints'>,
  asked: ReturnType<typeof requestMetadata>,
): void {
  const names = decision.rules.filter((rule) => rule.action !== 'pass').map((rule) => rule.name);
  const target = targets.named[0] ?? targets.writes[0];
  const word = WORDS[decision.decision];
  const details = {
    syscall_type: call.tool,
    tool_name: call.tool,
    policy_decision: word,
    input_summary: targets.named.join(' '),
    ...(names.length === 0 ? {} : { policy_rule_name: names.join(',') }),
    ...(decision.decision === 'allow' ? {} : { deny_reason: decision.reasons.join('; ') }),
    metadata: { call_id: callId, ...asked },
  };
  const read = isRead(call.tool) && decision.decision === 'allow';
  if (read) recordRead(services, session, 'syscall', details);
  else record(services, session, 'syscall', details);
  const event = {
    type: 'policy.decision',
    call_id: callId,
    syscall: call.tool,
    ...(target === undefined ? {} : { target }),
    decision: word,
    rules: names,
    ...(decision.decision === 'allow' ? {} : { decided_by: deciders(decision) }),
    reason: decision.reasons.join('; '),
  } as const;
  if (read) session.stream(event);
  else session.emit(event);
}

/** The rules that outweighed the others: none where nothing allowed it. */
function deciders({ decision, rules }: Pick<PolicyDecision, 'decision' | 'rules'>): string[] {
  return rules.filter((rule) => rule.action === decision).map((rule) => rule.name);
}

function pluginOf(tool: string): string {
  return tool.startsWith('fs.')
    ? 'fs-tool'
    : tool.startsWith('git.')
      ? 'git-tool'
      : tool.startsWith('test.')
        ? 'test-tool'
        : tool.startsWith('shell.')
          ? 'shell-tool'
          : 'kernel';
}
