import type { PolicyDecision, PolicyRequest, PolicyVerdict } from '../../../contracts/policy.ts';
import type { CompiledPolicy } from '../compiled-policy.ts';
import { heldTo } from '../constraints.ts';
import { decide } from '../decide.ts';
import { abstentions } from '../extensions/asked-extensions.ts';
import type { AuditedRequest } from './audited-request.ts';

/** A request that the new policy answers differently. */
export interface PolicyChange {
  readonly request: PolicyRequest;
  readonly before: PolicyVerdict;
  readonly after: PolicyVerdict;
  /** Allowed before, denied after: something that worked stops working. */
  readonly breaking: boolean;
  /** Number of requests like this one. */
  readonly times: number;
  readonly reasons: readonly string[];
}

/**
 * Replays requests against two policies and returns those with a different answer, breaking ones first. Extensions
 * count as abstaining in both, because this compares the policy files.
 */
export function comparePolicies(
  before: CompiledPolicy,
  after: CompiledPolicy,
  requests: readonly AuditedRequest[],
): readonly PolicyChange[] {
  const changes = new Map<string, PolicyChange>();
  for (const request of requests) {
    const old = verdict(before, request);
    const now = verdict(after, request);
    if (old.decision === now.decision) continue;
    const key = JSON.stringify(request);
    const known = changes.get(key);
    changes.set(key, {
      request,
      before: old.decision,
      after: now.decision,
      breaking: old.decision === 'allow' && now.decision === 'deny',
      times: (known?.times ?? 0) + 1,
      reasons: now.reasons,
    });
  }
  return [...changes.values()].toSorted((a, b) => Number(b.breaking) - Number(a.breaking));
}

function verdict(policy: CompiledPolicy, { facts, ...request }: AuditedRequest): PolicyDecision {
  const extensionResults = abstentions(policy);
  const decision = decide(policy, request, { nowMonotonicMs: 0, extensionResults });
  return facts === undefined ? decision : heldTo(decision, facts);
}
