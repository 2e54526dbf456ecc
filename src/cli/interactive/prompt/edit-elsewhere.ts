import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertNever } from '../../../lib/assert-never.ts';
import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';
import { configuredEditor, runEditor } from '../../editor/run-editor.ts';
import type { EditorEnd, RunningEditor } from '../../editor/run-editor.ts';

export type Edited =
  | { readonly kind: 'saved'; readonly text: string }
  /** `why` is a sentence without its full stop; `kept` are files in which the person's text is. */
  | { readonly kind: 'unusable'; readonly why: string; readonly kept: readonly string[] }
  /** The screen consists of plain lines, which cannot be interrupted. */
  | { readonly kind: 'no-terminal' };

export interface EditElsewhereParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Stores a text that cannot be used. Resolves to the file. */
  readonly keep: (name: string, bytes: Uint8Array) => Promise<string>;
  /** Called with the editor as soon as it runs. */
  readonly onOpen: (editor: Pick<RunningEditor, 'terminate'>) => void;
  /** Whether fluffy is ending, so that the text can no longer be used. */
  readonly isLate: () => boolean;
}

/**
 * Opens the text in the person's own editor (`VISUAL`, else `EDITOR`, else `vi`). The file is in a directory that only its owner can read, and is
 * removed; a text that cannot be used is stored before that.
 */
export async function editElsewhere(text: string, name: string, parts: EditElsewhereParts): Promise<Edited> {
  const command = configuredEditor(parts.env) ?? 'vi';
  const directory = await mkdtemp(join(tmpdir(), 'fluffy-edit-'));
  try {
    await writeFile(join(directory, name), text, { mode: 0o600 });
    const editor = runEditor(command, join(directory, name));
    parts.onOpen(editor);
    const end = await editor.end;
    const read = end.kind === 'closed' ? await readText(join(directory, name)) : unusable(whyFailed(end, command));
    const edited = read.kind === 'saved' && parts.isLate() ? unusable('fluffy has ended in the meantime') : read;
    return edited.kind === 'saved' ? edited : { ...edited, kept: await keepAll(directory, text, parts.keep) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

type Read = Exclude<Edited, { kind: 'no-terminal' }>;

async function readText(file: string): Promise<Read> {
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null) return unusable('The editor has left no file of that name');
  const text = decodeUtf8(bytes);
  if (text === null) return unusable('What the editor saved is no UTF-8: set its encoding to UTF-8');
  if (text.includes('\0')) return unusable('The saved file is not text: it has a NUL character');
  return { kind: 'saved', text };
}

function unusable(why: string): Extract<Edited, { kind: 'unusable' }> {
  return { kind: 'unusable', why, kept: [] };
}

function whyFailed(end: Exclude<EditorEnd, { kind: 'closed' }>, command: string): string {
  switch (end.kind) {
    case 'not-run':
      return `The editor ${command} could not be run: set VISUAL or EDITOR`;
    case 'ended':
      return `The editor was ended by ${end.by}`;
    case 'failed':
      return `The editor ended with ${end.how}`;
    default:
      return assertNever(end);
  }
}

/** Stores every changed file in the directory, whatever its name. */
async function keepAll(directory: string, given: string, keep: EditElsewhereParts['keep']): Promise<string[]> {
  const kept: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const bytes = entry.isFile() ? await readFile(join(directory, entry.name)) : null;
    if (bytes !== null && !bytes.equals(Buffer.from(given))) kept.push(await keep(entry.name, bytes));
  }
  return kept;
}
