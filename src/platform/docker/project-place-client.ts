import type { PlaceFinding } from '../../contracts/ports/host-services.ts';
import { placeFindingSchema } from '../../contracts/sandbox/guard-api.ts';
import { askGuard } from './ask-guard.ts';

const LIMITS = { timeoutMs: 10_000, maxAnswerBytes: 16 * 1024 };

/** Asks the host, which alone sees what is at the project's path by now. Rejects when there is no answer that can be read. */
export async function placeThrough(socketPath: string): Promise<PlaceFinding> {
  const { status, text } = await askGuard(socketPath, { path: '/fluffy/project-place', ...LIMITS });
  if (status !== 200) throw new Error(`the host did not answer whether the project is still at its path: ${text}`);
  return placeFindingSchema.parse(JSON.parse(text));
}
