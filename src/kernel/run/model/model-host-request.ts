import { CORE_TAGS } from '../../../contracts/policy.ts';
import type { PolicyRequest } from '../../../contracts/policy.ts';
import { vendorHost } from '../../../contracts/model/providers.ts';

/**
 * What policy is asked before a provider is. `host` was chosen on the host's side, from the user's own configuration or the registry, never from the
 * project's; a host that is not the vendor's own is an endpoint of the user, and the tag says so. Absent: the provider reaches none.
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
