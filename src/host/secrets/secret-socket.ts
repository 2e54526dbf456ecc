import { listen } from '../../ipc/index.ts';

export interface SecretSocket {
  /** Removes the socket; what was not fetched stays here. */
  close(): Promise<void>;
}

/**
 * Opens a Unix socket that hands `grant` to the first connection, as JSON up to the end of the stream, and to nobody after it.
 * `directory` is the host's own and mounted into one sandbox alone, so who asks first is that sandbox's program; if somebody
 * else had been faster, the program would find nothing and say so. Throws as `listen` does.
 */
export async function openSecretSocket(
  socketPath: string,
  grant: object,
  onHandedOver: () => void,
): Promise<SecretSocket> {
  return await listen(socketPath, {
    mode: 0o600,
    maxTotal: 1,
    onConnection: (socket) => {
      socket.end(JSON.stringify(grant));
      socket.resume();
      onHandedOver();
    },
  });
}
