import { providerOf } from '../../../contracts/model/model-choice.ts';
import { askPolicy } from '../../access/ask-policy.ts';
import { heldTo, requestMetadata } from '../../policy/index.ts';
import { record } from '../../record/audit-trail.ts';
import type { Services } from '../../services.ts';
import type { Session } from '../../session/session.ts';
import { modelHostRequest } from './model-host-request.ts';

/** Why policy denies a request to a model at its host; null if it allows the request. Nothing is sent or recorded. */
export async function whyNotAllowed(services: Services, session: Session, model: string): Promise<string | null> {
  return (await decide(services, session, model)).denied;
}

/** The same for a request that is about to be sent: the decision is recorded in the audit log. */
export async function whyNotAsked(services: Services, session: Session, model: string): Promise<string | null> {
  const { denied, host, metadata } = await decide(services, session, model);
  record(services, session, 'syscall', {
    syscall_type: 'ai.generate',
    policy_decision: denied === null ? 'allowed' : 'denied',
    input_summary: `${model}${host === undefined ? '' : ` at ${host}`}`,
    ...(denied === null ? {} : { deny_reason: denied }),
    metadata,
  });
  return denied;
}

async function decide(services: Services, { state, mode }: Session, model: string) {
  const provider = providerOf(model);
  const [host] = services.options.provider_hosts[provider] ?? [];
  const request = modelHostRequest(provider, host, { state, mode });
  const facts = { template: 'ai-provider', hasToken: false, sizeBytes: 0 } as const;
  const decision = heldTo(await askPolicy(services, request), facts);
  const denied = decision.decision === 'allow' ? null : decision.reasons.join('; ');
  return { denied, host, metadata: requestMetadata([request], facts) };
}
