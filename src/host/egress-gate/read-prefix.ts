import type { Socket } from 'node:net';

export type Prefix<T> =
  | { readonly kind: 'read'; readonly value: T; readonly bytes: Buffer }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'closed' };

/**
 * Collects a socket's next bytes until `decide` returns a result for all bytes so far, then leaves the socket paused. The bytes are passed on and not
 * put back, because a socket whose other side has ended accepts nothing back. `decide` must give up by itself if there is too much: it is called
 * after every chunk.
 */
export async function readPrefix<T>(
  socket: Socket,
  alreadyRead: Buffer,
  timeoutMs: number,
  decide: (received: Buffer) => T | null,
): Promise<Prefix<T>> {
  return await new Promise((resolve) => {
    let received = alreadyRead;
    const finish = (result: Prefix<T>): void => {
      clearTimeout(timer);
      socket.off('data', onData).off('end', onClosed).off('close', onClosed).off('error', onClosed);
      socket.pause();
      resolve(result);
    };
    const onClosed = (): void => finish({ kind: 'closed' });
    const judge = (): void => {
      const value = decide(received);
      if (value !== null) finish({ kind: 'read', value, bytes: received });
      else if (socket.destroyed || socket.readableEnded) onClosed();
    };
    const onData = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      judge();
    };
    const timer = setTimeout(() => finish({ kind: 'timed-out' }), timeoutMs);
    socket.on('data', onData).on('end', onClosed).on('close', onClosed).on('error', onClosed);
    socket.resume();
    judge();
  });
}
