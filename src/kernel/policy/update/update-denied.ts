import type { CompiledPolicy } from '../compiled-policy.ts';
import { decide } from '../decide.ts';
import { abstentions } from '../extensions/asked-extensions.ts';

/**
 * Why the policy in force forbids changing it through `policy.update`; null if a person may decide. It can only forbid:
 * a built-in rule always requires a person. Extensions are not asked: one that hangs or denies everything must not
 * prevent its owner from removing it.
 */
export function whyUpdateDenied(policy: CompiledPolicy): readonly string[] | null {
  const extensionResults = abstentions(policy);
  const request = { syscall: 'policy.update', state: 'idle', mode: 'strict', tags: ['user_endpoint'] } as const;
  const { decision, reasons } = decide(policy, request, { nowMonotonicMs: 0, extensionResults });
  return decision === 'require_review' ? null : reasons;
}
