import { statSync } from 'node:fs';
import { z } from 'zod';
import type { KernelDatabase } from './kernel-database.ts';
import { archiveRecords, deleteArchive, firstRecord, lastArchived, listArchives } from './audit-archive.ts';
import type { FoundRow } from './chain-rows.ts';
import { chainLength } from './chain-rows.ts';

const stampedSchema = z.looseObject({ timestamp: z.number() });

/** The audit log's files and rows, for the code that keeps the log within its limits. */
export function openAuditStorage(database: KernelDatabase, directory: string) {
  const { connection } = database;
  const oldest = () => listArchives(directory)[0] ?? null;
  return {
    facts() {
      const first = firstRecord(connection);
      return {
        first: first === null ? null : { id: first.id, ms: timeOf(first) ?? 0 },
        lastId: chainLength(connection, 'audit'),
        recordBytes: recordBytes(),
        archives: listArchives(directory).map(({ path, from, through, bytes }) => ({
          from,
          through,
          bytes,
          // The archive was written when its newest record was about as old as the rotation's period: exact enough, and
          // nothing has to be read.
          newestMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null,
        })),
      };
    },
    rotate: (through: number) => archiveRecords(database, directory, through),
    oldest() {
      const archive = oldest();
      const last = archive === null ? null : lastArchived(archive);
      if (archive === null || last === null || last.hash === null || last.id !== archive.through) return null;
      return { from: archive.from, through: archive.through, head: last.hash };
    },
    deleteOldest() {
      const archive = oldest();
      if (archive !== null) deleteArchive(archive);
    },
  };

  /** Bytes of the records only, because sessions are in the same file. */
  function recordBytes(): number {
    const sum = 'SELECT coalesce(sum(octet_length(body) + octet_length(hash)), 0) FROM audit';
    return Number(connection.prepare(sum).pluck().get());
  }
}

function timeOf({ body }: FoundRow): number | null {
  try {
    return stampedSchema.safeParse(JSON.parse(body ?? '')).data?.timestamp ?? null;
  } catch {
    return null;
  }
}
