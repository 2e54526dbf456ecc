import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { withFileLock } from '../file-lock.ts';
import {
  DERIVED_IMAGES,
  type DerivedImage,
  type ImageName,
  contextEntries,
  readImageContext,
} from './image-context.ts';
import { hashContext, imagePlatform } from './image-source.ts';
import { type BaseChoice, ensureBase } from './base-image.ts';
import type { Engine } from './engine-api.ts';
import { type EngineImage, buildImage, listOurImages } from './engine-images.ts';
import { type ImageManifest, type ImageRecord, readImageManifest, writeImageManifest } from './image-records.ts';
import { slowSteps } from './slow-steps.ts';

export interface ImageOptions {
  readonly engine: Engine;
  /** `$XDG_STATE_HOME/fluffy` */
  readonly stateHome: string;
  /** The directory of the fluffy checkout, with `dist/`, `node_modules/` and `sandbox-images/`. */
  readonly repoRoot: string;
}

export interface EnsureImagesOptions extends ImageOptions {
  /** Only these images and their base; absent: all. */
  readonly only?: readonly DerivedImage[];
  readonly base?: BaseChoice;
  /** No registry is used: a missing base is made from this host, unless the previous one came from a registry. */
  readonly offline?: boolean;
  /** The Node for the base image; default: the running one. */
  readonly nodePath?: string;
  /** The official image for a base from a registry; default: `node:24-bookworm`. */
  readonly registryImage?: string;
  readonly onProgress?: (line: string) => void;
  readonly now?: () => number;
}

export type ImageStatus =
  | { readonly name: ImageName; readonly kind: 'fresh'; readonly id: string }
  | { readonly name: ImageName; readonly kind: 'stale'; readonly id: string; readonly why: string }
  | { readonly name: ImageName; readonly kind: 'missing'; readonly why: string };

/** Whether the recorded images exist and were made from the present sources. One call to the engine and a few stats: cheap enough for every start. */
export async function checkImages(options: ImageOptions): Promise<ImageStatus[]> {
  const [manifest, present] = await Promise.all([readImageManifest(options.stateHome), listOurImages(options.engine)]);
  const names: readonly ImageName[] = ['base', ...DERIVED_IMAGES];
  return Promise.all(names.map((name) => checkImage(name, options.repoRoot, manifest, present)));
}

async function checkImage(
  name: ImageName,
  repoRoot: string,
  manifest: ImageManifest,
  present: readonly EngineImage[],
): Promise<ImageStatus> {
  const record = manifest.images[name];
  const base = manifest.images['base'];
  if (record === undefined || base === undefined) return { name, kind: 'missing', why: 'it has not been built' };
  if (!present.some(({ id }) => id === record.id)) return { name, kind: 'missing', why: 'the engine no longer has it' };
  const changed = name === 'base' ? await changedInput(record) : undefined;
  if (changed !== undefined)
    return { name, kind: 'stale', id: record.id, why: `${changed} has changed since it was built` };
  if (name !== 'base') {
    const context = await readImageContext(repoRoot, name, imagePlatform(process.arch));
    if ((await hashContext(context, repoRoot, base.source)) !== record.source)
      return { name, kind: 'stale', id: record.id, why: 'its sources have changed since it was built' };
  }
  return { name, kind: 'fresh', id: record.id };
}

async function changedInput(record: ImageRecord): Promise<string | undefined> {
  for (const { path, size, mtime_ms } of record.inputs ?? []) {
    const info = await stat(path).catch(() => undefined);
    if (info?.size !== size || info.mtimeMs !== mtime_ms) return path;
  }
  return undefined;
}

/**
 * Makes every missing or outdated image, and records the ids. Images that another checkout or an earlier run has made from the same sources are found
 * by label and reused. If two run at once, the second waits and then finds everything done.
 *
 * @throws FluffyError `engine_unreachable`, `engine_refused`, `host_base_incomplete`, `image_input_missing`, `base_unavailable`, `images_missing`
 */
