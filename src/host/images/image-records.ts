import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';
import { makeDirectories } from '../../lib/files/make-directories.ts';

const imageIdSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const imageRecordSchema = z.strictObject({
  /** The engine's id of the image. The image is used only by this id. */
  id: imageIdSchema,
  /** SHA-256 of everything that it was made from. */
  source: z.string().regex(/^[0-9a-f]{64}$/),
  /** The base that it is built on: this host, or an image of a registry. */
  base: z.enum(['host', 'registry']),
  built_at_ms: z.number().int().nonnegative(),
  /** For the base image: the host's files from which it was made, with their size and time. */
  inputs: z.array(z.strictObject({ path: z.string(), size: z.number().int(), mtime_ms: z.number() })).optional(),
});

const imageManifestSchema = z.strictObject({ version: z.literal(1), images: z.record(z.string(), imageRecordSchema) });

export type ImageRecord = z.infer<typeof imageRecordSchema>;
export type ImageManifest = z.infer<typeof imageManifestSchema>;

export function imageManifestPath(stateHome: string): string {
  return join(stateHome, 'images.json');
}

/**
 * The images that set-up has made, by name. A missing or damaged record counts as empty: images are made again (and found again by their labels), so
 * nothing is lost.
 */
export async function readImageManifest(stateHome: string): Promise<ImageManifest> {
  const none: ImageManifest = { version: 1, images: {} };
  const text = await readFile(imageManifestPath(stateHome), 'utf8').catch(() => undefined);
  if (text === undefined) return none;
  try {
    return imageManifestSchema.parse(JSON.parse(text));
  } catch {
    return none;
  }
}

export async function writeImageManifest(stateHome: string, manifest: ImageManifest): Promise<void> {
  const path = imageManifestPath(stateHome);
  await makeDirectories(dirname(path), 0o700);
  const text = `${JSON.stringify(imageManifestSchema.parse(manifest), undefined, 2)}\n`;
  await writeFileAtomic(path, text, { mode: 0o600 });
}
