import { constants } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitDirectories } from '../contracts/git-directories.ts';
import type { PlaceFinding, ReplacedPlace } from '../contracts/ports/host-services.ts';

/** Linux: refers to a directory without permission to read it. Node has no constant for it. */
const O_PATH = 0o10000000;

/** The directories that the kernel was given, and the project's `.git`, held open: the inode of an open directory is not reused. */
export interface HeldProject {
  /** Whether the paths still lead to the held directories. */
  check(): Promise<PlaceFinding>;
  close(): Promise<void>;
}

export interface ProjectPlace {
  /** Real path of the project. */
  readonly root: string;
  readonly linked: GitDirectories | null;
  /** The directory that the kernel writes to. */
  readonly state: string;
}

interface HeldEntry {
  readonly what: ReplacedPlace['what'];
  readonly path: string;
  readonly handle: FileHandle;
}

/**
 * Holds a project and its state open. A container keeps the mounted directory, under whatever name, but the host opens the path again for each
 * sandbox. If the two differ, tests run on one tree and the commit changes another. For a linked worktree, the parts of its repository elsewhere are
 * held too.
 */
export async function holdProject({ root, linked, state }: ProjectPlace): Promise<HeldProject> {
  const held: HeldEntry[] = [];
  const close = async (): Promise<void> => {
    for (const { handle } of held.splice(0)) await handle.close();
  };
  try {
    const elsewhere = linked === null ? [] : [linked.commonDir, linked.gitDir];
    for (const path of [root, join(root, '.git'), ...elsewhere, state]) {
      const handle = await open(path, O_PATH | constants.O_NOFOLLOW).catch(ifMissing);
      if (handle !== null) held.push({ what: path === state ? 'state directory' : 'project', path, handle });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async check() {
      for (const entry of held) {
        const why = await whyOther(entry);
        if (why !== null) return { kind: 'replaced', what: entry.what, why };
      }
      return { kind: 'same' };
    },
    close,
  };
}

async function whyOther({ path, handle }: HeldEntry): Promise<string | null> {
  const [mine, now] = await Promise.all([
    handle.stat({ bigint: true }),
    lstat(path, { bigint: true }).catch(() => null),
  ]);
  if (now === null) return `${path} no longer exists: it was moved or deleted`;
  return now.dev === mine.dev && now.ino === mine.ino ? null : `${path} is another directory than before`;
}

function ifMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
