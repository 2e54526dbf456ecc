import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { objectIdSchema } from '../../contracts/ids.ts';
import type { UserDirs } from '../../contracts/host-layout.ts';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';

/** Tells a directory from every other of its file system, under whatever name: an inode is used again, but not with the time it was made. */
const markSchema = z.strictObject({ inode: z.string(), born_ns: z.string() });
export type DirectoryMark = z.infer<typeof markSchema>;

const recordSchema = z.strictObject({
  version: z.literal(1),
  /** Where the repository was when a kernel was last started for it. */
  path: z.string().startsWith('/'),
  mark: markSchema,
  /** HEAD at the first start, and at the last: another clone of the repository has the one or the other. */
  seen: z.strictObject({ first: objectIdSchema, last: objectIdSchema }).nullable(),
});

/** `host/project.json`: which repository the state in this directory belongs to. */
export type StateRecord = z.infer<typeof recordSchema>;

export interface RecordedState {
  readonly id: string;
  /** Null for the state of an earlier version, and for one whose record cannot be read. */
  readonly record: StateRecord | null;
}

export function stateRecordPath(host: string): string {
  return join(host, 'project.json');
}

/** Every state that the user has. */
export async function readStates({ stateHome }: Pick<UserDirs, 'stateHome'>): Promise<readonly RecordedState[]> {
  const projects = join(stateHome, 'projects');
  const ids = await readdir(projects).catch(() => []);
  return Promise.all(
    ids
      .filter((id) => /^[0-9a-f]{16}$/.test(id))
      .map(async (id) => ({ id, record: await readStateRecord(join(projects, id, 'host')) })),
  );
}

export async function readStateRecord(host: string): Promise<StateRecord | null> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(stateRecordPath(host), 'utf8')));
  } catch {
    return null;
  }
}

export async function writeStateRecord(host: string, record: StateRecord): Promise<void> {
  await writeFileAtomic(stateRecordPath(host), `${JSON.stringify(record)}\n`, { mode: 0o600 });
}
