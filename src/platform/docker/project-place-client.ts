import type { PlaceFinding } from '../../contracts/ports/host-services.ts';
import { placeFindingSchema } from '../../contracts/sandbox/guard-api.ts';
import { askGuard } from './ask-guard.ts';

const LIMITS = { timeoutMs: 10_000, maxAnswerBytes: 16 * 1024 };

/**
 * Asks the host what is at the project's path now; only the host can see that. Rejects if there is no readable answer.
 */
export async function placeThrough(socketPath: string): Promise<PlaceFinding> {
  const { status, text } = await askGuard(socketPath, { path: '/fluffy/project-place', ...LIMITS });
  if (status !== 200) throw new Error(`the host did not answer whether the project is still at its path: ${text}`);
  return placeFindingSchema.parse(JSON.parse(text));
}
