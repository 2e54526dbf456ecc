import { TEMPLATES } from '../../contracts/sandbox/sandbox-templates.ts';
import type { ResourceLimits } from '../../contracts/sandbox/sandbox-templates.ts';
import type { UserConfig } from './config-schema.ts';

export interface Machine {
  /** What this process may use. */
  readonly processors: number;
  readonly memoryBytes: number;
}

const MAX_CPUS = 64;
const MAX_PIDS = 4096;

/**
 * The limits of a sandbox in which code of the project runs. What the user's configuration does not set is a share of the machine: the processors
 * divided by the number of such sandboxes that run at once, and for each of these what the template has for one, up to a quarter of the memory.
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
