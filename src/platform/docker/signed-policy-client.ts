import { z } from 'zod';
import { askGuard } from './ask-guard.ts';
import type { GuardAnswer } from './ask-guard.ts';

const LIMITS = { timeoutMs: 10_000, maxAnswerBytes: 2000 };

const answerSchema = z.strictObject({ signed: z.boolean() });

/**
 * Asks the host, through the guard's socket, whether the user has signed the project policy whose text has this
 * SHA-256. Rejects if there is no clear answer; then the policy is not applied either way.
 */
export async function signedPolicyThrough(socketPath: string, sha256: string): Promise<boolean> {
  const answer = await askGuard(socketPath, { path: `/fluffy/signed-policy/${sha256}`, ...LIMITS });
  const signed = signedIn(answer);
  if (signed === null) throw new Error(`the host did not say whether the policy is signed: ${answer.text}`);
  return signed;
}

function signedIn({ status, text }: GuardAnswer): boolean | null {
  if (status !== 200) return null;
  try {
    return answerSchema.parse(JSON.parse(text)).signed;
  } catch {
    return null;
  }
}
