import { request } from 'node:http';
import type { AnchorRequest } from '../../contracts/guard-api.ts';

const TIMEOUT_MS = 10_000;

/** Asks the host, through the guard's socket, to sign the head of the audit chain. Rejects when it was not signed. */
export function anchorThrough(socketPath: string, anchor: AnchorRequest): Promise<void> {
  const body = JSON.stringify(anchor);
  return new Promise((resolve, reject) => {
    const call = request(
      {
        socketPath,
        method: 'POST',
        path: '/fluffy/anchor',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        timeout: TIMEOUT_MS,
      },
      (response) => {
        response.resume();
        response.on('end', () => {
          if ((response.statusCode ?? 500) < 300) resolve();
          else reject(new Error(`the host did not sign the head of the audit log (${response.statusCode ?? 0})`));
        });
      },
    );
    call.on('timeout', () => call.destroy(new Error('the host did not answer')));
    call.on('error', reject);
    call.end(body);
  });
}
