import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectDirs } from '../../../contracts/host-layout.ts';
import { makeDirectories } from '../../../lib/files/make-directories.ts';

export interface AcceptedCommands {
  has(digest: string): Promise<boolean>;
  add(digest: string): Promise<void>;
}

/** The project's commands that the person has accepted, by digest, one a line; beside the other files of the host, writable only by its owner. */
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
