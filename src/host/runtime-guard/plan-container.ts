import type { GuardContainerCreate } from '../../contracts/sandbox/guard-api.ts';
import { ownValue } from '../../lib/own-value.ts';
import type { GuardContext, ProjectImageShape, ReadOnlyMount, ServiceShape } from './guard-context.ts';
import { engineName } from './guard-context.ts';
import {
  SANDBOX_PROGRAMS,
  hasServiceSockets,
  packageManagerOf,
  type ProgramDefinition,
} from '../../contracts/sandbox/sandbox-programs.ts';
import { TEMPLATES, type ResourceLimits } from '../../contracts/sandbox/sandbox-templates.ts';
import type { JoinedNetwork } from './join-network.ts';
import { grantedLimits } from './limits.ts';

/** An accepted request, with everything that L1 only named filled in from the host's own knowledge. */
export interface ContainerPlan {
  readonly request: GuardContainerCreate;
  readonly shape: ProgramDefinition;
  readonly imageId: string;
  readonly limits: ResourceLimits;
  readonly sockets: boolean;
  readonly networkGroups: readonly string[];
  readonly provider: string | null;
  /** Directories of the host, mounted read-only. */
  readonly readOnlyMounts: readonly ReadOnlyMount[];
  /** Declarations of the user's image; null for other images. */
  readonly projectImage: ProjectImageShape | null;
  /** The service; null for other programs. */
  readonly service: ServiceShape | null;
  /** null: the container has a loopback of its own. */
  readonly network: JoinedNetwork | null;
}

export type PlanOutcome =
  { readonly kind: 'planned'; readonly plan: ContainerPlan } | { readonly kind: 'refused'; readonly reason: string };

/** A service that is a program of this machine uses the machine's files, read-only, because Fluffy's image lacks them. */
const PROGRAMS_OF_HOST: readonly ReadOnlyMount[] = [{ source: '/usr', target: '/usr' }];

const refused = (reason: string): { readonly kind: 'refused'; readonly reason: string } => ({
  kind: 'refused',
  reason,
});

/**
 * Decides whether a create request is allowed. Pure: whether directories and volumes exist is checked later. `ownMounts`: directories of the program
 * itself. `network`: the network to join, which `findNetwork` has found.
 */
export function planContainer(
  request: GuardContainerCreate,
  context: Omit<GuardContext, 'packageMounts'>,
  ownMounts: readonly string[] = [],
  network: JoinedNetwork | null = null,
): PlanOutcome {
  const { program, template } = request;
  const shape = SANDBOX_PROGRAMS[program];
  if (!shape.templates.includes(template)) return refused(`${program} does not run in ${template}`);
  if (!shape.images.includes(request.image)) return refused(`${program} does not run in the image ${request.image}`);
  const service = findService(request, context);
  if (service.kind === 'refused') return service;
  if (program === 'service' && network === null) return refused('a service needs the network of a test run');
  // Its hosts are those of the network that it joins; without one, no decision about hosts was made.
  if (program === 'test' && TEMPLATES[template].network !== 'none' && network === null)
    return refused('a test with a network needs one to join');
  const imageId = service.shape?.imageId ?? context.images[request.image];
  if (imageId === undefined) return refused(`the image ${request.image} has not been built`);

  const projectImage = request.image === 'project' ? (context.projectImage ?? null) : null;
  if (request.image === 'project' && projectImage === null) return refused('no image is named for this project');

  const { workspace } = request;
  if (workspace.kind === 'none' && shape.workspace === 'required') return refused(`${program} needs a workspace`);
  if (workspace.kind === 'overlay' && shape.workspace === 'never') return refused(`${program} has no workspace`);
  if (workspace.kind === 'overlay' && workspace.volume !== engineName(context, request.sandbox))
    return refused('the volume was not made for this sandbox');

  const networkGroups = request.network_groups ?? [];
  const reach = TEMPLATES[template].network;
  if (reach !== 'network-groups' && networkGroups.length > 0) return refused(`${template} has no network groups`);

  const runsWithToolchains = shape.runsProjectCode && packageManagerOf(program) === null && program !== 'service';
  const provider = request.provider ?? null;
  if (provider !== null && reach !== 'provider-endpoint') return refused(`${program} has no provider`);

  return {
    kind: 'planned',
    plan: {
      request,
      shape,
      imageId,
      limits: grantedLimits(request.limits, context.caps[template]),
      sockets: hasServiceSockets(program, template),
      networkGroups,
      provider,
      readOnlyMounts: [
        ...[
          ...(workspace.kind === 'overlay' && context.borrowedObjects !== null ? [context.borrowedObjects] : []),
          ...(runsWithToolchains ? context.dependencyMounts : []),
          ...ownMounts,
        ].map((path) => ({ source: path, target: path })),
        ...(runsWithToolchains ? (context.placedMounts ?? []) : []),
        ...(service.shape?.imageId === null ? PROGRAMS_OF_HOST : []),
      ],
      projectImage,
      service: service.shape,
      network,
    },
  };
}

type FoundService =
  | { readonly kind: 'found'; readonly shape: ServiceShape | null }
  | { readonly kind: 'refused'; readonly reason: string };

/** L1 names a service; the user's configuration defines it. */
function findService(
  { program, service, image }: GuardContainerCreate,
  { services = {} }: Pick<GuardContext, 'services'>,
): FoundService {
  if (program !== 'service') {
    return service === undefined ? { kind: 'found', shape: null } : refused(`${program} is no service`);
  }
  const shape = service === undefined ? undefined : ownValue(services, service);
  if (shape === undefined) return refused('there is no such service');
  if ((shape.imageId === null) !== (image === 'node')) return refused(`the service does not run in the image ${image}`);
  return { kind: 'found', shape };
}
