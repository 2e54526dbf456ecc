import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import { redactSecrets } from '../../../lib/secrets/redact-secrets.ts';
import type { Session } from '../../session/session.ts';
import { recordRead } from '../../record/audit-trail.ts';
import type { Services } from '../../services.ts';

const FILE = 'AGENTS.md';
const MAX_BYTES = 32 * 1024;

/** The AGENTS.md files from the user's directory up to the project, nearest first, 32 KiB in all. Untrusted text. */
export async function projectNotes(services: Services, session: Session, workspace: Workspace): Promise<string> {
  const notes: string[] = [];
  let left = MAX_BYTES;
  for (const directory of upwards(session.snapshot.options.cwd)) {
    const path = (directory === '' ? FILE : `${directory}/${FILE}`) as ProjectPath;
    const read = await workspace.read(path, MAX_BYTES * 4);
    if (read.kind !== 'file' || left <= 0) continue;
    const written = read.bytes.subarray(0, left).toString('utf8');
    left -= Buffer.byteLength(written);
    const { text } = redactSecrets(written, services.policy().sanitizer.patterns);
    notes.push(`# ${path}\n${text}`);
    recordRead(services, session, 'syscall', { syscall_type: 'fs.read', input_summary: path });
  }
  return notes.join('\n\n');
}

function upwards(directory: string): string[] {
  const parts = directory === '' ? [] : directory.split('/');
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join('/')), ''];
}
