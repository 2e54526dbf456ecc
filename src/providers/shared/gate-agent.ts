import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as tlsConnect, rootCertificates } from 'node:tls';
import { isIP } from 'node:net';
import { Agent } from 'undici';
import type { buildConnector } from 'undici';

export interface GateAgentOptions {
  /** The egress gate's Unix socket. */
  readonly gatePath: string;
  /** PEM certificates trusted beyond Node's own list. */
  readonly extraCa: readonly string[];
  /** Without one byte of an answer for this long, the connection counts as lost. */
  readonly stallTimeoutMs: number;
}

/** The gate said no. Asking again would not change its mind. */
export class EgressDenied extends Error {
  constructor(target: string, reason: string) {
    super(`the egress gate refused ${target}: ${reason}`);
    this.name = 'EgressDenied';
  }
}

const CONNECT_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 8 * 1024;

/**
 * An HTTP dispatcher whose every connection is a CONNECT tunnel through the gate, with TLS inside, ended here. It opens Unix
 * sockets alone, so it works where the kernel refuses any other kind.
 */
export function gateAgent(options: GateAgentOptions): Agent {
  return new Agent({
    allowH2: false,
    headersTimeout: options.stallTimeoutMs,
    bodyTimeout: options.stallTimeoutMs,
    connect: (target: buildConnector.Options, callback: buildConnector.Callback) => {
      openTunnel(target, options).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
  });
}

async function openTunnel(target: buildConnector.Options, options: GateAgentOptions): Promise<Socket> {
  const tls = target.protocol === 'https:';
  const port = target.port === '' ? (tls ? '443' : '80') : target.port;
  const socket = connect({ path: options.gatePath });
  const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), CONNECT_TIMEOUT_MS);
  try {
    await askGate(socket, `${target.hostname}:${port}`);
    return tls ? await startTls(socket, target.hostname.replace(/^\[|\]$/g, ''), options.extraCa) : socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function askGate(socket: Socket, authority: string): Promise<void> {
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  const answer = await readHead(socket);
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1];
  if (status === '200') return;
  const reason = /^x-fluffy-egress: ([ -~]*)\r?$/im.exec(answer)?.[1] ?? 'no reason given';
  if (status === '403') throw new EgressDenied(authority, reason);
  throw new Error(`${authority} cannot be reached: ${reason}`);
}

/** The gate sends nothing after its head until the tunnel is used, so what follows the head is an error, not data to keep. */
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
      socket.pause();
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
      // RFC 6066: an address is no server name.
      servername: isIP(host) === 0 ? host : '',
      ALPNProtocols: ['http/1.1'],
      ...(extraCa.length === 0 ? {} : { ca: [...rootCertificates, ...extraCa] }),
    });
    const onError = (error: Error): void => reject(error);
    secure.once('error', onError);
    secure.once('close', () => reject(new Error('the connection was closed during the TLS handshake')));
    secure.once('secureConnect', () => {
      secure.off('error', onError);
      resolve(secure);
    });
  });
}
