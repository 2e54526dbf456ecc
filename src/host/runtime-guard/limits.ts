import type { GuardContainerCreate } from '../../contracts/sandbox/guard-api.ts';
import type { ResourceLimits } from '../../contracts/sandbox/sandbox-templates.ts';

/** The requested limits, or the cap if it is lower: a request for too much is not refused but reduced. */
export function grantedLimits(requested: GuardContainerCreate['limits'], caps: ResourceLimits): ResourceLimits {
  return {
    memoryBytes: Math.min(requested.memory_bytes, caps.memoryBytes),
    cpus: Math.min(requested.cpus, caps.cpus),
    pids: Math.min(requested.pids, caps.pids),
    fileSizeBytes: Math.min(requested.file_size_bytes, caps.fileSizeBytes),
  };
}
