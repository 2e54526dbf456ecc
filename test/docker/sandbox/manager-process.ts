/**
 * The sandbox manager in a process of its own that runs as the project's owner, as the kernel in L1 does. Driven over the
 * channel of `fork`; every request is {id, call, …} and every answer {id, result} or {id, error}; lifecycle events come unasked.
 */
import type { SandboxManager } from '../../../src/kernel/sandbox/index.ts';
import { createSlotUsage } from '../../../src/platform/sandbox-dirs/slot-usage.ts';
import { SESSION } from './manager-protocol.ts';
import type { ManagerRequest, ManagerSetup } from './manager-protocol.ts';
import { managerAsOwner } from './owned-manager.ts';

serve(JSON.parse(process.argv[2] ?? '') as ManagerSetup);

function serve(setup: ManagerSetup): void {
  const slotUsage = createSlotUsage({ ...setup, maxBytes: setup.maxSlotBytes, maxEntries: 10_000, minFreeBytes: 0 });
  const manager = managerAsOwner(setup, { slotUsage });
  process.on('message', (message: ManagerRequest & { id: number }) => {
    perform(manager, message).then(
      (result) => process.send?.({ id: message.id, result }),
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
