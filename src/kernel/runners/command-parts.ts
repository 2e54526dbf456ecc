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
  const around = partsOf(command)
    .filter(({ cwd }) => cwd === '' || path.startsWith(`${cwd}/`))
    .toSorted((one, other) => other.cwd.length - one.cwd.length);
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

/** Whether a runner of the command collects a file, by its path in the project. */
export function collectsInProject(command: TestCommand, path: string): boolean {
  const part = partFor(command, path);
  return part !== null && collects(part, path);
}

/** Whether a runner of the command also runs tests that are written inside this source. */
export function collectsInside(command: TestCommand, path: string): boolean {
  const part = partFor(command, path);
  if (part === null || collects(part, path)) return false;
  const prefix = part.cwd === '' ? '' : `${part.cwd}/`;
  return requireRunner(part.runner).collectsInside?.(path.slice(prefix.length)) === true;
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

function collects(part: TestPart, path: string): boolean {
  const prefix = part.cwd === '' ? '' : `${part.cwd}/`;
  return path.startsWith(prefix) && requireRunner(part.runner).collects(path.slice(prefix.length), part);
}
