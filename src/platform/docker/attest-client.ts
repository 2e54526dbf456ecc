import { attestAnswerSchema, MAX_ENVELOPE_BYTES } from '../../contracts/review/evidence.ts';
import type { AttestAnswer, AttestRequest } from '../../contracts/review/evidence.ts';
import { askGuard } from './ask-guard.ts';

const LIMITS = { timeoutMs: 15_000, maxAnswerBytes: MAX_ENVELOPE_BYTES + 4096 };

/** Asks the host, through the guard's socket, to attest a commit. Rejects if there is no readable answer. */
export async function attestThrough(socketPath: string, wanted: AttestRequest): Promise<AttestAnswer> {
  const question = { path: '/fluffy/attest', body: wanted, ...LIMITS };
  const { status, text } = await askGuard(socketPath, question);
  if (status !== 200) throw new Error(`the host did not attest the commit: ${text.slice(0, 500)}`);
  return attestAnswerSchema.parse(JSON.parse(text));
}
