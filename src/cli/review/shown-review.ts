import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ProjectDirs } from '../../contracts/host-layout.ts';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';

const shownSchema = z.strictObject({ review_id: z.string(), sha256: z.string() });

/** Stores on the host what `fluffy review` showed last: the next `--approve` is for exactly that, and not for a review that has replaced it. */
export async function rememberShown(
  dirs: ProjectDirs,
  review: { readonly review_id: string; readonly sha256: string },
): Promise<void> {
  const { review_id, sha256 } = review;
  await writeFileAtomic(fileOf(dirs), JSON.stringify({ review_id, sha256 }), { mode: 0o600 });
}

/** `other`: the waiting review differs from the shown one. `nothing`: nothing was shown since the last decision. */
export async function comparedWithShown(
  dirs: ProjectDirs,
  review: { readonly review_id: string; readonly sha256: string },
): Promise<'same' | 'other' | 'nothing'> {
  const text = await readFile(fileOf(dirs), 'utf8').catch(() => null);
  if (text === null) return 'nothing';
  const shown = shownSchema.safeParse(JSON.parse(text));
  if (!shown.success) return 'other';
  return shown.data.review_id === review.review_id && shown.data.sha256 === review.sha256 ? 'same' : 'other';
}

export function forgetShown(dirs: ProjectDirs): Promise<void> {
  return rm(fileOf(dirs), { force: true });
}

function fileOf(dirs: ProjectDirs): string {
  return join(dirs.host, 'shown-review.json');
}
