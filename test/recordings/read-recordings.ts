import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { turnsOf } from './conversation.ts';
import type { Conversation } from './conversation.ts';
import { RECORDING_FORMATS } from './formats/registry.ts';

/** A directory with clones of public repositories, or null: what reads it is passed over. README.md says which are known to hold recordings. */
export const RECORDINGS = process.env['FLUFFY_RECORDINGS'] === '' ? null : (process.env['FLUFFY_RECORDINGS'] ?? null);

export const WITHOUT_RECORDINGS = 'no recordings: set FLUFFY_RECORDINGS, see test/recordings/README.md';

/** Files beneath, in the order of their names. Links are not followed. */
export function filesBeneath(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

export function readRecordings(directory: string): readonly Conversation[] {
  return filesBeneath(directory).flatMap((file) => {
    const formats = RECORDING_FORMATS.filter(({ endings }) => endings.some((ending) => file.endsWith(ending)));
    if (formats.length === 0) return [];
    const text = readFileSync(file, 'utf8');
    const name = relative(directory, file);
    for (const format of formats) {
      const found = format
        .read(text)
        .map(turnsOf)
        .filter((turns) => turns.length > 0);
      if (found.length > 0) return found.map((turns, index) => ({ name: `${name} ${index}`, turns }));
    }
    return [];
  });
}
