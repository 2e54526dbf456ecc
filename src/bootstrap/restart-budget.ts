/** How often, and how soon, a crashed kernel is started again. */
export interface RestartPolicy {
  readonly maxRestarts: number;
  readonly windowMs: number;
  /** Pause before the first restart; doubled for each further one in the window. */
  readonly backoffMs: number;
}

export type RestartDecision =
  | { readonly kind: 'restart'; readonly afterMs: number; readonly restarts: readonly number[] }
  | { readonly kind: 'give-up' };

/**
 * Pure. `restarts` are the moments of earlier restarts on a monotonic clock; the decision carries the list to remember.
 */
export function decideRestart(restarts: readonly number[], nowMs: number, policy: RestartPolicy): RestartDecision {
  const recent = restarts.filter((at) => nowMs - at < policy.windowMs);
  if (recent.length >= policy.maxRestarts) return { kind: 'give-up' };
  return { kind: 'restart', afterMs: policy.backoffMs * 2 ** recent.length, restarts: [...recent, nowMs] };
}
