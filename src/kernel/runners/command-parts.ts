import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import { requireRunner } from './registry.ts';
import type { Runner } from './runner.ts';

/** A command without `others`: one runner in one directory. */
export type TestPart = Omit<TestCommand, 'others'>;

/**
 * Returns the parts of a command: a repository can have several packages with different runners. The user's own
 * directory comes first.
 */
export function partsOf({ others = [], ...first }: TestCommand): readonly [TestPart, ...TestPart[]] {
  const { timeout_ms, max_report_bytes } = first;
  const limits = {
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
    ...(max_report_bytes === undefined ? {} : { max_report_bytes }),
  };
  return [first, ...others.map((part) => ({ ...part, ...limits }))];
}

/**
 * Returns the part that a path belongs to: the nearest one whose runner collects it, or else the nearest one. null if
 * no part contains the path.
 */
export function partFor(command: TestCommand, path: string): TestPart | null {
  const around = nearestFirst(command).filter((part) => isAround(part, path));
  return around.find((part) => collects(part, path)) ?? around[0] ?? null;
}

/** Returns the runner of the part that contains the path, or the first runner. */
export function runnerFor(command: TestCommand, path: string): Runner {
  return requireRunner((partFor(command, path) ?? command).runner);
}

/** Returns why results of the command cannot be checked; undefined if all its runners have canaries. */
export function whyUnchecked(command: TestCommand): string | undefined {
  return partsOf(command).flatMap(({ runner }) => requireRunner(runner).unchecked ?? [])[0];
}

/**
 * `file`: a runner of the command collects the file. `inside`: it is a source, and the runner also runs tests inside
 * sources.
 */
type Collected = 'file' | 'inside' | null;

/**
 * Returns a function that says how a command collects a project path. Use it for many files: work that depends only on
 * the command is done once.
 */
export function collectedBy(command: TestCommand): (path: string) => Collected {
  const parts = nearestFirst(command);
  return (path) => {
    let nearest: TestPart | null = null;
    for (const part of parts) {
      if (!isAround(part, path)) continue;
      if (collects(part, path)) return 'file';
      nearest ??= part;
    }
    return nearest !== null && requireRunner(nearest.runner).collectsInside?.(within(nearest, path)) === true
      ? 'inside'
      : null;
  };
}

/** Returns whether a runner of the command collects a file, by its project path. */
export function collectsInProject(command: TestCommand, path: string): boolean {
  return collectedBy(command)(path) === 'file';
}

/** Returns whether a runner of the command runs tests inside this source. */
export function collectsInside(command: TestCommand, path: string): boolean {
  return collectedBy(command)(path) === 'inside';
}

/** Groups files by part, in the order of the parts. Files that no part contains belong to the first part. */
export function filesByPart(
  command: TestCommand,
  files: readonly string[],
): readonly { readonly part: TestPart; readonly files: readonly string[] }[] {
  const parts = partsOf(command);
  const keyOf = ({ runner, cwd }: TestPart): string => `${runner}\0${cwd}`;
  const groups = Map.groupBy(files, (file) => keyOf(partFor(command, file) ?? command));
  return parts.flatMap((part) => {
    const own = groups.get(keyOf(part));
    return own === undefined ? [] : [{ part, files: own }];
  });
}

function nearestFirst(command: TestCommand): readonly TestPart[] {
  return partsOf(command).toSorted((one, other) => other.cwd.length - one.cwd.length);
}

function isAround({ cwd }: TestPart, path: string): boolean {
  return cwd === '' || path.startsWith(`${cwd}/`);
}

function collects(part: TestPart, path: string): boolean {
  return isAround(part, path) && requireRunner(part.runner).collects(within(part, path), part);
}

/** The path relative to the directory of the part. */
function within({ cwd }: TestPart, path: string): string {
  return cwd === '' ? path : path.slice(cwd.length + 1);
}
