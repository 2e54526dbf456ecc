import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { objectIdSchema } from '../../contracts/ids.ts';
import type { UserDirs } from '../../contracts/host-layout.ts';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';

/** Identifies a directory on its file system under any name: an inode is reused, but not with the same creation time. */
const markSchema = z.strictObject({ inode: z.string(), born_ns: z.string() });
export type DirectoryMark = z.infer<typeof markSchema>;

const recordSchema = z.strictObject({
  version: z.literal(1),
  /** The repository's path when a kernel was last started for it. */
  path: z.string().startsWith('/'),
  mark: markSchema,
  /** HEAD at the first start and at the last: another clone of the repository contains at least one of them. */
  seen: z.strictObject({ first: objectIdSchema, last: objectIdSchema }).nullable(),
});

/** `host/project.json`: which repository the state in this directory belongs to. */
export type StateRecord = z.infer<typeof recordSchema>;

export interface RecordedState {
  readonly id: string;
  /** null for the state of an earlier version, and for an unreadable record. */
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
