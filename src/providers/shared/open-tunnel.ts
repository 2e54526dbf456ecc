import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as tlsConnect, rootCertificates } from 'node:tls';

export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

export interface TunnelOptions {
  /** The egress gate's Unix socket. */
  readonly gatePath: string;
  /** PEM certificates trusted beyond Node's own list. */
  readonly extraCa: readonly string[];
}

/** The gate refused. Another attempt would be refused too. */
export class EgressDenied extends Error {
  constructor(target: string, reason: string) {
    super(`the egress gate refused ${target}: ${reason}`);
    this.name = 'EgressDenied';
  }
}

/** The connection failed. `temporary`: another attempt may succeed. */
export class EndpointUnreachable extends Error {
  readonly temporary: boolean;

  constructor(target: TunnelTarget, authority: string, reason: string) {
    const refusedHere = reason === 'ECONNREFUSED' && isLoopback(target.host);
    super(refusedHere ? `nothing listens on ${authority} (ECONNREFUSED)` : `${authority} cannot be reached: ${reason}`);
    this.name = 'EndpointUnreachable';
    this.temporary = !refusedHere && !reason.includes('ENOTFOUND');
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

const CONNECT_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 8 * 1024;

/**
 * Opens a connection through the gate: CONNECT, then TLS that ends here. It uses only a Unix socket, so it works where the kernel refuses any other
 * kind. Rejects with EgressDenied, or with the error that prevented the connection.
 */
export async function openTunnel(target: TunnelTarget, options: TunnelOptions): Promise<Socket> {
  const socket = connect({ path: options.gatePath });
  const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), CONNECT_TIMEOUT_MS);
  try {
    await askGate(socket, target);
    return target.tls ? await startTls(socket, target.host, options.extraCa) : socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function askGate(socket: Socket, target: TunnelTarget): Promise<void> {
  const authority = `${isIP(target.host) === 6 ? `[${target.host}]` : target.host}:${target.port}`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  const answer = await readHead(socket);
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1];
  if (status === '200') return;
  const reason = /^x-fluffy-egress: ([ -~]*)\r?$/im.exec(answer)?.[1] ?? 'no reason given';
  if (status === '403') throw new EgressDenied(authority, reason);
  throw new EndpointUnreachable(target, authority, reason);
}

/** No server sends data first, so nothing can follow the gate's head. */
async function readHead(socket: Socket): Promise<string> {
  return await new Promise((resolve, reject) => {
    let head = '';
    const onData = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (head.endsWith('\r\n\r\n')) settle(() => resolve(head));
      else if (head.length > MAX_ANSWER_BYTES) onError(new Error('the egress gate gave no proper answer'));
    };
    const onError = (error: Error): void => settle(() => reject(error));
    const onEnd = (): void => onError(new Error('the egress gate closed the connection'));
    const settle = (finish: () => void): void => {
      socket.off('data', onData).off('error', onError).off('close', onEnd).off('end', onEnd);
      finish();
    };
    socket.on('data', onData).on('error', onError).on('close', onEnd).on('end', onEnd);
  });
}

async function startTls(socket: Socket, host: string, extraCa: readonly string[]): Promise<Socket> {
  return await new Promise((resolve, reject) => {
    const secure = tlsConnect({
      socket,
      host,
      // RFC 6066: an IP address is no server name.
      servername: isIP(host) === 0 ? host : '',
      ALPNProtocols: ['http/1.1'],
      ...(extraCa.length === 0 ? {} : { ca: [...rootCertificates, ...extraCa] }),
    });
    const onError = (error: Error): void => reject(error);
    const onClose = (): void => reject(new Error('the connection was closed during the TLS handshake'));
    secure.once('error', onError).once('close', onClose);
    secure.once('secureConnect', () => {
      secure.off('error', onError).off('close', onClose);
      resolve(secure);
    });
  });
}
