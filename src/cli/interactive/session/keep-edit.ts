import { mkdtemp, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ProjectDirs } from '../../../contracts/host-layout.ts';
import { makeDirectories } from '../../../lib/files/make-directories.ts';

/** Keeps what a person has written in an editor and what could not be used, beside the other files of the host and readable by its owner alone. Resolves to the file. */
export async function keepEdit(dirs: Pick<ProjectDirs, 'host'>, name: string, bytes: Uint8Array): Promise<string> {
  const folder = join(dirs.host, 'edits');
  await makeDirectories(folder, 0o700);
  const file = join(await mkdtemp(join(folder, 'edit-')), basename(name));
  await writeFile(file, bytes, { mode: 0o600, flag: 'wx' });
  return file;
}
