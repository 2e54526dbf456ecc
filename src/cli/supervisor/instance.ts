import { createHash } from 'node:crypto';

/** The name of a state directory in engine labels, so that two users, or two state directories, can each have the same project. */
export function instanceOf(stateHome: string): string {
  return createHash('sha256').update(stateHome).digest('hex').slice(0, 8);
}

/** The project's id: the first 16 hex digits of the SHA-256 of its real path. */
export function projectIdOf(projectRoot: string): string {
  return createHash('sha256').update(projectRoot).digest('hex').slice(0, 16);
}
