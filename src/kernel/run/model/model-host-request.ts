import { CORE_TAGS } from '../../../contracts/policy.ts';
import type { PolicyRequest } from '../../../contracts/policy.ts';
import { vendorHost } from '../../../contracts/model/providers.ts';

/**
 * The policy request that precedes a request to a provider. `host` was chosen on the host's side, from the user's
 * configuration or the registry, never from the project. A host other than the vendor's is an endpoint of the user and
 * gets a tag. Absent: the provider contacts no host.
 */
export function modelHostRequest(
  provider: string,
  host: string | undefined,
  { state, mode }: Pick<PolicyRequest, 'state' | 'mode'>,
): PolicyRequest {
  const isOwn = host === undefined || host === vendorHost(provider);
  return {
    syscall: 'ai.generate',
    state,
    mode,
    tags: isOwn ? CORE_TAGS : [...CORE_TAGS, 'user_endpoint'],
    plugin: `provider:${provider}`,
    template: 'ai-provider',
    ...(host === undefined ? {} : { host }),
  };
}
