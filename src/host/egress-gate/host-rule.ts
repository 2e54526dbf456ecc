import { parseHost } from './parse-host.ts';

/**
 * One allowed destination. `host` is canonical (see `parseHost`), or `*.` and a name, which means its proper sub-domains.
 *
 * `reach` says which networks the name may resolve to: `public`; `private` also allows the user's own network, for a host that the user named;
 * `reserved` also allows reserved addresses, if the user said that a local DNS returns them. A name never leads to loopback, link-local or metadata
 * addresses. An address is allowed only if the rule is exactly that address. `localhost` is the loopback and nothing else.
 */
export interface HostRule {
  readonly host: string;
  readonly port: number;
  readonly reach: 'public' | 'private' | 'reserved';
}

export type HostRuleResult =
  { readonly kind: 'rule'; readonly rule: HostRule } | { readonly kind: 'invalid'; readonly reason: string };

/** Parses `host:port`, `*.domain:port` or `[ipv6]:port`. The port is required. */
export function parseHostRule(text: string, reach: HostRule['reach'] = 'public'): HostRuleResult {
  const split = splitAuthority(text);
  if (split === null) return { kind: 'invalid', reason: 'expected host:port' };
  const wildcard = split.host.startsWith('*.');
  const parsed = parseHost(wildcard ? split.host.slice(2) : split.host);
  if (parsed.kind === 'refused') return { kind: 'invalid', reason: parsed.reason };
  if (!wildcard) return { kind: 'rule', rule: { host: parsed.host, port: split.port, reach } };
  // `*.com` would allow a large part of the internet, and addresses have no sub-domains.
  if (parsed.kind !== 'name' || !parsed.host.includes('.')) {
    return { kind: 'invalid', reason: 'a wildcard needs a domain of at least two labels' };
  }
  return { kind: 'rule', rule: { host: `*.${parsed.host}`, port: split.port, reach } };
}

/** Splits at the last colon; the port is 1 to 65535 in plain decimal. */
export function splitAuthority(text: string): { readonly host: string; readonly port: number } | null {
  const colon = text.lastIndexOf(':');
  if (colon <= 0) return null;
  const host = text.slice(0, colon);
  const portText = text.slice(colon + 1);
  if (!/^[1-9]\d{0,4}$/.test(portText) || Number(portText) > 65_535) return null;
  // An IPv6 address without brackets cannot be separated from the port.
  if (host.includes(':') && !(host.startsWith('[') && host.endsWith(']'))) return null;
  return { host, port: Number(portText) };
}

/** The rule that allows this canonical host and port, or undefined. An empty list allows nothing. */
export function findRule(rules: readonly HostRule[], host: string, port: number): HostRule | undefined {
  return rules.find((rule) => {
    if (rule.port !== port) return false;
    return rule.host.startsWith('*.') ? host.endsWith(rule.host.slice(1)) && !isAddress(host) : rule.host === host;
  });
}

function isAddress(host: string): boolean {
  const kind = parseHost(host).kind;
  return kind === 'ipv4' || kind === 'ipv6';
}
