import type { OpenDoors } from '../../contracts/ports/host-doors.ts';
import type { HeldPaths } from './build-container.ts';
import type { GuardWorld } from './guard-world.ts';
import { openAbsolute, openBelow, type HeldDirectory, type OpenOutcome } from './held-directory.ts';
import type { ContainerPlan } from './plan-container.ts';
import type { ReleaseStack } from './release-stack.ts';
import { openSandboxDoors } from './sandbox-doors.ts';

export interface HoldPathsOptions {
  readonly world: GuardWorld;
  /** `<state>/kernel` and `<runtime>/l1`, which L1 writes to. */
  readonly state: HeldDirectory;
  readonly run: HeldDirectory;
  /** `<runtime>/guard`, which L1 does not see. */
  readonly doorsRoot: string;
  readonly openDoors: OpenDoors;
  readonly hasVolume: (name: string) => boolean;
}

export type HoldOutcome =
  { readonly kind: 'held'; readonly paths: HeldPaths } | { readonly kind: 'refused'; readonly reason: string };

/** Opens every directory the plan mounts, and the sandbox's doors. What was opened is closed by `releases`, on any outcome. */
export async function holdPaths(
  plan: ContainerPlan,
  options: HoldPathsOptions,
  releases: ReleaseStack,
): Promise<HoldOutcome> {
  const { request, shape } = plan;
  if (request.workspace.kind === 'overlay' && !options.hasVolume(request.workspace.volume))
    return { kind: 'refused', reason: 'no such workspace' };

  const problems: string[] = [];
  const hold = async (name: string, opening: Promise<OpenOutcome>): Promise<string> => {
    const outcome = await opening;
    if (outcome.kind === 'held') {
      releases.add(() => outcome.directory.close());
      return outcome.directory.path;
    }
    problems.push(`${name}: ${outcome.kind === 'missing' ? 'missing' : outcome.reason}`);
    return '';
  };

  const { sandbox } = request;
  const run = shape.kernelSocket ? await hold('run/sbx', openBelow(options.run, ['sbx', sandbox])) : undefined;
  const job = shape.job ? await hold('state/jobs', openBelow(options.state, ['jobs', sandbox])) : undefined;
  const out = shape.job ? await hold('state/out', openBelow(options.state, ['out', sandbox])) : undefined;
  const dependencies: { source: string; target: string }[] = [];
  for (const target of plan.dependencyMounts)
    dependencies.push({ source: await hold('dependency', openAbsolute(target)), target });
  if (problems.length > 0) return { kind: 'refused', reason: problems.join('; ') };

  let doors: string | undefined;
  if (plan.doors) {
    const asked = { sandbox, program: request.program, networkGroups: plan.networkGroups };
    await openSandboxDoors(options.openDoors, options.doorsRoot, asked, options.world, releases);
    doors = await hold('doors', openAbsolute(`${options.doorsRoot}/${sandbox}`));
  }
  if (problems.length > 0) return { kind: 'refused', reason: problems.join('; ') };
  return {
    kind: 'held',
    paths: {
      dependencies,
      ...(run !== undefined && { run }),
      ...(job !== undefined && { job }),
      ...(out !== undefined && { out }),
      ...(doors !== undefined && { doors }),
    },
  };
}
