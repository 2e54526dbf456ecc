import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { Engine } from '../../host/images/engine-api.ts';
import { findImage } from '../../host/images/engine-images.ts';
import { ensureImages } from '../../host/images/ensure-images.ts';
import { imagePrograms } from '../../host/images/image-programs.ts';
import { type ImageManifest, readImageManifest } from '../../host/images/image-records.ts';
import { type ImageChoice, type ProjectImage, projectImage } from '../../host/images/project/project-image.ts';
import type { SandboxImage } from '../../contracts/sandbox/sandbox-templates.ts';
import { makeDirectories } from '../../lib/files/make-directories.ts';

export interface ProjectImages {
  readonly kernel: string;
  readonly sandboxes: Readonly<Partial<Record<SandboxImage, string>>> & { readonly node: string };
}

export interface ProjectImagesOptions {
  readonly engine: Engine;
  /** `$XDG_STATE_HOME/fluffy` */
  readonly stateHome: string;
  /** The folder fluffy was cloned to. */
  readonly repoRoot: string;
  readonly onProgress: (text: string) => void;
}

/**
 * The images of a session, made from the present checkout. Missing and outdated ones are found in the engine by their labels, or built under set-up's
 * lock; both need no network and no consent. An installation without `sandbox-images/` builds nothing and uses the recorded images.
 *
 * @throws FluffyError `images_missing`, `images_not_recorded`, and those of `ensureImages` (exit 3)
 */
export async function projectImages(options: ProjectImagesOptions): Promise<ProjectImages> {
  const manifest = (await hasRecipes(options.repoRoot)) ? await ensured(options) : await recorded(options);
  const [kernel, node, provider] = ['kernel', 'node', 'provider'].map((name) => manifest.images[name]?.id);
  if (kernel === undefined || node === undefined || provider === undefined) throw missing('they have not been built');
  // The base of every image has Python, unless an image was built only for Python.
  const sandboxes = { node, provider, python: manifest.images['python']?.id ?? node };
  const policy = manifest.images['policy-sandbox']?.id;
  return { kernel, sandboxes: policy === undefined ? sandboxes : { ...sandboxes, 'policy-sandbox': policy } };
}

async function hasRecipes(repoRoot: string): Promise<boolean> {
  return (await stat(join(repoRoot, 'sandbox-images')).catch(() => undefined))?.isDirectory() === true;
}

async function ensured({ engine, stateHome, repoRoot, onProgress }: ProjectImagesOptions): Promise<ImageManifest> {
  try {
    return await ensureImages({ engine, stateHome, repoRoot, onProgress, offline: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && FILE_SYSTEM_REFUSALS.has(error.code))
      throw notRecorded(stateHome, error);
    throw error;
  }
}

/** The file system is full, or this user may not write to it. */
const FILE_SYSTEM_REFUSALS = new Set<unknown>(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM']);

async function recorded({ engine, stateHome }: ProjectImagesOptions): Promise<ImageManifest> {
  const manifest = await readImageManifest(stateHome);
  for (const id of new Set(Object.values(manifest.images).map((image) => image.id)))
    if ((await findImage(engine, id)) === undefined) throw missing(`the engine no longer has ${id.slice(0, 19)}`);
  return manifest;
}

export interface ChosenImageOptions extends ProjectImagesOptions {
  readonly projectRoot: string;
  /** Owner of the project. */
  readonly uid: number;
  readonly gid: number;
}

/**
 * The image of the user's configuration, inspected and tested again, because the settings of sandboxes may have changed since.
 *
 * @throws FluffyError `image_unusable`, `image_input_missing`, `engine_refused`, `engine_unreachable`
 */
export async function chosenImage(choice: ImageChoice, options: ChosenImageOptions): Promise<ProjectImage> {
  const { repoRoot, stateHome, onProgress } = options;
  const caches = join(stateHome, 'toolchains');
  await makeDirectories(caches, 0o755);
  const programs = await imagePrograms({ repoRoot, caches: await realpath(caches), onProgress });
  const seccomp = await readFile(join(repoRoot, 'seccomp/standard-net.json'), 'utf8');
  onProgress(`trying the image ${choice.reference}`);
  return projectImage(choice, { ...options, seccomp, programs });
}

function missing(why: string): FluffyError {
  return new FluffyError({
    code: 'images_missing',
    what: 'The sandbox images are missing',
    why,
    fix: 'run: fluffy image build',
    exitCode: EXIT.noRuntime,
  });
}

function notRecorded(stateHome: string, cause: Error): FluffyError {
  return new FluffyError({
    code: 'images_not_recorded',
    what: 'The sandbox images could not be recorded',
    why: cause.message,
    fix: `free space on the disk of ${stateHome}, or make that directory writable`,
    exitCode: EXIT.noRuntime,
    cause,
  });
}
