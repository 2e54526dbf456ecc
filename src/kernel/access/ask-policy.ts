import type { PolicyDecision, PolicyRequest } from '../../contracts/policy.ts';
import { IN_KERNEL, decide, heldTo, needsExtensions } from '../policy/index.ts';
import type { CompiledPolicy } from '../policy/index.ts';
import type { Services } from '../services.ts';

type PolicyServices = Pick<Services, 'policy' | 'clock' | 'extensions'>;

/** Decides one request by the policy that is in force now. Extensions are asked only where the outcome depends on them. */
export async function askPolicy(services: PolicyServices, request: PolicyRequest): Promise<PolicyDecision> {
  return askOf(services, services.policy(), request);
}

async function askOf(
  services: PolicyServices,
  policy: CompiledPolicy,
  request: PolicyRequest,
): Promise<PolicyDecision> {
  const context = { nowMonotonicMs: services.clock.monotonicMs() };
  if (!needsExtensions(policy, request, context)) return decide(policy, request, context);
  return decide(policy, request, { ...context, extensionResults: await services.extensions.ask(policy, request) });
}

/**
 * Runs `work`, which needs to know synchronously which paths are allowed. A path that depends on an extension counts as
 * allowed in the first pass. Then the extension is asked, the result is dropped, and `work` runs again, until no answer
 * is missing. So `work` must have no effect. One policy answers all questions: when the policy changes, every path is
 * asked about again.
 */
export async function withAllowedPaths<T>(
  services: PolicyServices,
  requestFor: (path: string) => PolicyRequest,
  work: (allowed: (path: string) => boolean) => T | Promise<T>,
): Promise<T> {
  const answered = new Map<string, boolean>();
  let before = services.policy();
  for (;;) {
    const policy = services.policy();
    if (policy !== before) answered.clear();
    before = policy;
    const open = new Set<string>();
    const allowed = (path: string): boolean => {
      const known = answered.get(path);
      if (known !== undefined) return known;
      const decided = decideAlone(services, policy, requestFor(path));
      if (decided === null) open.add(path);
      return decided ?? true;
    };
    const result = await work(allowed);
    if (open.size === 0) return result;
    for (const path of open) answered.set(path, isAllowed(await askOf(services, policy, requestFor(path))));
  }
}

/** The decision without extensions; null if only an extension can decide. */
function decideAlone(services: PolicyServices, policy: CompiledPolicy, request: PolicyRequest): boolean | null {
  const context = { nowMonotonicMs: services.clock.monotonicMs() };
  if (needsExtensions(policy, request, context)) return null;
  return isAllowed(decide(policy, request, context));
}

function isAllowed(decision: PolicyDecision): boolean {
  return heldTo(decision, IN_KERNEL).decision === 'allow';
}
