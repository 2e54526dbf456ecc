import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectFiles } from '../../kernel/runners/runner.ts';

const MAX_BYTES = 1024 * 1024;

/** A directory of a project on the disk, for the detection of test runners. */
export function readProjectFiles(root: string): ProjectFiles {
  const names = (path: string): readonly string[] => {
    try {
      return readdirSync(join(root, path));
    } catch {
      return [];
    }
  };
  const own = new Set(names(''));
  return {
    has: (name) => own.has(name),
    names,
    text: (path) => {
      const file = join(root, path);
      try {
        // A link could lead to any file of the user's.
        const state = lstatSync(file);
        return state.isFile() && state.size <= MAX_BYTES ? readFileSync(file, 'utf8') : '';
      } catch {
        return '';
      }
    },
  };
}
