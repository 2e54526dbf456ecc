/**
 * A lock with one holder at a time, in the order of the requests. The release function may be called more than once.
 */
export interface Mutex {
  acquire(): Promise<() => void>;
}

export function createMutex(): Mutex {
  let tail: Promise<void> = Promise.resolve();
  return {
    acquire: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const before = tail;
      tail = promise;
      await before;
      return resolve;
    },
  };
}

/** Runs `use` as the only holder, and releases the lock on any outcome. */
export async function withLock<T>(lock: Mutex, use: () => Promise<T>): Promise<T> {
  const unlock = await lock.acquire();
  try {
    return await use();
  } finally {
    unlock();
  }
}
