import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectDirs } from '../../../contracts/host-layout.ts';
import { makeDirectories } from '../../../lib/files/make-directories.ts';

export interface AcceptedCommands {
  has(digest: string): Promise<boolean>;
  add(digest: string): Promise<void>;
}

/** The commands of the project that the person has said yes to, by digest, a line each; beside the other files of the host, writable by its owner alone. */
export function acceptedCommands({ host }: Pick<ProjectDirs, 'host'>): AcceptedCommands {
  const file = join(host, 'accepted-commands');
  return {
    has: async (digest) => (await readFile(file, 'utf8').catch(() => '')).split('\n').includes(digest),
    add: async (digest) => {
      await makeDirectories(host, 0o700);
      await appendFile(file, `${digest}\n`, { mode: 0o600 });
    },
  };
}
