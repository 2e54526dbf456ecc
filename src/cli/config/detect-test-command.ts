import { join } from 'node:path';
import { detectRunners } from '../../kernel/runners/detect-runners.ts';
import type { DetectedRunner } from '../../kernel/runners/detect-runners.ts';
import { readProjectFiles } from './project-files.ts';

/**
 * The runners that a project's own files speak for, read from the nearest directory that has a sign of one, from `cwd` up to the project; the one that its
 * tests run with first. Nothing is executed. Empty: there is no sign of a runner.
 */
export function detectTestCommand(projectRoot: string, cwd: string): readonly DetectedRunner[] {
  const parts = cwd === '' ? [] : cwd.split('/');
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const directory = parts.slice(0, depth).join('/');
    const found = detectRunners(readProjectFiles(join(projectRoot, directory)), directory);
    if (found.length > 0) return found;
  }
  return [];
}
