import type { SandboxTemplate } from '../../contracts/guard-api.ts';
import type { ResourceLimits } from '../../contracts/ports/sandboxes.ts';

export interface TemplateLimits extends ResourceLimits {
  /** Of one operation, not of a sandbox that waits for one. */
  readonly maxDurationMs: number;
}

const MIB = 1024 * 1024;
const SECOND_MS = 1000;

/** What is asked of the guard, which may grant less. */
export const TEMPLATE_LIMITS: Readonly<Record<SandboxTemplate, TemplateLimits>> = {
  'ai-provider': {
    memoryBytes: 256 * MIB,
    cpus: 0.5,
    pids: 10,
    fileSizeBytes: 16 * MIB,
    maxDurationMs: 120 * SECOND_MS,
  },
  'code-executor': {
    memoryBytes: 1024 * MIB,
    cpus: 1,
    pids: 100,
    fileSizeBytes: 256 * MIB,
    maxDurationMs: 300 * SECOND_MS,
  },
  'integration-test': {
    memoryBytes: 1024 * MIB,
    cpus: 1,
    pids: 100,
    fileSizeBytes: 256 * MIB,
    maxDurationMs: 300 * SECOND_MS,
  },
  'policy-sandbox': { memoryBytes: 256 * MIB, cpus: 1, pids: 64, fileSizeBytes: MIB, maxDurationMs: 100 },
};
