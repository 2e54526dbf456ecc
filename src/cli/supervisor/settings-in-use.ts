import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';
import { differingParts } from './supervisor-options.ts';

const partsSchema = z.record(z.string(), z.string());

/** Records the settings with which this project's supervisor was started, for clients with other settings. */
export async function noteSettings(host: string, parts: Readonly<Record<string, string>>): Promise<void> {
  await writeFileAtomic(fileOf(host), `${JSON.stringify(parts)}\n`, { mode: 0o600 });
}

/** Names of the settings that differ in the running supervisor; empty if unknown. */
export async function otherSettings(host: string, parts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  try {
    return differingParts(partsSchema.parse(JSON.parse(await readFile(fileOf(host), 'utf8'))), parts);
  } catch {
    return [];
  }
}

function fileOf(host: string): string {
  return join(host, 'settings-in-use.json');
}
