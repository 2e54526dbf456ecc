import { isIPv4, isIPv6 } from 'node:net';
import { lastText } from '../../lib/text/first-last.ts';

/** A host in its canonical form: lower case, no brackets, addresses in the form that the operating system prints. */
export type ParsedHost =
  | { readonly kind: 'name'; readonly host: string }
  | { readonly kind: 'ipv4'; readonly host: string }
  | { readonly kind: 'ipv6'; readonly host: string }
  | { readonly kind: 'refused'; readonly reason: string };

const MAX_NAME_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Parses the host of a CONNECT target or of a rule. An ambiguous host is refused, never normalised into one that might match: a resolver accepts
 * `0x7f.1`, `127.1` and `2130706433`; a zone id could smuggle an allowed suffix; `evil\0.ok.com` is one name for a string comparison and another for
 * C; and `ok.com.` bypasses a comparison with `ok.com`.
 */
export function parseHost(text: string): ParsedHost {
  if (text.startsWith('[') || text.includes(':')) return parseIpv6(text);
  if (isIPv4(text)) return { kind: 'ipv4', host: text };
  return parseName(text.toLowerCase());
}

function parseIpv6(text: string): ParsedHost {
  const inner = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (inner.includes('%')) return refused('an IPv6 zone id');
  if (!isIPv6(inner)) return refused('not an IPv6 address');
  const host = new URL(`http://[${inner}]`).hostname.slice(1, -1);
  if (host.startsWith('::ffff:')) return refused('an IPv4 address written as IPv6');
  return { kind: 'ipv6', host };
}

function parseName(name: string): ParsedHost {
  if (name.length === 0) return refused('an empty host');
  if (name.length > MAX_NAME_LENGTH) return refused('a host name that is too long');
  if (name.endsWith('.')) return refused('a trailing dot');
  const labels = name.split('.');
  if (!labels.every((label) => LABEL.test(label))) return refused('characters that no host name has');
  const last = lastText(labels);
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(last)) return refused('a number that resolvers read as an address');
  return { kind: 'name', host: name };
}

function refused(reason: string): ParsedHost {
  return { kind: 'refused', reason };
}
