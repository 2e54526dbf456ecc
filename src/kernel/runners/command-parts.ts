import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import { requireRunner } from './registry.ts';
import type { Runner } from './runner.ts';

/** One runner in one directory: a command without `others`. */
export type TestPart = Omit<TestCommand, 'others'>;

/** A repository can have several packages, each with a runner of its own. The user's own directory comes first. */
export function partsOf({ others = [], ...first }: TestCommand): readonly [TestPart, ...TestPart[]] {
  const { timeout_ms, max_report_bytes } = first;
  const limits = {
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
    ...(max_report_bytes === undefined ? {} : { max_report_bytes }),
  };
  return [first, ...others.map((part) => ({ ...part, ...limits }))];
}

/** The part that a path belongs to: the nearest one whose runner collects it, else the nearest. null: no part is around it. */
export function partFor(command: TestCommand, path: string): TestPart | null {
  const around = nearestFirst(command).filter((part) => isAround(part, path));
  return around.find((part) => collects(part, path)) ?? around[0] ?? null;
}

/** The runner that a path belongs to; the first one where none is around it. */
export function runnerFor(command: TestCommand, path: string): Runner {
  return requireRunner((partFor(command, path) ?? command).runner);
}

/** Why nobody can check the results of some part of it; undefined where canaries do. */
export function whyUnchecked(command: TestCommand): string | undefined {
  return partsOf(command).flatMap(({ runner }) => requireRunner(runner).unchecked ?? [])[0];
}

/** `file`: a runner of the command collects it. `inside`: it is a source, and the runner also runs tests that are written inside it. */
type Collected = 'file' | 'inside' | null;

/** How a command collects files, by their paths in the project. For many files: what depends on the command alone is worked out once. */
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

/** Whether a runner of the command collects a file, by its path in the project. */
export function collectsInProject(command: TestCommand, path: string): boolean {
  return collectedBy(command)(path) === 'file';
}

/** Whether a runner of the command also runs tests that are written inside this source. */
export function collectsInside(command: TestCommand, path: string): boolean {
  return collectedBy(command)(path) === 'inside';
}

/** Files by the part that they belong to, in the order of the parts; those around which there is none belong to the first. */
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

/** A path that the part is around, from the part's directory on. */
function within({ cwd }: TestPart, path: string): string {
  return cwd === '' ? path : path.slice(cwd.length + 1);
}
