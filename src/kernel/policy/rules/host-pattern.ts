import { lastText } from '../../../lib/text/first-last.ts';
/**
 * `name` is lower-case. `subdomains` matches the names below it but not the name itself. A null port matches any port.
 */
export interface HostPattern {
  readonly source: string;
  readonly name: string;
  readonly subdomains: boolean;
  readonly port: number | null;
}

export type ParsedHost =
  | { readonly kind: 'ok'; readonly host: HostPattern }
  /** `reason` completes "the host …". */
  | { readonly kind: 'refused'; readonly reason: string };

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const IPV6 = /^\[[0-9a-f:.]{2,45}\]$/;

/**
 * Parses `host`, `*.host`, `host:port` or `[v6]:port`. Each host has one spelling. What resolvers might read
 * differently (a trailing dot, userinfo, an encoded or short address, a name that is not ASCII) is refused and not
 * normalised.
 */
export function parseHostPattern(source: string): ParsedHost {
  const refused = (reason: string): ParsedHost => ({ kind: 'refused', reason });
  const subdomains = source.startsWith('*.');
  const parsed = /^(\[[^\]]*\]|[^:]*)(?::([0-9]{1,5}))?$/.exec(subdomains ? source.slice(2) : source);
  if (parsed === null) return refused('is not a host name with an optional port');
  const name = (parsed[1] ?? '').toLowerCase();
  const port = parsed[2] === undefined ? null : Number(parsed[2]);
  if (port !== null && (port < 1 || port > 65_535)) return refused('has a port outside 1 to 65535');
  if (name.length > 253 || !(NAME.test(name) || IPV6.test(name)))
    return refused('is not a host name with an optional port');
  const address = name.startsWith('[') || isIpv4(name);
  if (!address && /^(?:0x[0-9a-f]*|[0-9]+)$/.test(lastText(name.split('.')))) {
    return refused('looks like an address in an unusual notation; write all four decimal parts');
  }
  if (address && subdomains) return refused('puts "*." before an address');
  return { kind: 'ok', host: { source, name, subdomains, port } };
}

function isIpv4(name: string): boolean {
  const parts = name.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255);
}

/**
 * Whether the pattern matches the host of a request (`name` or `name:port`, parsed by `parseHostPattern`). An
 * unreadable host matches nothing.
 */
export function matchHost(pattern: HostPattern, requested: HostPattern): boolean {
  if (requested.subdomains) return false;
  if (pattern.port !== null && pattern.port !== requested.port) return false;
  return pattern.subdomains ? requested.name.endsWith(`.${pattern.name}`) : requested.name === pattern.name;
}

/** Whether `wide` matches every host that `narrow` matches. */
export function coversHost(wide: HostPattern, narrow: HostPattern): boolean {
  if (wide.source === narrow.source) return true;
  return !narrow.subdomains && matchHost(wide, narrow);
}
