import type { ToolError } from '../../contracts/tool-errors.ts';
import type { ParsedCall } from '../../contracts/tools.ts';
import type { CompiledPolicy } from '../policy/index.ts';

const GROUP = 'integration-test';

/** Why tests get no network although they ask for one, or null where none is asked for. Never passed over in silence: a test that needs a host would fail for no reason to be seen. */
export function networkRefused(policy: Pick<CompiledPolicy, 'networkWhitelist'>, call: ParsedCall): ToolError | null {
  if (call.tool !== 'test.run' || call.input.network !== true) return null;
  const open = (policy.networkWhitelist.get(GROUP) ?? []).length > 0;
  const why = open
    ? 'this version runs no tests with a network'
    : `policy opens no host to them (network_whitelist, group ${GROUP}, is empty)`;
  const message = `test.run with network is denied: ${why}. Run it without network, with tests that need none.`;
  return { code: 'policy_denied', message, retryable: false };
}
