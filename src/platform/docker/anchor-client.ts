import type { AnchorRequest } from '../../contracts/guard-api.ts';
import { askGuard } from './ask-guard.ts';

const LIMITS = { timeoutMs: 10_000, maxAnswerBytes: 64 * 1024 };

/** Asks the host, through the guard's socket, to sign the head of the audit chain. Rejects when it was not signed. */
export async function anchorThrough(socketPath: string, anchor: AnchorRequest): Promise<void> {
  const question = { path: '/fluffy/anchor', body: anchor, ...LIMITS };
  const { status, text } = await askGuard(socketPath, question);
  if (status < 300 && !text.includes('"refused"')) return;
  throw new Error(`the host did not sign the head of the audit log: ${text.slice(0, 2000)}`);
}
