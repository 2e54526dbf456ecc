/** Creates, watches and removes sandboxes. */
export { SandboxManager } from './sandbox-manager.ts';
export { DEFAULT_TIMING } from './sandbox-services.ts';
export type { SandboxConnections, SandboxLifecycle, SandboxTiming, SandboxServices } from './sandbox-services.ts';
export type { SandboxIdentity } from './compare-settings.ts';
