import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ensureImages } from '../../src/host/images/ensure-images.ts';
import type { DerivedImage } from '../../src/host/images/image-context.ts';
import { removeImage } from '../../src/host/images/engine-images.ts';
import type { ImageManifest } from '../../src/host/images/image-records.ts';

const realRoot = resolve(import.meta.dirname, '../..');
export const engine = { socketPath: '/var/run/docker.sock' };

/** A checkout with the real image folders and native packages, and bundles of its own, so that its images are its own, too. */
export interface ImageCheckout {
  readonly directory: string;
  readonly repoRoot: string;
  readonly stateHome: string;
  /** Gives the kernel's bundle another content. */
  putBundles(text: string): Promise<void>;
  /** Builds what is missing or stale: every image, or the base and these. */
  ensure(only?: readonly DerivedImage[]): Promise<{ manifest: ImageManifest; progress: string[] }>;
  /** Removes it with every image it made, except the base, which others share. */
  remove(): Promise<void>;
}

export async function makeImageCheckout(): Promise<ImageCheckout> {
  const directory = await mkdtemp(join(tmpdir(), 'fluffy-images-'));
  const repoRoot = join(directory, 'checkout');
  const stateHome = join(directory, 'state');
  const made = new Set<string>();
  await mkdir(repoRoot);
  for (const name of ['sandbox-images', 'seccomp'])
    await cp(join(realRoot, name), join(repoRoot, name), { recursive: true });
  await symlink(join(realRoot, 'node_modules'), join(repoRoot, 'node_modules'));
  await writeFile(join(repoRoot, 'policy.yaml'), 'version: 1\n');

  async function putBundles(text: string): Promise<void> {
    const bundles = {
      'kernel.mjs': `import Database from 'better-sqlite3'; import koffi from 'koffi';
        console.log('kernel ${text}', new Database(':memory:').prepare('select 1 one').get().one, typeof koffi.load);`,
      'providers/replay.mjs': `console.log('provider ${directory}')`,
      'policy-sandbox/main.mjs': `console.log('policy sandbox ${directory}')`,
      'tools/fs-tool.mjs': `console.log('tool ${directory}')`,
      'tools/test-tool/reporter.mjs': `console.log('reporter')`,
    };
    const files: Record<string, string> = {};
    for (const [name, content] of Object.entries(bundles)) {
      await mkdir(dirname(join(repoRoot, 'dist', name)), { recursive: true });
      await writeFile(join(repoRoot, 'dist', name), content);
      files[name] = createHash('sha256').update(content).digest('hex');
    }
    await writeFile(join(repoRoot, 'dist/manifest.json'), JSON.stringify({ version: 1, files }));
  }

  await putBundles(`first ${directory}`);
  return {
    directory,
    repoRoot,
    stateHome,
    putBundles,
    async ensure(only) {
      const progress: string[] = [];
      const onProgress = (line: string): void => void progress.push(line);
      // By this clock each step of a build is a slow one, and is reported.
      let nowMs = Date.now();
      const manifest = await ensureImages({
        engine,
        now: () => (nowMs += 2_000),
        stateHome,
        repoRoot,
        base: 'host',
        onProgress,
        ...(only !== undefined && { only }),
      });
      for (const [name, { id }] of Object.entries(manifest.images)) if (name !== 'base') made.add(id);
      return { manifest, progress };
    },
    async remove() {
      for (const id of made) await removeImage(engine, id);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
