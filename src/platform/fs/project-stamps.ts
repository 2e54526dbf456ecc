import type { Clock } from '../../contracts/ports/clock.ts';

/** Walks the project and returns a digest of its state. Two equal ones mean that nobody changed it in between. */
export type TakeStamp = () => Promise<string>;

export interface ProjectStamps {
  /**
   * The state before an operation: the last stamp where it is young enough, else a new one. What somebody changes between that stamp and the
   * operation makes the operation void, as a change under it does.
   */
  before(take: TakeStamp): Promise<string>;
  /** The state after an operation, from a walk that begins after the call. Operations that wait for the same walk share it. */
  after(take: TakeStamp): Promise<string>;
}

/** Longer than from one observation of the same change to the next; shorter than a person takes for an edit between two runs. */
const YOUNG_MS = 2_000;

/**
 * One for all workspaces of a project. Each walk costs an `lstat` for every file, and a change is proved by some twenty operations: the state
 * after one of them is that before the next.
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
