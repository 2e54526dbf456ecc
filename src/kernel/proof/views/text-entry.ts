import type { ViewEntry } from '../../../contracts/ports/workspace.ts';

/** A view entry for a file with this text. */
export function textEntry(path: string, text: string, executable = false): ViewEntry {
  return { path, entry: { kind: 'file', bytes: Buffer.from(text), executable } };
}
