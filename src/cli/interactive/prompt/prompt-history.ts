import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ProjectDirs } from '../../../contracts/host-layout.ts';
import { writeFileAtomic } from '../../../lib/files/atomic-file.ts';
import { parseJson } from '../../../lib/parse-json.ts';
import { makeDirectories } from '../../../lib/files/make-directories.ts';

const MAX_KEPT = 500;
const MAX_CHARACTERS = 20_000;

/**
 * What was sent in this project's sessions, oldest first; stored beside the other files of the host, readable only by its owner. Invalid lines are
 * left out.
 */
export async function readHistory(dirs: Pick<ProjectDirs, 'host'>): Promise<readonly string[]> {
  const text = await readFile(fileOf(dirs), 'utf8').catch(() => '');
  const texts = text.split('\n').flatMap((line) => {
    const parsed = entry.safeParse(line);
    return parsed.success ? [parsed.data] : [];
  });
  if (texts.length <= 2 * MAX_KEPT) return texts.slice(-MAX_KEPT);
  const kept = texts.slice(-MAX_KEPT);
  await writeFileAtomic(fileOf(dirs), kept.map(lineOf).join(''), { mode: 0o600 });
  return kept;
}

/** Long texts are not stored, because a paste may contain anything. */
export async function keepInHistory(dirs: Pick<ProjectDirs, 'host'>, text: string): Promise<void> {
  if (text.length > MAX_CHARACTERS) return;
  await makeDirectories(dirs.host, 0o700);
  await appendFile(fileOf(dirs), lineOf(text), { mode: 0o600 });
}

const entry = z
  .string()
  .transform((line, context) => {
    const value = parseJson(line);
    if (value === undefined) context.addIssue({ code: 'custom', message: 'no JSON' });
    return value;
  })
  .pipe(z.string().min(1));

function lineOf(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

function fileOf({ host }: Pick<ProjectDirs, 'host'>): string {
  return join(host, 'prompt-history.jsonl');
}
