import type { ViewEntry } from '../../../contracts/ports/workspace.ts';

/** A file with this text, in a view. */
export function textEntry(path: string, text: string, executable = false): ViewEntry {
  return { path, entry: { kind: 'file', bytes: Buffer.from(text), executable } };
}