export async function ensureImages(options: EnsureImagesOptions): Promise<ImageManifest> {
  const wanted: readonly ImageName[] = ['base', ...(options.only ?? DERIVED_IMAGES)];
  if (await allFresh(options, wanted)) return readImageManifest(options.stateHome);
  const progress = options.onProgress ?? ((): void => undefined);
  return withFileLock(
    join(options.stateHome, 'images.lock'),
    { onWait: () => progress('waiting for another set-up that is building images') },
    () => buildMissing(options, wanted, progress),
  );
}

async function allFresh(options: EnsureImagesOptions, wanted: readonly ImageName[]): Promise<boolean> {
  const manifest = await readImageManifest(options.stateHome);
  if (wanted.some((name) => manifest.images[name] === undefined)) return false;
  if (!baseFits(manifest, options.base)) return false;
  const present = await listOurImages(options.engine);
  const states = await Promise.all(wanted.map((name) => checkImage(name, options.repoRoot, manifest, present)));
  return states.every(({ kind }) => kind === 'fresh');
}

/** An explicit choice of base counts even if another base exists already. */
function baseFits(manifest: ImageManifest, choice: BaseChoice | undefined): boolean {
  return choice === undefined || choice === 'auto' || manifest.images['base']?.base === choice;
}

/** The base to make without a registry. A base from a registry was the user's choice, and is not silently replaced. */
function offlineBase({ offline, base }: EnsureImagesOptions, fromRegistry: boolean): { readonly base?: BaseChoice } {
  if (offline !== true) return base === undefined ? {} : { base };
  if (!fromRegistry && process.platform === 'linux') return { base: 'host' };
  throw new FluffyError({
    code: 'images_missing',
    what: 'The sandbox images are missing',
    why: 'their base comes from a registry, which a session does not use by itself',
    fix: 'run: fluffy image build --base registry',
    exitCode: EXIT.noRuntime,
  });
}

async function buildMissing(
  options: EnsureImagesOptions,
  wanted: readonly ImageName[],
  progress: (line: string) => void,
): Promise<ImageManifest> {
  let manifest = await readImageManifest(options.stateHome);
  const now = options.now ?? Date.now;
  const record = async (name: ImageName, entry: ImageRecord): Promise<void> => {
    manifest = { version: 1, images: { ...manifest.images, [name]: entry } };
    await writeImageManifest(options.stateHome, manifest);
  };
  const present = await listOurImages(options.engine);

  const baseStatus = await checkImage('base', options.repoRoot, manifest, present);
  let base = manifest.images['base'];
  if (base === undefined || baseStatus.kind !== 'fresh' || !baseFits(manifest, options.base)) {
    if (baseStatus.kind === 'stale') progress(`the image base is made again: ${baseStatus.why}`);
    else progress('comparing the programs of this host with the images that the engine has');
    const fromRegistry = base?.base === 'registry';
    base = await ensureBase({ ...options, ...offlineBase(options, fromRegistry), present, progress, now });
    await record('base', base);
  }

  for (const name of wanted) {
    if (name === 'base') continue;
    const context = await readImageContext(options.repoRoot, name, imagePlatform(process.arch));
    const source = await hashContext(context, options.repoRoot, base.source);
    const existing = present.find((image) => image.name === name && image.source === source);
    const place = `image ${wanted.indexOf(name)} of ${wanted.length - 1}`;
    if (existing === undefined)
      progress(`building the image ${name} (${place}, ${context.files.length} files, no network)`);
    const onStep = slowSteps((step) => progress(`building the image ${name} (${place}: ${step})`), now);
    const made = { name, source, base: base.id, context: contextEntries(context) };
    const id = existing?.id ?? (await buildImage(options.engine, made, onStep));
    if (manifest.images[name]?.id !== id) await record(name, { id, source, base: base.base, built_at_ms: now() });
  }
  return manifest;
}
