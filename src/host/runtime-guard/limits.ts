import type { GuardContainerCreate } from '../../contracts/guard-api.ts';
import { perTemplate } from '../../contracts/sandbox-templates.ts';
import type { ResourceLimits, SandboxTemplate } from '../../contracts/sandbox-templates.ts';

/** The most that a sandbox of each template gets, whatever L1 requests. */
export type LimitCaps = Readonly<Record<SandboxTemplate, ResourceLimits>>;

/** `userLimits`: what the user's configuration sets for the templates that allow it. */
export function limitCaps(userLimits?: ResourceLimits): LimitCaps {
  return perTemplate((template) => (template.userLimits ? (userLimits ?? template.limits) : template.limits));
}

/** What is requested, or the cap where that is lower: a request for too much is not refused, and never gets more than the cap. */
export function grantedLimits(requested: GuardContainerCreate['limits'], caps: ResourceLimits): ResourceLimits {
  return {
    memoryBytes: Math.min(requested.memory_bytes, caps.memoryBytes),
    cpus: Math.min(requested.cpus, caps.cpus),
    pids: Math.min(requested.pids, caps.pids),
    fileSizeBytes: Math.min(requested.file_size_bytes, caps.fileSizeBytes),
  };
}
