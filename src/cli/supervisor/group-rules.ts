import { parseHostRule } from '../../host/egress-gate/index.ts';
import type { HostRule } from '../../host/egress-gate/index.ts';
import { ownValue } from '../../lib/own-value.ts';
import type { HostSettings } from './supervisor-options.ts';

/**
 * The rules of network groups. Groups that L1 named count only if the host's own configuration contains them. `single`: the networks allowed for a
 * host that the user named in full; a name with `*` leads only to public addresses. Throws for a group that is not configured, and for an invalid
 * rule.
 */
export function groupRules(
  names: readonly string[],
  settings: Pick<HostSettings, 'network_groups'>,
  single: HostRule['reach'] = 'public',
): HostRule[] {
  return names.flatMap((name) => {
    const rules = ownValue(settings.network_groups, name);
    if (rules === undefined) throw new Error(`there is no network group ${name}`);
    return rules.map((text) => {
      const parsed = parseHostRule(text, text.startsWith('*') ? 'public' : single);
      if (parsed.kind === 'invalid') throw new Error(`network group ${name}: ${text}: ${parsed.reason}`);
      return parsed.rule;
    });
  });
}
