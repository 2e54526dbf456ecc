import { readFile, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import { BUILT_IMAGES } from '../../contracts/sandbox/sandbox-templates.ts';
import { hostPythonPackages } from './rootfs/host-python-packages.ts';
import type { RootfsEntry } from './rootfs/rootfs-entry.ts';
import { sortEntries } from './rootfs/rootfs-entry.ts';

/** The images that are built on `base`, each from a folder of its own in `sandbox-images/`. */
export const DERIVED_IMAGES = ['kernel', ...BUILT_IMAGES] as const;
export type DerivedImage = (typeof DERIVED_IMAGES)[number];
export type ImageName = 'base' | DerivedImage;

/** `sandbox-images/<name>/context.json`: what is copied into the image. `${platform}` is `linux-x64` or `linux-arm64`. */
const contextSchema = z.strictObject({
  copy: z.array(
    z.strictObject({
      from: z.string().min(1),
      to: z.string().min(1),
      /** Only names with these endings, if `from` is a directory. */
      endings: z.array(z.string()).optional(),
    }),
  ),
  /** Packages of the host's python3 that are copied if present; the others depend on `packages[0]`. */
  host_python: z.strictObject({ packages: z.array(z.string()).min(1), to: z.string().min(1) }).optional(),
});

export interface ImageContext {
  /** Files for `rootfs/` of the build context. */
  readonly files: readonly { readonly path: string; readonly source: string; readonly mode: number }[];
  readonly dockerfile: string;
}

/**
 * Reads one image's folder and lists the files that it copies from the repository.
 *
 * @throws FluffyError `image_input_missing` if a named file does not exist.
 */
export async function readImageContext(repoRoot: string, name: DerivedImage, platform: string): Promise<ImageContext> {
  const folder = join(repoRoot, 'sandbox-images', name);
  const dockerfile = await readFile(join(folder, 'Dockerfile'), 'utf8');
  const context = contextSchema.parse(JSON.parse(await readFile(join(folder, 'context.json'), 'utf8')));
  const files: { path: string; source: string; mode: number }[] = [];
  for (const { from, to, endings } of context.copy) {
    const source = join(repoRoot, from.replaceAll('${platform}', platform));
    const target = to.replaceAll('${platform}', platform);
    for (const path of await filesAt(source)) {
      if (endings !== undefined && !endings.some((ending) => path.endsWith(ending))) continue;
      const below = relative(source, path);
      const executable = ((await stat(path)).mode & 0o100) !== 0;
      files.push({ path: below === '' ? target : join(target, below), source: path, mode: executable ? 0o755 : 0o644 });
    }
  }
  if (context.host_python !== undefined) {
    const { packages, to } = context.host_python;
    for (const { path, source } of await hostPythonPackages(packages))
      files.push({ path: join(to, path), source, mode: 0o644 });
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, dockerfile };
}

async function filesAt(path: string): Promise<string[]> {
  const info = await stat(path).catch(() => undefined);
  if (info === undefined) {
    throw new FluffyError({
      code: 'image_input_missing',
      what: 'A sandbox image cannot be built',
      why: `${path} is missing`,
      fix: 'run `npm ci --ignore-scripts && npm run build` in the folder fluffy was cloned to',
      exitCode: EXIT.noRuntime,
    });
  }
  if (info.isFile()) return [path];
  const items = await readdir(path, { recursive: true, withFileTypes: true });
  return items.filter((item) => item.isFile()).map((item) => join(item.parentPath, item.name));
}

/** The build context: the Dockerfile, and the files under `rootfs/`, which it copies to `/`. */
export function contextEntries(context: ImageContext): RootfsEntry[] {
  const entries = new Map<string, RootfsEntry>();
  const add = (entry: RootfsEntry): void => void entries.set(entry.path, entry);
  add({
    kind: 'file',
    path: 'Dockerfile',
    mode: 0o644,
    content: { kind: 'bytes', bytes: Buffer.from(context.dockerfile) },
  });
  add({ kind: 'directory', path: 'rootfs', mode: 0o755 });
  for (const { path, source, mode } of context.files) {
    const parts = `rootfs/${path}`.split('/');
    for (let depth = 2; depth < parts.length; depth++)
      add({ kind: 'directory', path: parts.slice(0, depth).join('/'), mode: 0o755 });
    add({ kind: 'file', path: `rootfs/${path}`, mode, content: { kind: 'disk', path: source } });
  }
  return sortEntries(entries.values());
}
