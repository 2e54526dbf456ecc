import { readdirSync } from 'node:fs';
import { dirname, basename, join } from 'node:path';
import type { ProjectFiles } from '../../../kernel/runners/runner.ts';
import { readRegularTextSync } from '../../../lib/files/read-regular-file.ts';

const MAX_BYTES = 1024 * 1024;
const DISK = { readdirSync, readText };

/**
 * A directory of a project on disk, for the detection of test runners, with a cache. The runners check much the same files, most of which do not
 * exist: a directory is listed once, a file is read once, and a file that no listing contains costs nothing.
 */
export function readProjectFiles(root: string, disk = DISK): ProjectFiles {
  const listings = new Map<string, ReadonlySet<string>>();
  const texts = new Map<string, string>();

  const listing = (path: string): ReadonlySet<string> => {
    const known = listings.get(path);
    if (known !== undefined) return known;
    const listed = new Set(path === '' || isListed(path) ? list(join(root, path), disk) : []);
    listings.set(path, listed);
    return listed;
  };
  const isListed = (path: string): boolean => {
    const parent = dirname(path);
    return listing(parent === '.' ? '' : parent).has(basename(path));
  };

  return {
    has: (name) => listing('').has(name),
    names: (path) => [...listing(path)],
    text: (path) => {
      const known = texts.get(path);
      if (known !== undefined) return known;
      const text = isListed(path) ? disk.readText(join(root, path)) : '';
      texts.set(path, text);
      return text;
    },
  };
}

function list(directory: string, disk: typeof DISK): readonly string[] {
  try {
    return disk.readdirSync(directory);
  } catch {
    return [];
  }
}

/** A link could lead to any file of the user. */
function readText(file: string): string {
  return readRegularTextSync(file, { maxBytes: MAX_BYTES, links: 'refused' }) ?? '';
}
