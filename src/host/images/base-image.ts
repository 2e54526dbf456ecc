import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { Engine } from './engine-api.ts';
import { type EngineImage, buildImage, importImage } from './engine-images.ts';
import { hashEntries } from './rootfs/entries-hash.ts';
import { collectHostRootfs } from './rootfs/host-rootfs.ts';
import type { ImageRecord } from './image-records.ts';
import { pullImage } from './pull-image.ts';
import { REGISTRY_NODE } from './sandbox-node.ts';
import { smokeTestBase } from './smoke-test.ts';
import { textFile } from './rootfs/rootfs-entry.ts';
import { messageOf } from '../../lib/text/message-of.ts';

/** `auto`: the host if it runs Linux (a project's native modules were built for its libraries), else a registry. */
export type BaseChoice = 'auto' | 'host' | 'registry';

/** An official image that has Node, git and Python. */
const REGISTRY_IMAGE = `node:${REGISTRY_NODE}-bookworm`;

export interface EnsureBaseOptions {
  readonly engine: Engine;
  readonly repoRoot: string;
  readonly base?: BaseChoice;
  readonly nodePath?: string;
  /** The official image to pull, or the same image in the user's registry. */
  readonly registryImage?: string;
  /** Fluffy's images that the engine has already. */
  readonly present: readonly EngineImage[];
  readonly progress: (line: string) => void;
  readonly now: () => number;
}

/**
 * The base image by the first method that works, after a test run.
 *
 * @throws FluffyError `base_unavailable` if none works; its cause lists each failure.
 */
export async function ensureBase(options: EnsureBaseOptions): Promise<ImageRecord> {
  const failures: unknown[] = [];
  for (const way of waysFor(options.base ?? 'auto')) {
    try {
      return way === 'host' ? await baseFromHost(options) : await baseFromRegistry(options);
    } catch (error) {
      failures.push(error);
      options.progress(`no base image from ${way === 'host' ? 'this host' : 'a registry'}: ${messageOf(error)}`);
    }
  }
  throw new FluffyError({
    code: 'base_unavailable',
    what: 'No base image could be made for the sandboxes',
    why: failures.map(messageOf).join('; '),
    fix: 'give the engine access to a registry (--base registry), or install git and coreutils here (--base host)',
    exitCode: EXIT.noRuntime,
    cause: new AggregateError(failures),
  });
}

function waysFor(choice: BaseChoice): readonly ('host' | 'registry')[] {
  if (choice !== 'auto') return [choice];
  return process.platform === 'linux' ? ['host', 'registry'] : ['registry'];
}

async function baseFromHost(options: EnsureBaseOptions): Promise<ImageRecord> {
  const users = [{ uid: 1000, gid: 1000 }, invoker()];
  const rootfs = await collectHostRootfs({ nodePath: options.nodePath ?? process.execPath, users });
  const source = await hashEntries(rootfs.entries);
  const existing = options.present.find((image) => image.name === 'base' && image.source === source);
  if (existing === undefined)
    options.progress(
      `assembling the image base from this host's node, git and libraries (${rootfs.entries.length} files)`,
    );
  const id = existing?.id ?? (await importImage(options.engine, { name: 'base', source, entries: rootfs.entries }));
  await smokeTestBase(options.engine, id);
  const stamp = async (path: string) => {
    const { size, mtimeMs } = await stat(path);
    return { path, size, mtime_ms: mtimeMs };
  };
  const recipe = await Promise.all(recipeFiles(options.repoRoot).map((path) => stamp(path).catch(() => null)));
  const inputs = [...(await Promise.all(rootfs.inputs.map(stamp))), ...recipe.filter((input) => input !== null)];
  return { id, source, base: 'host', built_at_ms: options.now(), inputs };
}

/** The files that decide which of the host's files are copied: a base made by older code is as outdated as one made from older programs. */
function recipeFiles(repoRoot: string): string[] {
  return ['host-rootfs', 'host-tools', 'host-tree', 'shared-libraries'].map((name) =>
    join(repoRoot, 'src/host/images', `${name}.ts`),
  );
}

function invoker(): { uid: number; gid: number } {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

async function baseFromRegistry(options: EnsureBaseOptions): Promise<ImageRecord> {
  const reference = options.registryImage ?? REGISTRY_IMAGE;
  options.progress(`pulling the official image ${reference} from the engine's registry`);
  const pulled = await pullImage(options.engine, reference, { onProgress: options.progress });
  const dockerfile = await readFile(join(options.repoRoot, 'sandbox-images/base/Dockerfile'), 'utf8');
  const source = createHash('sha256')
    .update(JSON.stringify([pulled, dockerfile]))
    .digest('hex');
  const existing = options.present.find((image) => image.name === 'base' && image.source === source);
  const id =
    existing?.id ??
    (await buildImage(options.engine, {
      name: 'base',
      source,
      base: pulled,
      context: [textFile('Dockerfile', dockerfile)],
    }));
  await smokeTestBase(options.engine, id);
  return { id, source, base: 'registry', built_at_ms: options.now() };
}
