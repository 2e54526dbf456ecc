import { askPolicy } from '../access/ask-policy.ts';
import { heldTo, requestMetadata } from '../policy/index.ts';
import { record } from '../record/audit-trail.ts';
import type { Services } from '../services.ts';
import type { Session } from '../session/session.ts';
import { modelHostRequest } from './model-host-request.ts';

/**
 * Why policy denies a request to a model; null if it allows it. The request leaves the machine, so policy is asked about the host it goes to.
 */
export async function whyNotAsked(services: Services, session: Session, model: string): Promise<string | null> {
  const name = model.split('/')[0] ?? '';
  const [host] = services.options.provider_hosts[name] ?? [];
  const { state, mode } = session;
  const request = modelHostRequest(name, host, { state, mode });
  const facts = { template: 'ai-provider', hasToken: false, sizeBytes: 0 } as const;
  const decision = heldTo(await askPolicy(services, request), facts);
  const denied = decision.decision === 'allow' ? null : decision.reasons.join('; ');
  record(services, session, 'syscall', {
    syscall_type: 'ai.generate',
    policy_decision: denied === null ? 'allowed' : 'denied',
    input_summary: `${model}${host === undefined ? '' : ` at ${host}`}`,
    ...(denied === null ? {} : { deny_reason: denied }),
    metadata: requestMetadata([request], facts),
  });
  return denied;
}
