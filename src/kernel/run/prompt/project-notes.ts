import { CORE_TAGS } from '../../../contracts/policy.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import { redactSecrets } from '../../../lib/secrets/redact-secrets.ts';
import { withAllowedPaths } from '../../access/ask-policy.ts';
import { recordRead } from '../../record/audit-trail.ts';
import type { SessionWork } from '../../services.ts';
import { sessionWindow } from '../model/request.ts';
import { noteOf } from './note-imports.ts';
import type { ReadNote } from './note-imports.ts';

/** In a directory with both, the first is read first. */
const FILES = ['AGENTS.md', 'CLAUDE.md'];
const MAX_BYTES = 32 * 1024;
const MAX_FILE_BYTES = 4 * MAX_BYTES;
/** Maximum bytes per token of the window: a tenth of the window, at three bytes a token. */
const BYTES_OF_WINDOW = 0.1 * 3;

/**
 * AGENTS.md and CLAUDE.md from the user's directory up to the project, nearest first, with their imports. Untrusted
 * text.
 */
export function projectNotes(work: SessionWork): Promise<string> {
  return notesOf(work, upwards(work.session.snapshot.options.cwd));
}

/** The same for directories that the session has started to work in. */
export async function notesOf(work: SessionWork, directories: readonly string[]): Promise<string> {
  const { tokens } = sessionWindow(work.session);
  const budget = { left: Math.min(MAX_BYTES, Math.floor(tokens * BYTES_OF_WINDOW)), taken: new Set<string>() };
  const read = noteReader(work);
  const notes: string[] = [];
  const texts = new Set<string>();
  for (const directory of directories) {
    for (const file of FILES) {
      const note = await noteOf(directory === '' ? file : `${directory}/${file}`, read, budget);
      // One file is often a copy of the other.
      const text = note?.slice(note.indexOf('\n')) ?? '';
      if (note !== null && !texts.has(text)) notes.push(note);
      texts.add(text);
    }
  }
  return notes.join('\n\n');
}

/** A directory and its parents, deepest first; '' is the project root. */
export function upwards(directory: string): string[] {
  const parts = directory === '' ? [] : directory.split('/');
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join('/')), ''];
}

/** Reads only what the model may read, without secrets, because an import could name any file. */
function noteReader({ services, session, workspace }: SessionWork): ReadNote {
  const { state, mode } = session;
  return (path) =>
    withAllowedPaths(
      services,
      (each) => ({ syscall: 'fs.read', path: each, state, mode, tags: CORE_TAGS }),
      async (readable) => {
        const text = await readText(workspace, path, readable);
        if (text === null) return null;
        recordRead(services, session, 'syscall', { syscall_type: 'fs.read', input_summary: path });
        return redactSecrets(text, services.policy().sanitizer.patterns).text;
      },
    );
}

async function readText(
  workspace: Workspace,
  path: string,
  readable: (path: string) => boolean,
): Promise<string | null> {
  const target = await workspace.resolve(path);
  if (target.kind === 'refused' || !target.exists || !readable(target.path)) return null;
  const read = await workspace.read(target.path, MAX_FILE_BYTES);
  return read.kind === 'file' ? read.bytes.toString('utf8') : null;
}
