import { constants } from 'node:fs';
import { mkdir, open, readdir, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxIdSchema } from '../../contracts/ids.ts';
import type { SandboxId } from '../../contracts/ids.ts';
import type { ReportOutcome, SandboxDirectories } from '../../contracts/ports/sandbox-directories.ts';
import { exceedsBounds } from './directory-usage.ts';
import { removeHostileTree } from './remove-hostile-tree.ts';
import { makeDirectory } from '../fs/make-directory.ts';

export interface SandboxDirectoriesOptions {
  /** /var/lib/fluffy in L1: contains out/. */
  readonly stateDir: string;
  /** /run/fluffy in L1: contains sbx/. */
  readonly runDir: string;
}

const SOCKET_NAME = 'kernel.sock';
const PLAIN_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,200}$/;

/**
 * The port on the real file system. Everything belongs to the uid that kernel and sandboxes share, and no other user
 * has access.
 */
export function createSandboxDirectories({ stateDir, runDir }: SandboxDirectoriesOptions): SandboxDirectories {
  const parents = { sockets: join(runDir, 'sbx'), out: join(stateDir, 'out') };
  const make = async (parent: string, sandbox: SandboxId): Promise<string> => {
    makeDirectory(parent);
    const path = join(parent, sandbox);
    await mkdir(path, { mode: 0o700 });
    return path;
  };
  return {
    createSocket: async (sandbox) => join(await make(parents.sockets, sandbox), SOCKET_NAME),

    createJob: async (sandbox, files) => {
      for (const { name } of files) checkName(name);
      const job = await make(parents.out, sandbox);
      for (const { name, content } of files) await writeFile(join(job, name), content, { mode: 0o400, flag: 'wx' });
    },

    readReport: (sandbox, name, maxBytes) => {
      checkName(name);
      return readReport(join(parents.out, sandbox, name), maxBytes);
    },

    outUsage: async (sandbox, bounds) =>
      (await exceedsBounds(join(parents.out, sandbox), bounds, 'exceeds')) ? 'exceeded' : 'within',

    remove: async (sandbox) => {
      const results = await Promise.allSettled(
        Object.values(parents).map((parent) => removeHostileTree(join(parent, sandbox))),
      );
      const failures = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
      if (failures.length > 0) throw new AggregateError(failures, `directories of ${sandbox} could not be removed`);
    },

    list: async () => {
      const names = await Promise.all(
        Object.values(parents).map((parent) => readdir(parent).catch((): string[] => [])),
      );
      const ids = names.flat().flatMap((name) => {
        const id = sandboxIdSchema.safeParse(name);
        return id.success ? [id.data] : [];
      });
      return [...new Set(ids)].sort();
    },
  };
}

/** Names come from the kernel itself; a name that could leave its directory is a bug. */
function checkName(name: string): void {
  if (!PLAIN_NAME.test(name)) throw new Error(`not a plain file name: ${JSON.stringify(name)}`);
}

async function readReport(path: string, maxBytes: number): Promise<ReportOutcome> {
  let handle: FileHandle;
  try {
    // O_NONBLOCK: opening a pipe without a writer would wait for ever.
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT') return { kind: 'missing' };
    // A link, a socket, or a file or directory without permissions.
    if (code === 'ELOOP' || code === 'ENXIO' || code === 'EACCES') return { kind: 'not-a-file' };
    throw error;
  }
  try {
    if (!(await handle.stat()).isFile()) return { kind: 'not-a-file' };
    const bytes = await readUpTo(handle, maxBytes + 1);
    return { kind: 'read', bytes: bytes.subarray(0, maxBytes), truncated: bytes.length > maxBytes };
  } finally {
    await handle.close();
  }
}

/**
 * The size from stat may be wrong by the time of reading (a sparse file of a terabyte): only the requested part is
 * read.
 */
async function readUpTo(handle: FileHandle, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < maxBytes) {
    const buffer = Buffer.allocUnsafe(Math.min(64 * 1024, maxBytes - total));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) break;
    chunks.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
  }
  return Buffer.concat(chunks, total);
}
