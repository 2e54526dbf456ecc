import { request } from 'node:http';

/** The answer to one call of the guard: `text` is cut at `maxBytes`. */
export interface GuardAnswer {
  readonly status: number;
  readonly text: string;
}

/** Posts JSON to the host, through the guard's socket. Rejects when there is no answer, or one that is too long. */
export function postToGuard(
  socketPath: string,
  path: string,
  body: string,
  limits: { readonly timeoutMs: number; readonly maxAnswerBytes: number },
): Promise<GuardAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const call = request({ socketPath, method: 'POST', path, headers, timeout: limits.timeoutMs }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > limits.maxAnswerBytes) call.destroy(new Error('the answer of the host is too long'));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 500, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    call.on('timeout', () => call.destroy(new Error('the host did not answer')));
    call.on('error', reject);
    call.end(body);
  });
}
