import { request } from 'node:http';

/** What is asked of the host: JSON is posted where there is some, else the path is only fetched. */
export interface GuardQuestion {
  readonly path: string;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
}

export interface GuardAnswer {
  readonly status: number;
  readonly text: string;
}

/** One call of the host's own endpoints, through the guard's socket. Rejects when there is no answer, or one that is too long or breaks off. */
export function askGuard(socketPath: string, question: GuardQuestion): Promise<GuardAnswer> {
  const { path, body, timeoutMs, maxAnswerBytes } = question;
  const posted =
    body === undefined
      ? { method: 'GET' }
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        };
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path, timeout: timeoutMs, ...posted }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > maxAnswerBytes) call.destroy(new Error('the answer of the host is too long'));
        else chunks.push(chunk);
      });
      // A host that goes away in the middle of its answer ends it here, and nowhere else.
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
