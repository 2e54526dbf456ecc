import type { ResourceLimits, TemplateLimits } from '../../contracts/sandbox/sandbox-templates.ts';

/** Maximum of all sandboxes of one kernel together, whatever it requests. */
export interface Totals {
  readonly sandboxes: number;
  readonly memoryBytes: number;
  readonly pids: number;
}

/** More sandboxes than Fluffy's scheduler ever admits, running and waiting together. */
const MAX_SANDBOXES = 64;
/** Minimum number of places on a small machine: four operations and their standbys. */
const LARGEST_AT_ONCE = 8;

/** `hostMemoryBytes`: limits are no reservations, but together they must not exceed the machine's memory. */
export function totalsFor(caps: TemplateLimits, hostMemoryBytes: number): Totals {
  const largest = (of: (limits: ResourceLimits) => number): number => Math.max(...Object.values(caps).map(of));
  return {
    sandboxes: MAX_SANDBOXES,
    memoryBytes: Math.max(hostMemoryBytes, LARGEST_AT_ONCE * largest(({ memoryBytes }) => memoryBytes)),
    pids: Math.max(2048, LARGEST_AT_ONCE * largest(({ pids }) => pids)),
  };
}

/** Why another sandbox does not fit beside the present ones, or null. */
export function totalExceeded(
  present: readonly ResourceLimits[],
  further: ResourceLimits,
  totals: Totals,
): string | null {
  const sum = (of: (limits: ResourceLimits) => number): number =>
    present.reduce((total, limits) => total + of(limits), of(further));
  if (present.length >= totals.sandboxes) return `there are ${totals.sandboxes} sandboxes already`;
  if (sum(({ memoryBytes }) => memoryBytes) > totals.memoryBytes)
    return 'the sandboxes would have too much memory together';
  return sum(({ pids }) => pids) > totals.pids ? 'the sandboxes would have too many processes together' : null;
}
