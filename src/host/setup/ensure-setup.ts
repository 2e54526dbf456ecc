import type { BaseChoice } from '../images/base-image.ts';
import type { Engine } from '../images/engine-api.ts';
import { ensureImages } from '../images/ensure-images.ts';
import type { ImageManifest } from '../images/image-records.ts';
import { type EngineOptions, ensureEngine } from './ensure-engine.ts';

export interface SetupOptions extends EngineOptions {
  readonly repoRoot: string;
  readonly base?: BaseChoice;
}

export interface Setup {
  readonly engine: Engine;
  readonly images: ImageManifest;
}

/**
 * Makes what a run needs: an engine that answers, and fresh images. Changes the machine only with consent; without it, what is
 * missing is thrown as the error that names the command to run by hand.
 *
 * @throws BootstrapError and FluffyError as `ensureEngine` and `ensureImages` tell
 */
export async function ensureSetup(options: SetupOptions): Promise<Setup> {
  const engine = await ensureEngine(options);
  const images = await ensureImages({
    engine,
    stateHome: options.stateHome,
    repoRoot: options.repoRoot,
    onProgress: options.onProgress,
    ...(options.base !== undefined && { base: options.base }),
  });
  return { engine, images };
}
