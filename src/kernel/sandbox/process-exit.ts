import { constants } from 'node:os';
import type { ContainerState } from '../../contracts/ports/container-runtime.ts';
import type { ProcessExit } from '../../contracts/sandbox/test-run.ts';

/**
 * How a container's main process ended. The kernel may have killed only a child for its memory. That counts, unless the
 * main process reports success; then its report is checked like any other.
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
