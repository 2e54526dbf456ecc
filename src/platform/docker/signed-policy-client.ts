import { request } from 'node:http';
import { z } from 'zod';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_CHARACTERS = 2000;

const answerSchema = z.strictObject({ signed: z.boolean() });

/**
 * Asks the host, through the guard's socket, whether the user has signed the project policy whose text has this SHA-256. Rejects when there is no clear
 * answer: a policy of which that is not known is not put in force either way.
 */
export function signedPolicyThrough(socketPath: string, sha256: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const call = request(
      { socketPath, method: 'GET', path: `/fluffy/signed-policy/${sha256}`, timeout: TIMEOUT_MS },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        // A host that goes away in the middle of its answer ends it here, and nowhere else.
        response.on('error', reject);
        response.on('data', (chunk: string) => {
          text = `${text}${chunk}`.slice(0, MAX_ANSWER_CHARACTERS);
        });
        response.on('end', () => {
          const signed = signedIn(response.statusCode ?? 500, text);
          if (signed === null) reject(new Error(`the host did not say whether the policy is signed: ${text}`));
          else resolve(signed);
        });
      },
    );
    call.on('timeout', () => call.destroy(new Error('the host did not answer')));
    call.on('error', reject);
    call.end();
  });
}

function signedIn(status: number, text: string): boolean | null {
  if (status !== 200) return null;
  try {
    return answerSchema.parse(JSON.parse(text)).signed;
  } catch {
    return null;
  }
}
