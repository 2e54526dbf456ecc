import type { GuardContainerCreate } from '../../contracts/sandbox/guard-api.ts';
import type { GuardContext, ProjectImageShape, ReadOnlyMount } from './guard-context.ts';
import { engineName } from './guard-context.ts';
import {
  SANDBOX_PROGRAMS,
  hasServiceSockets,
  packageManagerOf,
  type ProgramDefinition,
} from '../../contracts/sandbox/sandbox-programs.ts';
import { TEMPLATES, type ResourceLimits } from '../../contracts/sandbox/sandbox-templates.ts';
import { grantedLimits } from './limits.ts';

/** A request that was found to be one of our shapes, with everything L1 only named filled in from the host's own knowledge. */
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
  /** Of an image of the user's; null for the others. */
  readonly projectImage: ProjectImageShape | null;
}

export type PlanOutcome =
  { readonly kind: 'planned'; readonly plan: ContainerPlan } | { readonly kind: 'refused'; readonly reason: string };

const refused = (reason: string): PlanOutcome => ({ kind: 'refused', reason });

/**
 * Decides whether a create request is one of our shapes. Pure: whether directories and volumes exist is seen later. `ownMounts`: directories of the
 * program itself.
 */
export function planContainer(
  request: GuardContainerCreate,
  context: Omit<GuardContext, 'packageMounts'>,
  ownMounts: readonly string[] = [],
): PlanOutcome {
  const { program, template } = request;
  const shape = SANDBOX_PROGRAMS[program];
  if (!shape.templates.includes(template)) return refused(`${program} does not run in ${template}`);
  if (!shape.images.includes(request.image)) return refused(`${program} does not run in the image ${request.image}`);
  const imageId = context.images[request.image];
  if (imageId === undefined) return refused(`the image ${request.image} has not been built`);

  const projectImage = request.image === 'project' ? (context.projectImage ?? null) : null;
  if (request.image === 'project' && projectImage === null) return refused('no image is named for this project');

  const { workspace } = request;
  if (workspace.kind === 'none' && shape.workspace === 'required') return refused(`${program} needs a workspace`);
  if (workspace.kind === 'overlay' && shape.workspace === 'never') return refused(`${program} has no workspace`);
  if (workspace.kind === 'overlay' && workspace.volume !== engineName(context, request.sandbox))
    return refused('the volume was not made for this sandbox');

  const networkGroups = request.network_groups ?? [];
  const { network } = TEMPLATES[template];
  if (network !== 'network-groups' && networkGroups.length > 0) return refused(`${template} has no network groups`);

  const runsWithToolchains = shape.runsProjectCode && packageManagerOf(program) === null;
  const provider = request.provider ?? null;
  if (provider !== null && network !== 'provider-endpoint') return refused(`${program} has no provider`);

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
      ],
      projectImage,
    },
  };
}
