import type { GuardContainerCreate, SandboxTemplate } from '../../contracts/guard-api.ts';

/** The most a sandbox of a template gets, whatever L1 asks for. */
export interface LimitCaps {
  readonly memoryBytes: number;
  readonly cpus: number;
  readonly pids: number;
  readonly fileSizeBytes: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_CAPS: Readonly<Record<SandboxTemplate, LimitCaps>> = {
  'ai-provider': { memoryBytes: 256 * MIB, cpus: 0.5, pids: 10, fileSizeBytes: 16 * MIB },
  'code-executor': { memoryBytes: 1024 * MIB, cpus: 1, pids: 100, fileSizeBytes: 1024 * MIB },
  'integration-test': { memoryBytes: 1024 * MIB, cpus: 1, pids: 100, fileSizeBytes: 1024 * MIB },
  'policy-sandbox': { memoryBytes: 256 * MIB, cpus: 1, pids: 64, fileSizeBytes: MIB },
};

/** What was asked for, or the cap where that is lower: never refused for asking too much, never more than the cap. */
export function grantedLimits(asked: GuardContainerCreate['limits'], caps: LimitCaps): LimitCaps {
  return {
    memoryBytes: Math.min(asked.memory_bytes, caps.memoryBytes),
    cpus: Math.min(asked.cpus, caps.cpus),
    pids: Math.min(asked.pids, caps.pids),
    fileSizeBytes: Math.min(asked.file_size_bytes, caps.fileSizeBytes),
  };
}
