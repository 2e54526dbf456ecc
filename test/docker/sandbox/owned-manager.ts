import { templateLimits } from '../../../src/contracts/sandbox/sandbox-templates.ts';
import { DEFAULT_TIMING, SandboxManager } from '../../../src/kernel/sandbox/index.ts';
import { DEFAULT_LIMITS, Scheduler } from '../../../src/kernel/scheduler/index.ts';
import { DockerRuntime } from '../../../src/platform/docker/docker-runtime.ts';
import { createSandboxDirectories } from '../../../src/platform/sandbox-dirs/sandbox-directories.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { systemRandom } from '../../../src/platform/system/random.ts';

export interface OwnerSetup {
  readonly uid: number;
  readonly stateDir: string;
  readonly runDir: string;
  readonly projectRoot: string;
  readonly guardSocket: string;
}

/**
 * Gives up root for the project's owner, as whom the kernel runs in L1, and makes a sandbox manager on real containers. For a process of its own,
 * driven over the channel of `fork`: its lifecycle events are sent there unasked.
 */
export function managerAsOwner(
  setup: OwnerSetup,
  more: Pick<ConstructorParameters<typeof SandboxManager>[0], 'slotUsage'> = {},
): SandboxManager {
  process.setgroups?.([]);
  process.setgid?.(setup.uid);
  process.setuid?.(setup.uid);
  return new SandboxManager({
    runtime: new DockerRuntime({ socketPath: setup.guardSocket }),
    directories: createSandboxDirectories(setup),
    admission: new Scheduler({ limits: DEFAULT_LIMITS, clock: systemClock, memoryUsage: () => 0 }),
    clock: systemClock,
    random: systemRandom,
    identity: {
      uid: setup.uid,
      gid: setup.uid,
      projectRoot: setup.projectRoot,
      borrowedObjects: null,
      limits: templateLimits(),
    },
    kernelVersion: '1',
    onLifecycle: (event) => process.send?.({ event }),
    timing: DEFAULT_TIMING,
    ...more,
  });
}
