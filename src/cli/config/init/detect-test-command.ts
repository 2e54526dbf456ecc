import { join } from 'node:path';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { detectRunners } from '../../../kernel/runners/detect-runners.ts';
import type { DetectedRunner } from '../../../kernel/runners/detect-runners.ts';
import { findPackages } from './find-packages.ts';
import { belongsTo, goesThrough } from './goes-through.ts';
import { readProjectFiles } from './project-files.ts';

export interface FoundTests {
  /** The runners that the nearest directory with a sign of one speaks for, the one that its tests run with first. */
  readonly nearest: readonly DetectedRunner[];
  /** The other packages that have a runner of their own: below it, or anywhere in the repository where it is the project itself. */
  readonly others: readonly DetectedRunner[];
}

/**
 * How the tests of a project run, read from its own files: in the nearest directory that has a sign of a runner, from `cwd` up to the project, and in the
 * packages below it. Whoever begins in one package of many has its tests alone. Where no directory around `cwd` has one, all packages count, the first as the
 * nearest. Nothing is executed.
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

/** The command of a session; null: there is no sign of a runner. */
export function commandOf({ nearest: [first], others }: FoundTests): TestCommand | null {
  if (first === undefined) return null;
  if (others.length === 0 || !first.supported) return first.command;
  return { ...first.command, others: others.map(({ command: { runner, cwd, args } }) => ({ runner, cwd, args })) };
}

/** The runner of the nearest directory goes through all below it, and through all of the project from its root. */
function isInside(each: DetectedRunner, first: DetectedRunner | undefined): boolean {
  const { runner, cwd } = each.command;
  if (first?.command.runner !== runner || runner === 'go-test' || !goesThrough(first, each)) return false;
  return first.command.cwd === '' || cwd.startsWith(`${first.command.cwd}/`);
}

/** Sources alone are a sign for the outermost directory that has some, and only where nothing else is one: they are in many directories of a package. */
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
