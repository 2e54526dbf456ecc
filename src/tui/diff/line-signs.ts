import type { Ground, Role } from '../text/span.ts';
import type { DiffLine } from './read-diff.ts';

/** How a line of a change is marked, on each of its rows. */
export const SIGNS = {
  added: { sign: '+', role: 'good', ground: 'added' },
  removed: { sign: '-', role: 'bad', ground: 'removed' },
  context: { sign: ' ', role: 'dim', ground: undefined },
  remark: { sign: ' ', role: 'dim', ground: undefined },
} as const satisfies Record<DiffLine['kind'], { sign: string; role: Role; ground: Ground | undefined }>;
