import { resolve } from 'node:path';
import type { ProjectDirs, UserDirs } from '../../../contracts/host-layout.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';
import { EXIT } from '../../../contracts/exit-codes.ts';
import { writeOutputFile } from '../../../lib/files/output-file.ts';
import { messageOf } from '../../../lib/text/message-of.ts';
import { verifySigned } from '../../audit/read-signed.ts';
import { formatVerdict } from '../../audit/format-verdict.ts';
import { inheritedMessages, showSession } from '../read-sessions.ts';
import type { ExportFormat } from './export-formats.ts';
import { exportSession } from './export-session.ts';
import type { ExportedAudit } from './exported-session.ts';

export interface ExportSource {
  readonly user: UserDirs;
  readonly dirs: ProjectDirs;
  readonly sessionId: string;
}

/** The document, with the present verification result of the audit log. */
export async function exportedText({ user, dirs, sessionId }: ExportSource, format: ExportFormat): Promise<string> {
  const session = showSession(dirs.database, sessionId);
  const inherited = inheritedMessages(dirs.database, session.id);
  return exportSession({ ...session, inherited }, await auditNow(user, dirs), format);
}

/** Writes the document, readable only by its owner. Resolves to the path. Throws FluffyError `export_failed`. */
export async function writeExport(source: ExportSource, file: string, format: ExportFormat): Promise<string> {
  const path = resolve(file);
  const text = await exportedText(source, format);
  await writeOutputFile(path, text, { mode: 0o600 }).catch((error: unknown) => {
    throw new FluffyError({
      code: 'export_failed',
      what: `The session could not be written to ${path}`,
      why: messageOf(error),
      fix: 'Name a file in an existing directory that you can write to',
      exitCode: EXIT.failed,
      cause: error,
    });
  });
  return path;
}

async function auditNow(user: UserDirs, dirs: ProjectDirs): Promise<ExportedAudit> {
  try {
    const verdict = await verifySigned(user, dirs);
    return { intact: verdict.intact, head: verdict.head, words: formatVerdict(verdict).replaceAll('\n', '; ') };
  } catch (error) {
    if (!(error instanceof FluffyError)) throw error;
    return { intact: null, head: null, words: `The audit log could not be verified: ${error.why}` };
  }
}
