import { join } from 'node:path';
import type { OpenProject } from '../../open-project.ts';
import { formatOfFile } from '../../session/export/export-formats.ts';
import { writeExport } from '../../session/export/write-export.ts';
import { makeDirectories } from '../../../lib/files/make-directories.ts';

/**
 * Writes the session to the named file, or to one beside the other files of the host, because a file in the project would be uncommitted work.
 * Resolves to the path.
 */
export async function exportHere(
  { user, dirs }: Pick<OpenProject, 'user' | 'dirs'>,
  sessionId: string,
  file: string | null,
): Promise<string> {
  const source = { user, dirs, sessionId };
  if (file !== null) return writeExport(source, file, formatOfFile(file));
  const folder = join(dirs.host, 'exports');
  await makeDirectories(folder, 0o700);
  return writeExport(source, join(folder, `${sessionId}.md`), 'md');
}
