import type { SandboxFailure } from '../../contracts/ports/sandboxes.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { RpcFailure } from '../../ipc/index.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import { processExit } from './process-exit.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxServices } from './sandbox-services.ts';

/** Why a sandbox stopped answering: `error` is the result of the request, the rest comes from the engine. */
export async function diagnose(services: SandboxServices, sandbox: Sandbox, error: unknown): Promise<SandboxFailure> {
  if (isDiskFull(error) || (await services.isDiskFull?.()) === true) return { kind: 'disk-full' };
  const said = messageOf(error);
  if (error instanceof RpcFailure && error.outcome.kind === 'closed') {
    const { reason } = error.outcome;
    // A program that broke the protocol is still running; its exit state would explain nothing.
    if (reason.kind === 'violation') return { kind: 'failed', reason: said };
    const over = new AbortController();
    const limit = services.clock.sleep(services.timing.afterDeathMs, over.signal).catch(() => undefined);
    const state = (await Promise.race([sandbox.ended, limit])) ?? null;
    over.abort();
    if (state === null) return { kind: 'failed', reason: said };
    if (state.outOfMemory) return { kind: 'out-of-memory' };
    return { kind: 'failed', reason: `the program ended: ${describeExit(processExit(state))}` };
  }
  return { kind: 'failed', reason: said };
}

function describeExit(exit: ReturnType<typeof processExit>): string {
  switch (exit.kind) {
    case 'exited':
      return `exit code ${exit.code}`;
    case 'signalled':
      return exit.signal;
    case 'out-of-memory':
    case 'timed-out':
      return exit.kind;
  }
}
