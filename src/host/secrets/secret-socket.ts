import { listen } from '../../ipc/index.ts';

export interface SecretSocket {
  /** Removes the socket; a grant that was not fetched is dropped. */
  close(): Promise<void>;
}

/**
 * Opens a Unix socket that sends `grant` to the first connection only, as JSON up to the end of the stream. `directory` belongs to the host and is
 * mounted into one sandbox only, so the first client is that sandbox's program. If another process had been faster, the program would get nothing and
 * report it. Throws like `listen`.
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
