import { chmod, copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { IN_L2 } from '../../contracts/sandbox/container-paths.ts';
import { copyLinked } from '../toolchains/linked-program.ts';
import { madeOnce } from '../toolchains/made-once.ts';
import { readImageContext } from './image-context.ts';
import { hashContext, imagePlatform } from './image-source.ts';

export interface ImageProgramsOptions {
  /** The folder fluffy was cloned to. */
  readonly repoRoot: string;
  /** Fluffy's own directory for things that are made once. */
  readonly caches: string;
  readonly onProgress: (text: string) => void;
}

/**
 * A directory with Fluffy's programs for the user's images, as in its own images, and Node with its libraries. It is mounted, so that nothing has to
 * be built on a foreign image. Made once for each version.
 *
 * @throws FluffyError `image_input_missing`
 */
export async function imagePrograms({ repoRoot, caches, onProgress }: ImageProgramsOptions): Promise<string> {
  const context = await readImageContext(repoRoot, 'node', imagePlatform(process.arch));
  const { size, mtimeMs } = await stat(process.execPath);
  const hash = await hashContext(context, repoRoot, `${process.execPath} ${size} ${mtimeMs}`);
  const words = {
    making: 'copying Node and the tools for the image of this project, once',
    waiting: 'waiting for them',
  };
  return madeOnce(join(caches, `image-${hash.slice(0, 16)}`), words, onProgress, async (made) => {
    await copyLinked({ made, final: IN_L2.programs }, 'node', process.execPath, []);
    for (const { path, source } of context.files) {
      const target = join(made, relative(IN_L2.programs, `/${path}`));
      await mkdir(dirname(target), { recursive: true });
      await copyFile(source, target);
    }
    await openToAll(made);
  });
}

/** Regardless of the umask and the original modes, because sandboxes run as another user. */
async function openToAll(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  for (const path of [directory, ...entries.map(({ parentPath, name }) => join(parentPath, name))])
    await chmod(path, 0o755);
}
