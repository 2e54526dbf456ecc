import { constants } from 'node:os';
import type { ContainerState } from '../../contracts/ports/container-runtime.ts';
import type { ProcessExit } from '../../contracts/sandbox/test-run.ts';

/**
 * How a container's main process ended. The memory killer may have struck a child only: that counts, unless the main process
 * nevertheless reports success, in which case what it reports is looked at like any other report.
 */
export function processExit(state: ContainerState): ProcessExit {
  if (state.outOfMemory && state.exitCode !== 0) return { kind: 'out-of-memory' };
  const signal = signalName(state.exitCode - 128);
  return signal === null ? { kind: 'exited', code: state.exitCode } : { kind: 'signalled', signal };
}

function signalName(number: number): string | null {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found?.[0] ?? null;
}
