import { LABELS, type GuardVolumeCreate } from '../../contracts/sandbox/guard-api.ts';
import type { SandboxId, SessionId } from '../../contracts/ids.ts';
import { engineName, ownLabels, type GuardContext } from './guard-context.ts';

export interface HeldLayers {
  readonly project: string;
  readonly staging: string;
  /** Parts of the layers of installed packages, highest first. */
  readonly packages: readonly string[];
  readonly upper: string;
  readonly work: string;
}

/**
 * The engine's create request for a workspace: staging over installed packages over project, changes to the slot. The layers are `/proc/<pid>/fd/N`,
 * so no comma or colon of a real path gets into the options. `userxattr`: opaque marks that the owner can read back.
 */
export function buildWorkspace(request: GuardVolumeCreate, context: GuardContext, layers: HeldLayers) {
  const lower = [layers.staging, ...layers.packages, layers.project].join(':');
  const options = `lowerdir=${lower},upperdir=${layers.upper},workdir=${layers.work},userxattr`;
  return {
    Name: engineName(context, request.sandbox),
    Driver: 'local',
    DriverOpts: { type: 'overlay', device: 'overlay', o: options },
    Labels: labelsOf(request, context, 'sandbox'),
  };
}

/**
 * The engine's create request for one held directory. A plain bind mount of `/proc/<pid>/fd/N` fails: the engine creates binds inside the container's
 * own mount namespace, where the kernel refuses a directory of another. The volume is mounted in the engine's namespace first. Never recursive: what
 * is mounted below on the host stays outside.
 */
export function buildDirectoryVolume(
  request: { readonly sandbox: SandboxId; readonly session: SessionId },
  purpose: string,
  source: string,
  context: GuardContext,
) {
  return {
    Name: `${engineName(context, request.sandbox)}-${purpose}`,
    Driver: 'local',
    DriverOpts: { type: 'none', device: source, o: 'bind' },
    Labels: labelsOf(request, context, 'mount'),
  };
}

export type EngineVolumeCreate = ReturnType<typeof buildWorkspace> | ReturnType<typeof buildDirectoryVolume>;

function labelsOf(
  request: { readonly sandbox: SandboxId; readonly session: SessionId },
  context: GuardContext,
  role: 'sandbox' | 'mount',
): Record<string, string> {
  return {
    ...ownLabels(context),
    [LABELS.role]: role,
    [LABELS.session]: request.session,
    [LABELS.sandbox]: request.sandbox,
  };
}
