import { join } from 'node:path';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { detectRunners } from '../../../kernel/runners/detect-runners.ts';
import type { DetectedRunner } from '../../../kernel/runners/detect-runners.ts';
import { findPackages } from './find-packages.ts';
import { belongsTo, goesThrough } from './goes-through.ts';
import { readProjectFiles } from './project-files.ts';

export interface FoundTests {
  /** The runners that the nearest directory with a sign of one suggests; the first one runs its tests. */
  readonly nearest: readonly DetectedRunner[];
  /** The other packages with a runner of their own: below it, or anywhere in the repository if it is the project itself. */
  readonly others: readonly DetectedRunner[];
}

/**
 * How the tests of a project run, detected from its own files: in the nearest directory with a sign of a runner, from `cwd` up to the project root,
 * and in the packages below it. A session that starts in one package of many runs only its tests. If no directory around `cwd` has a runner, all
 * packages count, the first as the nearest. Nothing is executed.
 */
export function findTests(projectRoot: string, cwd: string): FoundTests {
  const nearest = nearestRunners(projectRoot, cwd);
  const packages = findPackages(projectRoot);
  const [first] = nearest.length > 0 ? nearest : packages;
  const around = nearest[0] === undefined || nearest[0].command.cwd === '' ? '' : `${nearest[0].command.cwd}/`;
  const others = packages.filter(
    (each) => each.command.cwd.startsWith(around) && each.command.cwd !== first?.command.cwd && !isInside(each, first),
  );
  return { nearest: nearest.length > 0 ? nearest : packages.slice(0, 1), others };
}

/** The command of a session; null if no runner was found. */
export function commandOf({ nearest: [first], others }: FoundTests): TestCommand | null {
  if (first === undefined) return null;
  if (others.length === 0 || !first.supported) return first.command;
  return { ...first.command, others: others.map(({ command: { runner, cwd, args } }) => ({ runner, cwd, args })) };
}

/** The runner of the nearest directory covers everything below it; in the project root it covers the whole project. */
function isInside(each: DetectedRunner, first: DetectedRunner | undefined): boolean {
  const { runner, cwd } = each.command;
  if (first?.command.runner !== runner || runner === 'go-test' || !goesThrough(first, each)) return false;
  return first.command.cwd === '' || cwd.startsWith(`${first.command.cwd}/`);
}

/**
 * Sources alone indicate a runner only for the outermost directory that has some, and only without another sign, because they are in many directories
 * of a package.
 */
function nearestRunners(projectRoot: string, cwd: string): readonly DetectedRunner[] {
  const parts = cwd === '' ? [] : cwd.split('/');
  const around = parts.map((_, index) => parts.slice(0, parts.length - index).join('/')).concat('');
  const found = around.map((directory) => detectRunners(readProjectFiles(join(projectRoot, directory)), directory));
  const isOwn = ([first]: readonly DetectedRunner[], place: number): boolean =>
    first !== undefined &&
    first.strength !== 'sources' &&
    !found.slice(place + 1).some(([above]) => above !== undefined && belongsTo(above, first));
  return found.find(isOwn) ?? found.findLast(([first]) => first !== undefined) ?? [];
}
