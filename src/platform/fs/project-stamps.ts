import type { Clock } from '../../contracts/ports/clock.ts';

/** Walks the project and returns a digest of its state. Two equal digests mean that nobody changed it in between. */
export type TakeStamp = () => Promise<string>;

export interface ProjectStamps {
  /**
   * The state before an operation: the last stamp if it is recent, else a new one. A change between that stamp and the
   * operation makes the operation void, like a change during it.
   */
  before(take: TakeStamp): Promise<string>;
  /**
   * The state after an operation, from a walk that starts after the call. Operations that wait for the same walk share
   * it.
   */
  after(take: TakeStamp): Promise<string>;
}

/**
 * Longer than the time between two observations of one change; shorter than a person needs for an edit between two
 * runs.
 */
const YOUNG_MS = 2_000;

/**
 * Shared by all workspaces of a project. Each walk costs an `lstat` for every file, and a change is proved by about
 * twenty operations: the state after one of them is the state before the next.
 */
export function createProjectStamps(clock: Pick<Clock, 'monotonicMs'>): ProjectStamps {
  let last: { readonly stamp: string; readonly begunMs: number } | null = null;
  let underWay: Promise<unknown> = Promise.resolve();
  let following: Promise<string> | null = null;

  const walk = async (take: TakeStamp): Promise<string> => {
    following = null;
    const begunMs = clock.monotonicMs();
    const stamp = await take();
    last = { stamp, begunMs };
    return stamp;
  };

  const after = (take: TakeStamp): Promise<string> => {
    following ??= underWay.then(() => {
      const walking = walk(take);
      underWay = walking.catch(() => undefined);
      return walking;
    });
    return following;
  };

  return {
    after,
    before: async (take) =>
      last !== null && clock.monotonicMs() - last.begunMs < YOUNG_MS ? last.stamp : await after(take),
  };
}
