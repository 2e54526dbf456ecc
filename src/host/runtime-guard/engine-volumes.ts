import { volumeSchema } from './engine-answers.ts';
import type { EngineClient } from './engine-client.ts';
import type { EngineVolumeCreate } from './build-volume.ts';

export type VolumeOutcome =
  | { readonly kind: 'made' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'engine-error'; readonly status: number; readonly body: unknown };

const madeSchema = volumeSchema.extend({ Options: volumeSchema.shape.Labels });

/** Creates a volume. An existing one of that name is a conflict: the engine itself would return the old one with its options. */
export async function makeVolume(engine: EngineClient, wanted: EngineVolumeCreate): Promise<VolumeOutcome> {
  const { status, body } = await engine.call('POST', '/volumes/create', { body: wanted });
  if (status !== 201) return { kind: 'engine-error', status, body };
  const made = madeSchema.safeParse(body);
  const isWanted =
    made.success &&
    made.data.Options?.['o'] === wanted.DriverOpts.o &&
    made.data.Options['device'] === wanted.DriverOpts.device;
  return isWanted ? { kind: 'made' } : { kind: 'conflict' };
}
