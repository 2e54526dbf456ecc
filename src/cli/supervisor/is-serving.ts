import { createConnection } from 'node:net';

/** Whether a process listens on a socket. */
export function isServing(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection({ path });
    const answer = (serving: boolean): void => {
      probe.destroy();
      resolve(serving);
    };
    probe.once('connect', () => answer(true));
    probe.once('error', () => answer(false));
  });
}
