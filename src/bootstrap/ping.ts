import { createConnection, type Socket } from 'node:net';

/** The kernel's answer to `kernel.ping`. */
export interface Pong {
  readonly pid: number;
  /** Sessions with a run under way. */
  readonly sessions: number;
}

const MAX_FRAME_BYTES = 64 * 1024;
const HELLO = { type: 'handshake', plugin_name: 'bootstrap', plugin_version: '1', syscall_api_version: 1 };
const PING = { type: 'request', id: 'ping', method: 'kernel.ping', params: {} };

/**
 * Connects to the kernel's socket, shakes hands and asks for a pong. The kernel is not trusted: it gets a deadline and little
 * room, and every answer of another form is a failure.
 */
export async function ping(socketPath: string, timeoutMs: number): Promise<Pong> {
  const socket = createConnection({ path: socketPath });
  const timer = setTimeout(() => socket.destroy(new Error(`no pong in ${timeoutMs} ms`)), timeoutMs);
  try {
    const answers = frames(socket);
    send(socket, HELLO);
    const { type } = await nextOf(answers);
    if (type !== 'handshake_ack') throw new Error('the kernel refused the handshake');
    send(socket, PING);
    const { id, result } = await nextOf(answers);
    const { pid, sessions } = (result ?? {}) as Record<string, unknown>;
    if (id !== PING.id || typeof pid !== 'number' || typeof sessions !== 'number')
      throw new Error('the kernel answered no pong');
    return { pid, sessions };
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

function send(socket: Socket, message: unknown): void {
  const payload = Buffer.from(JSON.stringify(message), 'utf8');
  const header = Buffer.alloc(4);
  header.writeUInt32BE(payload.length);
  socket.write(Buffer.concat([header, payload]));
}

/** Each frame: four bytes of length, then that much JSON. */
async function* frames(socket: Socket): AsyncGenerator<unknown> {
  let pending = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32BE(0)) {
      const end = 4 + pending.readUInt32BE(0);
      yield JSON.parse(pending.toString('utf8', 4, end));
      pending = pending.subarray(end);
    }
    if (pending.length > MAX_FRAME_BYTES) throw new Error('the kernel sent an oversized frame');
  }
}

async function nextOf(answers: AsyncGenerator<unknown>): Promise<Record<string, unknown>> {
  const next = await answers.next();
  if (next.done === true) throw new Error('the kernel closed the connection');
  return (next.value ?? {}) as Record<string, unknown>;
}
