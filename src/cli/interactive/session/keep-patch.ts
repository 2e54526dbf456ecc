import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectDirs } from '../../../contracts/host-layout.ts';
import { writeFileAtomic } from '../../../lib/files/atomic-file.ts';

/** Keeps a patch of dropped work beside the other files of the host, readable by its owner alone. Resolves to its path. */
export async function keepPatch(dirs: ProjectDirs, patch: string, nowMs: number): Promise<string> {
  const folder = join(dirs.host, 'dropped');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = new Date(nowMs).toISOString().replace(/[-:]/g, '').replace('.', '-');
  const file = join(folder, `${time}.patch`);
  await writeFileAtomic(file, patch, { mode: 0o600 });
  return file;
}
