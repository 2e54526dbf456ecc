import { connect } from 'node:net';
import type { Socket } from 'node:net';

const MAX_HEAD_BYTES = 8 * 1024;
const HEAD_END = '\r\n\r\n';

/** No connection: the gate refused it, or what it leads to did not answer. */
export class NoWayOut extends Error {
  readonly refused: boolean;

  constructor(target: string, refused: boolean, reason: string) {
    super(`${target}: ${reason}`);
    this.refused = refused;
  }
}

/** A connection to `target` (host:port) through the egress gate's Unix socket. Rejects with NoWayOut. */
export async function throughGate(gatePath: string, target: string): Promise<Socket> {
  const socket = connect({ path: gatePath });
  try {
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
    const head = await readHead(socket, target);
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1];
    if (status === '200') return socket;
    const reason = /^x-fluffy-egress: ([ -~]*)\r?$/im.exec(head)?.[1] ?? 'no reason given';
    throw new NoWayOut(target, status === '403', reason);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** The head of the gate's answer. What a server that speaks first has sent with it stays in the socket. */
function readHead(socket: Socket, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const settle = (finish: () => void): void => {
      socket.off('readable', onReadable).off('error', onError).off('end', onEnd);
      finish();
    };
    // Not `data` and `pause`: a socket that was paused stays so for an HTTP client that is given it.
    const onReadable = (): void => {
      const chunk = socket.read() as Buffer | null;
      if (chunk === null) return;
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf(HEAD_END);
      if (end !== -1) {
        settle(() => resolve(received.subarray(0, end + HEAD_END.length).toString('latin1')));
        if (received.length > end + HEAD_END.length) socket.unshift(received.subarray(end + HEAD_END.length));
      } else if (received.length > MAX_HEAD_BYTES) onError(new Error('no proper answer of the gate'));
    };
    const onError = (error: Error): void => settle(() => reject(new NoWayOut(target, false, error.message)));
    const onEnd = (): void => onError(new Error('the gate closed the connection'));
    socket.on('readable', onReadable).on('error', onError).on('end', onEnd);
  });
}
