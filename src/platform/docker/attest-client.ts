import { attestAnswerSchema, MAX_ENVELOPE_BYTES } from '../../contracts/evidence.ts';
import type { AttestAnswer, AttestRequest } from '../../contracts/evidence.ts';
import { postToGuard } from './post-to-guard.ts';

const LIMITS = { timeoutMs: 15_000, maxAnswerBytes: MAX_ENVELOPE_BYTES + 4096 };

/** Asks the host, through the guard's socket, to attest a commit. Rejects when there is no answer that can be read. */
export async function attestThrough(socketPath: string, wanted: AttestRequest): Promise<AttestAnswer> {
  const { status, text } = await postToGuard(socketPath, '/fluffy/attest', JSON.stringify(wanted), LIMITS);
  if (status !== 200) throw new Error(`the host did not attest the commit: ${text.slice(0, 500)}`);
  return attestAnswerSchema.parse(JSON.parse(text));
}
