import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const MAX_FILES = 5000;

/** Returns the files below a directory whose names end in `extension`, a limited number of them; none if it does not exist. */
export function filesBelow(directory: string, extension: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .slice(0, MAX_FILES)
    .map((entry) => join(entry.parentPath, entry.name));
}
