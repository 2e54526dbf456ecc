import { LABELS, type GuardVolumeCreate } from '../../contracts/guard-api.ts';
import { engineName, ownLabels, type GuardWorld } from './guard-world.ts';

export interface HeldLayers {
  readonly project: string;
  readonly staging: string;
  readonly upper: string;
  readonly work: string;
}

/**
 * The engine's create request for a workspace: staging over project, changes to the slot. The layers are `/proc/<pid>/fd/N`, so
 * neither a comma nor a colon of a real path gets into the options. `userxattr`: opaque marks that the owner can read back.
 */
export function buildVolume(request: GuardVolumeCreate, world: GuardWorld, layers: HeldLayers) {
  return {
    Name: engineName(world, request.sandbox),
    Driver: 'local',
    DriverOpts: {
      type: 'overlay',
      device: 'overlay',
      o: `lowerdir=${layers.staging}:${layers.project},upperdir=${layers.upper},workdir=${layers.work},userxattr`,
    },
    Labels: {
      ...ownLabels(world),
      [LABELS.role]: 'sandbox',
      [LABELS.session]: request.session,
      [LABELS.sandbox]: request.sandbox,
    },
  };
}
