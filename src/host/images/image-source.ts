import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { type DerivedImage, type ImageContext, readImageContext } from './image-context.ts';

const distManifestSchema = z.object({ files: z.record(z.string(), z.string()) });
const packageSchema = z.object({ name: z.string(), version: z.string() });

/** The engine's architecture in the form of npm packages. */
export function imagePlatform(architecture: string): string {
  return architecture === 'arm64' || architecture === 'aarch64' ? 'linux-arm64' : 'linux-x64';
}

/**
 * SHA-256 (hex) of an image's sources: its base, its Dockerfile, and each copied file. Cheap enough for every start: bundles count by their hash in
 * `dist/manifest.json`, files of packages by the package's version; only small files are read.
 */
export async function sourceHash(options: {
  readonly name: DerivedImage;
  readonly repoRoot: string;
  readonly platform: string;
  /** Source hash of its base image. */
  readonly baseSource: string;
}): Promise<string> {
  const context = await readImageContext(options.repoRoot, options.name, options.platform);
  return hashContext(context, options.repoRoot, options.baseSource);
}

export async function hashContext(context: ImageContext, repoRoot: string, baseSource: string): Promise<string> {
  const hash = createHash('sha256');
  const identify = await fileIdentifier(repoRoot);
  hash.update(JSON.stringify([baseSource, context.dockerfile]));
  for (const { path, source, mode } of context.files) hash.update(JSON.stringify([path, mode, await identify(source)]));
  return hash.digest('hex');
}

async function fileIdentifier(repoRoot: string): Promise<(source: string) => Promise<string>> {
  const bundles = await bundleHashes(repoRoot);
  const versions = new Map<string, string>();
  return async (source) => {
    const path = relative(repoRoot, source).replaceAll('\\', '/');
    const bundled = bundles.get(path);
    if (bundled !== undefined) return bundled;
    const packagePath = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    if (packagePath === undefined) return contentHash(source);
    const version = versions.get(packagePath) ?? (await packageVersion(join(repoRoot, packagePath)));
    versions.set(packagePath, version);
    return `${version}/${path.slice(packagePath.length + 1)}`;
  };
}

async function bundleHashes(repoRoot: string): Promise<Map<string, string>> {
  const text = await readFile(join(repoRoot, 'dist/manifest.json'), 'utf8').catch(() => '{"files":{}}');
  const { files } = distManifestSchema.parse(JSON.parse(text));
  return new Map(Object.entries(files).map(([name, hash]) => [`dist/${name}`, hash]));
}

async function packageVersion(directory: string): Promise<string> {
  const { name, version } = packageSchema.parse(JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')));
  return `${name}@${version}`;
}

async function contentHash(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
