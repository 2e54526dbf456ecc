import type { CompiledPolicy } from '../compiled-policy.ts';
import { decide } from '../decide.ts';
import { abstentions } from '../extensions/asked-extensions.ts';

/**
 * Why the policy in force forbids to change it through `policy.update`; null if a human may decide. More than that it cannot say: a built-in rule asks
 * for the human. Extensions are not heard: one that hangs or denies everything must not keep its owner from taking it out.
 */
export function whyUpdateDenied(policy: CompiledPolicy): readonly string[] | null {
  const extensionResults = abstentions(policy);
  const request = { syscall: 'policy.update', state: 'idle', mode: 'strict', tags: ['user_endpoint'] } as const;
  const { decision, reasons } = decide(policy, request, { nowMonotonicMs: 0, extensionResults });
  return decision === 'require_review' ? null : reasons;
}
