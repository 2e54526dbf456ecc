import { TEMPLATES } from '../../contracts/sandbox/sandbox-templates.ts';
import type { ResourceLimits } from '../../contracts/sandbox/sandbox-templates.ts';
import type { UserConfig } from './config-schema.ts';

export interface Machine {
  /** The resources that this process may use. */
  readonly processors: number;
  readonly memoryBytes: number;
}

const MAX_CPUS = 64;
const MAX_PIDS = 4096;

/**
 * The limits of a sandbox with project code. Values that the user's configuration does not set are a share of the machine: the processors divided by
 * the number of such sandboxes at once, and for each processor the template's memory for one, up to a quarter of the memory.
 */
export function sandboxLimits(configured: UserConfig['sandbox'], machine: Machine): ResourceLimits {
  const { limits, places } = TEMPLATES['code-executor'];
  const cpus = configured.cpus ?? Math.max(limits.cpus, Math.min(Math.floor(machine.processors / places), MAX_CPUS));
  const processors = Math.max(1, Math.floor(cpus));
  const share = Math.min(limits.memoryBytes * processors, Math.floor(machine.memoryBytes / 4));
  return {
    memoryBytes: configured.memory ?? Math.max(limits.memoryBytes, share),
    cpus,
    pids: configured.pids ?? Math.min(limits.pids * processors, MAX_PIDS),
    fileSizeBytes: limits.fileSizeBytes,
  };
}
