/** Sandboxes: made, watched, removed. */
export { SandboxManager } from './sandbox-manager.ts';
export { DEFAULT_TIMING } from './sandbox-world.ts';
export type { SandboxLifecycle, SandboxTiming, SandboxWorld } from './sandbox-world.ts';
export type { SandboxIdentity } from './compare-settings.ts';
