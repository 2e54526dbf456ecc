import type { ProjectDirs, UserDirs } from '../../contracts/host-layout.ts';
import { anchorPublicKey, readAnchors } from '../../host/signer/index.ts';
import type { SignedEpoch } from '../../host/signer/index.ts';
import { escapeTerminal } from '../../lib/text/escape-terminal.ts';
import { listFirst } from '../../lib/text/list-first.ts';
import { verifyAudit } from './verify-audit.ts';
import type { AnchorsRead, AuditVerdict, EpochRead } from './verify-audit.ts';

/** The log of a project, compared with what this host has signed. Throws like `verifyAudit`. */
export function verifySigned(user: UserDirs, dirs: ProjectDirs): Promise<AuditVerdict> {
  return verifyAudit({
    databasePath: dirs.database,
    archives: dirs.archives,
    readAnchors: () => readSigned(user, dirs),
  });
}

/**
 * The anchors, and the reason for any doubt that they are complete. Creates no key: without the signing key, a file of anchors proves nothing. A
 * project without signatures is in no doubt. An invalid line only makes doubtful what no later head covers.
 */
export async function readSigned(user: UserDirs, dirs: ProjectDirs): Promise<AnchorsRead> {
  const key = await anchorPublicKey(user);
  const { epochs, unreadable } = await readAnchors(dirs, key ?? '');
  const file = escapeTerminal(dirs.anchors);
  const read = ({ start, anchors, badTail }: SignedEpoch): EpochRead => ({
    epoch: start.epoch,
    start: { entries: start.entries, hash: start.head },
    anchors,
    doubt: unreadable === undefined ? doubtOf(file, badTail, key) : `anchors: ${file} cannot be used: ${unreadable}`,
  });
  const [first, ...later] = epochs;
  return [read(first), ...later.map(read)];
}

function doubtOf(file: string, lines: readonly number[], key: string | null): string | null {
  if (lines.length === 0) return null;
  if (key === null) return `anchors: ${file} is there, the key that signed it is not`;
  return `anchors: ${file}: not signed by this host's key: line ${listFirst(lines, { max: 10 })}`;
}
