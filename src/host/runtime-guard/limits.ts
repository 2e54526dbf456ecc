import type { GuardContainerCreate } from '../../contracts/sandbox/guard-api.ts';
import type { ResourceLimits } from '../../contracts/sandbox/sandbox-templates.ts';

/** What is requested, or the cap where that is lower: a request for too much is not refused, and never gets more than the cap. */
export function grantedLimits(requested: GuardContainerCreate['limits'], caps: ResourceLimits): ResourceLimits {
  return {
    memoryBytes: Math.min(requested.memory_bytes, caps.memoryBytes),
    cpus: Math.min(requested.cpus, caps.cpus),
    pids: Math.min(requested.pids, caps.pids),
    fileSizeBytes: Math.min(requested.file_size_bytes, caps.fileSizeBytes),
  };
}
