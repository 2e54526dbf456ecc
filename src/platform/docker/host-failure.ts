import { FluffyError } from '../../contracts/fluffy-error.ts';
import { guardFailureSchema } from '../../contracts/sandbox/guard-api.ts';

/** The error that the host answers with, for the person who can remove its reason; null if it gives no such error. */
export function hostFailure(answer: unknown): FluffyError | null {
  const failure = guardFailureSchema.safeParse(answer);
  if (!failure.success) return null;
  const { exit_code: exitCode, ...parts } = failure.data.error;
  return new FluffyError({ ...parts, exitCode });
}
