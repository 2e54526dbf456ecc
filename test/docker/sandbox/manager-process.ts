/**
 * The sandbox manager in a process of its own that runs as the project's owner, as the kernel in L1 does. Driven over the
 * channel of `fork`; every request is {id, call, …} and every answer {id, result} or {id, error}; lifecycle events come unasked.
 */
import { DEFAULT_TIMING, SandboxManager } from '../../../src/kernel/sandbox/index.ts';
import { DEFAULT_LIMITS, Scheduler } from '../../../src/kernel/scheduler/index.ts';
import { DockerRuntime } from '../../../src/platform/docker/docker-runtime.ts';
import { createSandboxDirectories } from '../../../src/platform/sandbox-dirs/sandbox-directories.ts';
import { createSlotUsage } from '../../../src/platform/sandbox-dirs/slot-usage.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { systemRandom } from '../../../src/platform/system/random.ts';
import { SESSION } from './manager-protocol.ts';
import type { ManagerRequest, ManagerSetup } from './manager-protocol.ts';

serve(JSON.parse(process.argv[2] ?? '') as ManagerSetup);

function serve(setup: ManagerSetup): void {
  process.setgroups?.([]);
  process.setgid?.(setup.uid);
  process.setuid?.(setup.uid);
  const manager = new SandboxManager({
    runtime: new DockerRuntime({ socketPath: setup.guardSocket }),
    directories: createSandboxDirectories(setup),
    admission: new Scheduler({ limits: DEFAULT_LIMITS, clock: systemClock, memoryUsage: () => 0 }),
    clock: systemClock,
    random: systemRandom,
    identity: { uid: setup.uid, gid: setup.uid, projectRoot: setup.projectRoot },
    kernelVersion: '1',
    onLifecycle: (event) => process.send?.({ event }),
    slotUsage: createSlotUsage({ ...setup, maxBytes: setup.maxSlotBytes, maxEntries: 10_000, minFreeBytes: 0 }),
    timing: DEFAULT_TIMING,
  });
  process.on('message', (message: ManagerRequest & { id: number }) => {
    const started = performance.now();
    perform(manager, message).then(
      (result) => process.send?.({ id: message.id, result, tookMs: performance.now() - started }),
      (error: unknown) =>
        process.send?.({ id: message.id, error: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.send?.({ ready: true });
}

async function perform(manager: SandboxManager, request: ManagerRequest): Promise<unknown> {
  const signal = new AbortController().signal;
  switch (request.call) {
    case 'tool':
      return manager.tool({ ...request.operation, session: SESSION, signal });
    case 'test': {
      const outcome = await manager.test({ ...request.operation, session: SESSION, signal });
      if (outcome.kind !== 'ran') return outcome;
      return { kind: 'ran', result: { ...outcome.result, report: outcome.result.report?.toString('utf8') ?? null } };
    }
    case 'chat': {
      const provider = await manager.provider(SESSION, request.provider);
      const events: unknown[] = [];
      await provider.chat(request.request, (event) => events.push(event), signal);
      await provider.close();
      return events;
    }
    case 'warm':
      return manager.warm(SESSION, 'replay');
    case 'collect':
      return manager.collectOrphans();
    case 'close':
      return manager.closeAll();
  }
}
