import type { Socket } from 'node:net';
import { readClientHello } from './client-hello.ts';
import { readConnectRequest } from './connect-request.ts';
import type { EgressEvent } from './egress-event.ts';
import { printableTarget } from './egress-event.ts';
import type { HostRule } from './host-rule.ts';
import { findRule } from './host-rule.ts';
import { parseHost } from './parse-host.ts';
import { readPrefix } from './read-prefix.ts';
import { vetAnswers, vetHost } from './vet-addresses.ts';

export interface EgressLimits {
  /** For the request head, and again for the first TLS message. */
  readonly headTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Maximum time without a byte in either direction. */
  readonly idleTimeoutMs: number;
  readonly maxConnections: number;
}

/** Starts a TCP connection to the first of these addresses that answers. */
export type Dial = (addresses: readonly string[], port: number) => Socket;

export interface EgressContext {
  readonly allow: readonly HostRule[];
  readonly limits: EgressLimits;
  /** All addresses of a name. Asked once per connection; the connection uses exactly the vetted answers. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly dial: Dial;
  readonly report: (event: EgressEvent) => void;
  readonly nowMs: () => number;
}

type Route =
  | {
      readonly kind: 'route';
      readonly rule: HostRule;
      readonly addresses: readonly string[];
      readonly loopback: boolean;
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** Serves one client connection: request, decision, connection, TLS name, tunnel. */
export async function serveEgressConnection(client: Socket, context: EgressContext): Promise<void> {
  const head = await readPrefix(client, Buffer.alloc(0), context.limits.headTimeoutMs, (received) => {
    const request = readConnectRequest(received);
    return request.kind === 'incomplete' ? null : request;
  });
  if (head.kind === 'closed') return void client.destroy();
  if (head.kind === 'timed-out') return refuse(client, context, '', 'no request in time');
  const request = head.value;
  if (request.kind === 'refused') return refuse(client, context, request.target, request.reason);

  const target = `${request.host}:${request.port}`;
  const route = await findRoute(request.host, request.port, context);
  if (route.kind === 'refused') return refuse(client, context, target, route.reason);
  if (route.kind === 'unreachable') return reportUnreachable(client, context, request, route.reason);

  const upstream = await openUpstream(route.addresses, request.port, context);
  if (upstream.kind === 'failed') return reportUnreachable(client, context, request, upstream.reason);
  if (client.destroyed) return void upstream.socket.destroy();
  client.once('close', () => upstream.socket.destroy());
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');

  const early = head.bytes.subarray(request.headBytes);
  const first: FirstBytes = route.loopback
    ? { kind: 'passed', bytes: early }
    : await checkServerName(client, early, request.host, context);
  if (first.kind === 'refused') {
    context.report({ kind: 'refused', target, reason: first.reason });
    client.destroy();
    return;
  }
  const { remoteAddress } = upstream.socket;
  context.report({ kind: 'allowed', host: request.host, port: request.port, address: remoteAddress ?? '' });
  upstream.socket.write(first.bytes);
  await tunnel(client, upstream.socket, request, context);
}

async function findRoute(host: string, port: number, context: EgressContext): Promise<Route> {
  const rule = findRule(context.allow, host, port);
  if (rule === undefined) return { kind: 'refused', reason: 'not on the list of permitted hosts' };
  let vetting = vetHost(host);
  if (vetting.kind === 'resolve') {
    const answers = await context.resolve(host).catch(resolverProblem);
    if (typeof answers === 'string') return { kind: 'unreachable', reason: answers };
    vetting = vetAnswers(rule, answers);
  }
  if (vetting.kind !== 'connect') return { kind: 'refused', reason: vetting.kind === 'refused' ? vetting.reason : '' };
  return { kind: 'route', rule, addresses: vetting.addresses, loopback: vetting.loopback };
}

/** A name that cannot be resolved is not a refusal: the machine may be offline, or the name misspelt. */
function resolverProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
  return `its name cannot be resolved (${code.replace(/[^\w -]/g, '?').slice(0, 40)})`;
}

