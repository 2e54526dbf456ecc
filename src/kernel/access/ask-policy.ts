import type { PolicyDecision, PolicyRequest } from '../../contracts/policy.ts';
import { IN_KERNEL, decide, heldTo, needsExtensions } from '../policy/index.ts';
import type { CompiledPolicy } from '../policy/index.ts';
import type { Services } from '../services.ts';

type Asking = Pick<Services, 'policy' | 'clock' | 'extensions'>;

/** Decides one request, by the policy that is in force when it is asked. Extensions are asked only where the outcome depends on them. */
export async function askPolicy(services: Asking, request: PolicyRequest): Promise<PolicyDecision> {
  return askOf(services, services.policy(), request);
}

async function askOf(services: Asking, policy: CompiledPolicy, request: PolicyRequest): Promise<PolicyDecision> {
  const context = { nowMonotonicMs: services.clock.monotonicMs() };
  if (!needsExtensions(policy, request, context)) return decide(policy, request, context);
  return decide(policy, request, { ...context, extensionResults: await services.extensions.ask(policy, request) });
}

/**
 * Does a piece of work of the kernel's own that wants to know in its middle, and at once, which paths are allowed. What depends on an extension is taken for
 * allowed, the work's result thrown away, the extension asked, and the work done again, until nothing was open. So it must have no effect. All
 * that its result hangs on is answered by one policy: when another has come into force, everything is asked again.
 */
export async function withAllowedPaths<T>(
  services: Asking,
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
      const decided = decideAtOnce(services, policy, requestFor(path));
      if (decided === null) open.add(path);
      return decided ?? true;
    };
    const result = await work(allowed);
    if (open.size === 0) return result;
    for (const path of open) answered.set(path, isAllowed(await askOf(services, policy, requestFor(path))));
  }
}

/** Null: it takes an extension to say. */
function decideAtOnce(services: Asking, policy: CompiledPolicy, request: PolicyRequest): boolean | null {
  const context = { nowMonotonicMs: services.clock.monotonicMs() };
  if (needsExtensions(policy, request, context)) return null;
  return isAllowed(decide(policy, request, context));
}

function isAllowed(decision: PolicyDecision): boolean {
  return heldTo(decision, IN_KERNEL).decision === 'allow';
}
