import { readFileSync } from 'node:fs';

/** Time to wait for the stop after the signal. Time in which the process is stopped does not count. */
const STOPS_WITHIN_MS = 500;

/** Ctrl-Z: stops this process and the others of its terminal job. Resolves when it continues, or when it was not stopped. */
export function stopProcess(): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => resolve(), STOPS_WITHIN_MS);
    process.once('SIGCONT', () => {
      clearTimeout(giveUp);
      resolve();
    });
    process.kill(0, 'SIGTSTP');
  });
}

/** The data of a process in /proc. */
export interface ProcessPlace {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
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
    const [, parent, group, session] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { parent: parent ?? 0, group: group ?? 0, session: session ?? 0 };
  } catch {
    return null;
  }
}
