import { parseHostRule } from '../egress-gate/host-rule.ts';
import type { HostRule } from '../egress-gate/index.ts';

/**
 * The address of a registry of the user's own configuration, for the egress gate. It may be in the user's own network. Throws if the address is not
 * usable.
 */
export function registryRule(manager: string, url: string): HostRule {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    throw registryUnusable(manager, `its registry is not an http or https address: ${url.slice(0, 200)}`);
  if (parsed.username !== '' || parsed.password !== '')
    throw registryUnusable(manager, 'the address of its registry contains a password, and no sandbox gets a password');
  const port = parsed.port === '' ? (parsed.protocol === 'https:' ? '443' : '80') : parsed.port;
  const rule = parseHostRule(`${parsed.hostname}:${port}`, 'private');
  if (rule.kind === 'invalid') throw registryUnusable(manager, `its registry cannot be reached: ${rule.reason}`);
  return rule.rule;
}

export function registryUnusable(manager: string, why: string, cause?: unknown): Error {
  const fix = `Look at the configuration of ${manager} in your account (not in the project), or install the packages yourself`;
  return new Error(`packages of ${manager} cannot be installed: ${why}. ${fix}`, { cause });
}
