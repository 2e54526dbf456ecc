import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { detectRunners } from '../../../kernel/runners/detect-runners.ts';
import type { DetectedRunner } from '../../../kernel/runners/detect-runners.ts';
import { belongsTo, goesThrough } from './goes-through.ts';
import { readProjectFiles } from './project-files.ts';

const MAX_DEPTH = 3;
const MAX_DIRECTORIES = 2_000;
const MAX_PACKAGES = 30;
/** Third-party code, build output, and test data. */
const LEFT_OUT =
  /^(?:\..*|_.*|node_modules|vendor|third_party|venv|target|dist|build|out|testdata|fixtures|__fixtures__)$/;

/**
 * The packages of a repository with a runner of their own, from the root down; nothing is executed, no link is followed. A directory below one with
 * the same runner belongs to that one, because its runner covers all directories. Only Go's does not enter another module, unless a workspace has
 * both.
 */
export function findPackages(projectRoot: string): readonly DetectedRunner[] {
  const found: DetectedRunner[] = [];
  let level = [''];
  let visited = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const directory of level) {
      if ((visited += 1) > MAX_DIRECTORIES || found.length >= MAX_PACKAGES) return found;
      const [first] = detectRunners(readProjectFiles(join(projectRoot, directory)), directory).filter(
        ({ supported, strength }) => supported && strength !== 'language' && strength !== 'sources',
      );
      if (first !== undefined && !isCovered(first, found, projectRoot)) found.push(first);
      next.push(...directoriesIn(projectRoot, directory));
    }
    level = next;
  }
  return found;
}

function isCovered(below: DetectedRunner, found: readonly DetectedRunner[], projectRoot: string): boolean {
  const { command } = below;
  const above = found.filter((each) => each.command.cwd === '' || command.cwd.startsWith(`${each.command.cwd}/`));
  return above.some((each) => {
    const { runner, cwd } = each.command;
    // These runners also run unittest cases, so in their projects unittest is no package of its own.
    if ((runner === 'pytest' || runner === 'django-test') && command.runner === 'unittest') return true;
    if (belongsTo(each, below)) return true;
    if (runner !== command.runner || !goesThrough(each, below)) return false;
    return runner !== 'go-test' || readProjectFiles(join(projectRoot, cwd)).has('go.work');
  });
}

function directoriesIn(projectRoot: string, directory: string): string[] {
  const path = join(projectRoot, directory);
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !LEFT_OUT.test(entry.name))
      .map(({ name }) => name)
      .sort()
      .map((name) => (directory === '' ? name : `${directory}/${name}`));
  } catch {
    return [];
  }
}
