import { join } from 'node:path';
import type { ProjectDirs } from '../../../contracts/host-layout.ts';
import { writeFileAtomic } from '../../../lib/files/atomic-file.ts';
import { makeDirectories } from '../../../lib/files/make-directories.ts';

interface KeptKind {
  readonly folder: string;
  /** The file's extension, with its dot. */
  readonly ending: string;
}

export const DROPPED_PATCH: KeptKind = { folder: 'dropped', ending: '.patch' };
export const FEEDBACK: KeptKind = { folder: 'feedback', ending: '.md' };
export const PASTED_IMAGE: KeptKind = { folder: 'pasted', ending: '.png' };

/** Stores a file beside the other files of the host, named by the time and readable only by its owner. Resolves to its path. */
export async function keepByTime(
  dirs: Pick<ProjectDirs, 'host'>,
  { folder, ending }: KeptKind,
  content: string | Uint8Array,
  nowMs: number,
): Promise<string> {
  const directory = join(dirs.host, folder);
  await makeDirectories(directory, 0o700);
  const time = new Date(nowMs).toISOString().replace(/[-:]/g, '').replace('.', '-');
  const file = join(directory, `${time}${ending}`);
  await writeFileAtomic(file, content, { mode: 0o600 });
  return file;
}
