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
 * Prepares what a run needs: an engine that answers, and up-to-date images. Changes the machine only with consent; without it, throws the error that
 * names the command to run by hand.
 *
 * @throws BootstrapError and FluffyError like `ensureEngine` and `ensureImages`
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
