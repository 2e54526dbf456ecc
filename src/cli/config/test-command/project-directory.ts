import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_BYTES = 1024 * 1024;

/** A directory of a project, read as text. What is missing, too large or no plain file is empty. */
export interface ProjectDirectory {
  /** Whether it holds an entry of that name. */
  has(name: string): boolean;
  /** Names in a directory below it; '' is itself. */
  names(path: string): Promise<readonly string[]>;
  text(path: string): Promise<string>;
}

export async function readProjectDirectory(root: string): Promise<ProjectDirectory> {
  const names = (path: string) => readdir(join(root, path)).catch(() => [] as string[]);
  const own = await names('');
  return {
    has: (name) => own.includes(name),
    names,
    text: async (path) => {
      const file = join(root, path);
      try {
        // A link could lead to anything of the user's.
        const state = await lstat(file);
        return state.isFile() && state.size <= MAX_BYTES ? await readFile(file, 'utf8') : '';
      } catch {
        return '';
      }
    },
  };
}
