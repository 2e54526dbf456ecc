const LOOK_EVERY_MS = 1_000;

/** Looks at what a program has written while it runs, and once more when it has ended. What cannot be read yet is looked at again. */
export async function whileRunning<T>(running: Promise<T>, look: () => void): Promise<T> {
  const attempt = (): void => {
    try {
      look();
    } catch {
      // A file that is about to be written, or to be removed.
    }
  };
  const timer = setInterval(attempt, LOOK_EVERY_MS);
  try {
    return await running;
  } finally {
    clearInterval(timer);
    attempt();
  }
}