type Upstream =
  { readonly kind: 'connected'; readonly socket: Socket } | { readonly kind: 'failed'; readonly reason: string };

async function openUpstream(
  addresses: readonly string[],
  port: number,
  { dial, limits }: EgressContext,
): Promise<Upstream> {
  const socket = dial(addresses, port);
  return await new Promise((resolve) => {
    const fail = (reason: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ kind: 'failed', reason });
    };
    const timer = setTimeout(() => fail('the host did not answer in time'), limits.connectTimeoutMs);
    socket.once('error', (error: NodeJS.ErrnoException) => fail(error.code ?? 'connection failed'));
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeAllListeners('error');
      // Failures after this point show as a closed tunnel.
      socket.on('error', () => socket.destroy());
      resolve({ kind: 'connected', socket });
    });
  });
}

type FirstBytes =
  { readonly kind: 'passed'; readonly bytes: Buffer } | { readonly kind: 'refused'; readonly reason: string };

/** Outside the loopback only TLS is allowed, and only to the named server: the checked name is the name that is reached. */
async function checkServerName(
  client: Socket,
  early: Buffer,
  host: string,
  context: EgressContext,
): Promise<FirstBytes> {
  const prefix = await readPrefix(client, early, context.limits.headTimeoutMs, (received) => {
    const hello = readClientHello(received);
    return hello.kind === 'incomplete' ? null : hello;
  });
  if (prefix.kind === 'timed-out') return { kind: 'refused', reason: 'no TLS handshake in time' };
  if (prefix.kind === 'closed') return { kind: 'refused', reason: 'closed before the TLS handshake' };
  if (prefix.value.kind === 'refused') return { kind: 'refused', reason: prefix.value.reason };
  // An address is never sent as a server name.
  const expected = parseHost(host).kind === 'name' ? host : null;
  if (prefix.value.kind === 'hello' && prefix.value.serverName !== expected) {
    return { kind: 'refused', reason: 'a TLS server name unlike the target' };
  }
  return { kind: 'passed', bytes: prefix.bytes };
}

async function tunnel(
  client: Socket,
  upstream: Socket,
  target: { readonly host: string; readonly port: number },
  context: EgressContext,
): Promise<void> {
  const startedMs = context.nowMs();
  const end = (): void => {
    client.destroy();
    upstream.destroy();
  };
  upstream.setTimeout(context.limits.idleTimeoutMs, end);
  const closed = Promise.all([onceClosed(client), onceClosed(upstream)]);
  upstream.once('close', () => client.destroySoon());
  if (upstream.destroyed) client.destroySoon();
  if (client.readableEnded) upstream.end();
  else client.pipe(upstream);
  upstream.pipe(client);
  await closed;
  context.report({
    kind: 'closed',
    host: target.host,
    port: target.port,
    sentBytes: upstream.bytesWritten,
    receivedBytes: upstream.bytesRead,
    durationMs: context.nowMs() - startedMs,
  });
}

async function onceClosed(socket: Socket): Promise<void> {
  if (socket.closed) return;
  await new Promise<void>((resolve) => void socket.once('close', () => resolve()));
}

function refuse(client: Socket, context: EgressContext, target: string, reason: string): void {
  context.report({ kind: 'refused', target: printableTarget(target), reason });
  answer(client, 403, 'Forbidden', reason);
}

function reportUnreachable(
  client: Socket,
  context: EgressContext,
  { host, port }: { readonly host: string; readonly port: number },
  reason: string,
): void {
  context.report({ kind: 'unreachable', host, port, reason });
  answer(client, 502, 'Bad Gateway', reason);
}

/** The reason is sent in a header that the provider programs read (`src/providers/shared`); it is one of Fluffy's own phrases. */
function answer(client: Socket, status: number, phrase: string, reason: string): void {
  client.end(
    `HTTP/1.1 ${status} ${phrase}\r\nX-Fluffy-Egress: ${reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    () => client.destroy(),
  );
}
