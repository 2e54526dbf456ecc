import type {
  CapabilityBinding,
  ExtensionResult,
  PolicyDecision,
  PolicyRequest,
  PresentedCapability,
} from '../../contracts/policy.ts';
import type { CapabilityStore } from './capabilities/capability-store.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import { decide } from './decide.ts';

export interface AuthorizeContext {
  readonly nowMonotonicMs: number;
  readonly presented: PresentedCapability;
  readonly by: CapabilityBinding;
  readonly extensionResults?: readonly ExtensionResult[];
}

/**
 * Decides a request that presents a capability. If the capability allowed it, the use is counted in the same
 * synchronous step, so that at most `maxOps` calls pass even if many arrive at once.
 */
export function authorize(
  policy: CompiledPolicy,
  store: CapabilityStore,
  request: PolicyRequest,
  context: AuthorizeContext,
): PolicyDecision {
  const { nowMonotonicMs, presented, by, extensionResults } = context;
  const decision = decide(policy, request, { nowMonotonicMs, token: store.claim(presented, by), extensionResults });
  if (decision.byToken) store.use(presented);
  return decision;
}
