import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time to wait for the stop after the signal. Time in which the process is stopped does not count. */
const STOPS_WITHIN_MS = 500;

/** After `kill` of a stopped job, the signal that ends it arrives with the one that continues it. */
const LEAVES_WITHIN_MS = 50;

/**
 * Ctrl-Z: stops this process and the others of its terminal job. Resolves when it continues in front, or when it was not stopped. If it is continued
 * in the background, where it must not use the terminal, it is stopped again. If it is to leave there, this never resolves.
 */
export async function stopProcess(isLeaving: () => boolean): Promise<void> {
  await stopped('SIGTSTP');
  while (!isInFront(placeOfProcess(process.pid))) {
    await sleep(LEAVES_WITHIN_MS);
    if (isLeaving()) await new Promise(() => undefined);
    await stopped('SIGTTOU');
  }
}

function stopped(signal: 'SIGTSTP' | 'SIGTTOU'): Promise<void> {
  return new Promise((resolve) => {
    const continued = (): void => {
      clearTimeout(giveUp);
      process.off('SIGCONT', continued);
      resolve();
    };
    const giveUp = setTimeout(continued, STOPS_WITHIN_MS);
    process.on('SIGCONT', continued);
    process.kill(0, signal);
  });
}

/** The data of a process in /proc. */
export interface ProcessPlace {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The group in front of its terminal. Not positive: there is none, or it cannot be known. */
  readonly front: number;
}

/** Whether the terminal belongs to the job of this process. An unknown place counts as in front. Pure. */
export function isInFront(place: ProcessPlace | null): boolean {
  return place === null || place.front <= 0 || place.front === place.group;
}

/**
 * Whether an ancestor process belongs to the same session but to another job: a shell, which can continue this one. Without it the system ignores the
 * stop signal, or the process stays stopped. Pure; `placeOf` is null for an unknown process, which counts as a shell.
 */
export function hasShellAbove(pid: number, placeOf: (pid: number) => ProcessPlace | null): boolean {
  const own = placeOf(pid);
  if (own === null) return true;
  for (let at = own, depth = 0; depth < 100; depth += 1) {
    const above = at.parent === 0 ? undefined : placeOf(at.parent);
    if (above === undefined) return false;
    if (above === null) return true;
    if (above.group !== own.group) return above.session === own.session;
    at = above;
  }
  return false;
}

/** Reads `/proc/<pid>/stat`; null without such a file system. */
export function placeOfProcess(pid: number): ProcessPlace | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may contain anything.
    const [, parent = 0, group = 0, session = 0, , front = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { parent, group, session, front };
  } catch {
    return null;
  }
}
