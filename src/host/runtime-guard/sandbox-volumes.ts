import type { OpenServiceSockets, ServiceSockets } from '../../contracts/ports/host-services.ts';
import type { SandboxVolumes } from './build-container.ts';
import { buildDirectoryVolume } from './build-volume.ts';
import type { EngineClient } from './engine-client.ts';
import { makeVolume } from './engine-volumes.ts';
import type { GuardReply } from './guard-server.ts';
import type { GuardContext } from './guard-context.ts';
import { openAbsolute, openBelow, type HeldDirectory, type OpenOutcome } from './held-directory.ts';
import { removeVolume } from './owned-objects.ts';
import type { ContainerPlan } from './plan-container.ts';
import type { ReleaseStack } from './release-stack.ts';
import { openSandboxSockets } from './service-sockets.ts';

export interface SandboxVolumesOptions {
  readonly engine: EngineClient;
  readonly context: GuardContext;
  /** `<state>/kernel` and `<runtime>/l1`, which L1 writes to. */
  readonly state: HeldDirectory;
  readonly run: HeldDirectory;
  /** `<runtime>/guard`, which L1 does not see. */
  readonly socketsRoot: string;
  readonly openSockets: OpenServiceSockets;
  /** Whether this guard created the workspace, so that its layers are held open. */
  readonly hasWorkspace: (volume: string) => boolean;
}

export type SandboxVolumesOutcome =
  | { readonly kind: 'made'; readonly volumes: SandboxVolumes; readonly sockets: ServiceSockets | null }
  | { readonly kind: 'not'; readonly reply: GuardReply };

/** A directory to mount: `purpose` decides its path in the container. */
interface Wanted {
  readonly purpose: string;
  readonly open: () => Promise<OpenOutcome>;
}

/**
 * Opens every directory that the plan mounts, and the sandbox's service sockets, and creates a volume of each. `releases` undoes everything, on any
 * outcome; a volume is removed before its directory is closed.
 */
export async function makeSandboxVolumes(
  plan: ContainerPlan,
  options: SandboxVolumesOptions,
  releases: ReleaseStack,
): Promise<SandboxVolumesOutcome> {
  const { request } = plan;
  if (request.workspace.kind === 'overlay' && !options.hasWorkspace(request.workspace.volume))
    return { kind: 'not', reply: { kind: 'refused', reason: 'no such workspace' } };
  const { networkGroups, provider } = plan;
  const { program } = request;
  const opened = plan.sockets
    ? await openSandboxSockets(options, request.sandbox, { program, networkGroups, provider }, releases)
    : null;

  const made = await Promise.all(
    wantedDirectories(plan, options).map(async ({ purpose, open }) => {
      const outcome = await open();
      if (outcome.kind !== 'held') return { purpose, reply: refusal(purpose, outcome) };
      releases.add(() => outcome.directory.close());
      const wanted = buildDirectoryVolume(request, purpose, outcome.directory.path, options.context);
      const result = await makeVolume(options.engine, wanted);
      if (result.kind === 'engine-error') return { purpose, reply: result };
      if (result.kind === 'conflict')
        return { purpose, reply: refusal(purpose, { kind: 'refused', reason: 'in use' }) };
      releases.add(() => removeVolume(options.engine, wanted.Name));
      return { purpose, name: wanted.Name };
    }),
  );
  const failed = made.find((one) => one.reply !== undefined);
  if (failed?.reply !== undefined) return { kind: 'not', reply: failed.reply };

  const nameOf = (purpose: string): string | undefined => made.find((one) => one.purpose === purpose)?.name;
  const [run, sockets, out, programs] = ['run', 'sockets', 'out', 'programs'].map(nameOf);
  const dependencies = plan.readOnlyMounts.flatMap(({ target }, index) => {
    const volume = nameOf(`dependency${index}`);
    return volume === undefined ? [] : [{ volume, target }];
  });
  return {
    kind: 'made',
    sockets: opened,
    volumes: {
      dependencies,
      ...(run !== undefined && { run }),
      ...(sockets !== undefined && { sockets }),
      ...(out !== undefined && { out }),
      ...(programs !== undefined && { programs }),
    },
  };
}

function wantedDirectories(plan: ContainerPlan, options: SandboxVolumesOptions): Wanted[] {
  const { sandbox } = plan.request;
  const programs = plan.projectImage?.programs;
  const { state, run, socketsRoot } = options;
  return [
    ...(plan.shape.pluginName !== null ? [{ purpose: 'run', open: () => openBelow(run, ['sbx', sandbox]) }] : []),
    ...(plan.sockets ? [{ purpose: 'sockets', open: () => openAbsolute(`${socketsRoot}/${sandbox}`) }] : []),
    ...(plan.shape.job ? [{ purpose: 'out', open: () => openBelow(state, ['out', sandbox]) }] : []),
    ...(programs === undefined ? [] : [{ purpose: 'programs', open: () => openAbsolute(programs) }]),
    ...plan.readOnlyMounts.map(({ source }, index) => ({
      purpose: `dependency${index}`,
      open: () => openAbsolute(source),
    })),
  ];
}

function refusal(purpose: string, outcome: Exclude<OpenOutcome, { kind: 'held' }>): GuardReply {
  return { kind: 'refused', reason: `${purpose}: ${outcome.kind === 'missing' ? 'missing' : outcome.reason}` };
}
