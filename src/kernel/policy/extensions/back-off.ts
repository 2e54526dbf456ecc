const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** After this time without a failure, the next failure counts as the first. */
export const HEALTHY_AFTER_MS = 60_000;

/**
 * The wait after the nth failure in a row (n starts at 1): one second, then twice as long each time, up to a minute.
 */
export function backOffMs(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(30, Math.max(0, failures - 1)));
}
