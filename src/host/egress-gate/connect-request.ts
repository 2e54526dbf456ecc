import { splitAuthority } from './host-rule.ts';
import { parseHost } from './parse-host.ts';

export const MAX_HEAD_BYTES = 8 * 1024;

/** `headBytes` is where the client's own bytes begin; they belong to the tunnel. */
export type ConnectRequest =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'refused'; readonly target: string; readonly reason: string }
  | { readonly kind: 'connect'; readonly host: string; readonly port: number; readonly headBytes: number };

const REQUEST_LINE = /^CONNECT ([!-~]+) HTTP\/1\.[01]$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([ -~\t]*)$/;

/**
 * Reads the head of a proxy request from the bytes so far. The grammar is narrower than HTTP's: no other method, no bare line feed, no folded line,
 * no body. Every byte that two parsers might interpret differently ends the connection.
 */
export function readConnectRequest(received: Buffer): ConnectRequest {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) {
    if (received.length > MAX_HEAD_BYTES) return refuse('', 'a request head that is too long');
    return impossibleStart(received) ? refuse('', 'not a CONNECT request') : { kind: 'incomplete' };
  }
  if (end > MAX_HEAD_BYTES) return refuse('', 'a request head that is too long');
  const [requestLine = '', ...headerLines] = received.toString('latin1', 0, end).split('\r\n');
  const target = REQUEST_LINE.exec(requestLine)?.[1];
  if (target === undefined) return refuse(requestLine, 'not a CONNECT request');
  const headerProblem = checkHeaders(headerLines, target);
  if (headerProblem !== null) return refuse(target, headerProblem);
  return readTarget(target, end + 4);
}

/** An HTTP client that sends a plain proxy request is refused at once, not after the timeout. */
function impossibleStart(received: Buffer): boolean {
  const expected = 'CONNECT ';
  const start = received.toString('latin1', 0, expected.length);
  return !expected.startsWith(start);
}

function checkHeaders(lines: readonly string[], target: string): string | null {
  let hosts = 0;
  for (const line of lines) {
    const match = HEADER_LINE.exec(line);
    if (match === null) return 'a malformed header';
    const name = (match[1] ?? '').toLowerCase();
    const value = (match[2] ?? '').trimEnd();
    if (name === 'content-length' || name === 'transfer-encoding') return 'a body on a CONNECT request';
    if (name !== 'host') continue;
    hosts += 1;
    if (hosts > 1 || value.toLowerCase() !== target.toLowerCase()) return 'a Host header unlike the target';
  }
  return null;
}

function readTarget(target: string, headBytes: number): ConnectRequest {
  if (/[@/?#\\]/.test(target)) return refuse(target, 'a target that is not host:port');
  const split = splitAuthority(target);
  if (split === null) return refuse(target, 'a target that is not host:port');
  const parsed = parseHost(split.host);
  if (parsed.kind === 'refused') return refuse(target, parsed.reason);
  return { kind: 'connect', host: parsed.host, port: split.port, headBytes };
}

function refuse(target: string, reason: string): ConnectRequest {
  return { kind: 'refused', target, reason };
}
