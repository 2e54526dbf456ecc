import { createHash } from 'node:crypto';

/** Names the state directory in engine labels: two users, or two state directories, may have one project each for themselves. */
export function instanceOf(stateHome: string): string {
  return createHash('sha256').update(stateHome).digest('hex').slice(0, 8);
}

/** The project's id: the first 16 hex digits of the SHA-256 of its real path. */
export function projectIdOf(projectRoot: string): string {
  return createHash('sha256').update(projectRoot).digest('hex').slice(0, 16);
}
