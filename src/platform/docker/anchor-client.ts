import { request } from 'node:http';
import type { AnchorRequest } from '../../contracts/guard-api.ts';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_CHARACTERS = 2000;

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
        let answer = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          answer = `${answer}${chunk}`.slice(0, MAX_ANSWER_CHARACTERS);
        });
        response.on('end', () => {
          if ((response.statusCode ?? 500) < 300 && !answer.includes('"refused"')) resolve();
          else reject(new Error(`the host did not sign the head of the audit log: ${answer}`));
        });
      },
    );
    call.on('timeout', () => call.destroy(new Error('the host did not answer')));
    call.on('error', reject);
    call.end(body);
  });
}
