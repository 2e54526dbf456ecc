import type { EgressAttempt } from '../../contracts/sandbox/package-managers.ts';
import type { EgressEvent } from './egress-event.ts';

export interface AttemptLog {
  readonly note: (event: EgressEvent) => void;
  readonly attempts: () => readonly EgressAttempt[];
}

/** Maximum number of different attempts: a sandbox that tries everything must not fill the host's memory. */
const MAX_ATTEMPTS = 200;

/** The connections that one sandbox has requested, each kind once with its count, in the order of the first. */
export function attemptLog(): AttemptLog {
  const seen = new Map<string, EgressAttempt>();
  let left = 0;
  const add = (attempt: Omit<EgressAttempt, 'count'>, count = 1): void => {
    const key = JSON.stringify([attempt.target, attempt.outcome, attempt.reason]);
    const before = seen.get(key);
    if (before === undefined && seen.size >= MAX_ATTEMPTS) left += count;
    else seen.set(key, { ...attempt, count: (before?.count ?? 0) + count });
  };
  return {
    note: (event) => {
      switch (event.kind) {
        case 'allowed':
          return add({ target: `${event.host}:${event.port}`, outcome: 'allowed' });
        case 'refused':
          return add({ target: event.target, outcome: 'refused', reason: event.reason });
        case 'unreachable':
          return add({ target: `${event.host}:${event.port}`, outcome: 'unreachable', reason: event.reason });
        case 'suppressed':
          left += event.count;
          return;
        case 'closed':
          return;
      }
    },
    attempts: () => [
      ...seen.values(),
      ...(left === 0 ? [] : [{ target: '', outcome: 'refused' as const, reason: 'more than are listed', count: left }]),
    ],
  };
}
