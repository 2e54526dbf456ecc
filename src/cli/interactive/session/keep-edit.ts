import { mkdtemp, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ProjectDirs } from '../../../contracts/host-layout.ts';
import { makeDirectories } from '../../../lib/files/make-directories.ts';

/**
 * Stores a person's text from an editor that could not be used, beside the other files of the host, readable only by its owner. Resolves to the file.
 */
export async function keepEdit(dirs: Pick<ProjectDirs, 'host'>, name: string, bytes: Uint8Array): Promise<string> {
  const folder = join(dirs.host, 'edits');
  await makeDirectories(folder, 0o700);
  const file = join(await mkdtemp(join(folder, 'edit-')), basename(name));
  await writeFile(file, bytes, { mode: 0o600, flag: 'wx' });
  return file;
}
