import { CORE_TAGS } from '../../contracts/policy.ts';
import type { ToolOperation } from '../../contracts/ports/sandboxes.ts';

/** Who provides a tool: policy rules and the audit log know it by this. */
export interface ToolPlugin {
  readonly name: string;
  /** What policy rules may trust it for. A plugin that does not ship has none. */
  readonly tags: readonly string[];
  /** What runs in the sandbox; null for a plugin that the kernel starts no sandbox for. */
  readonly program: ToolOperation['program'] | null;
}

const shipped = (name: string, program: ToolPlugin['program']): ToolPlugin => ({ name, tags: CORE_TAGS, program });

export const KERNEL = shipped('kernel', null);
export const FS_TOOL = shipped('fs-tool', 'tool:fs');
export const GIT_TOOL = shipped('git-tool', 'tool:git');
export const SHELL_TOOL = shipped('shell-tool', 'tool:shell');
/** The test runner is the sandbox's main process: no program of ours answers there. */
export const TEST_TOOL = shipped('test-tool', null);
/** Nor in that of a package manager, which speaks to strangers: the kernel judges the report that it leaves. */
export const PACKAGE_TOOL = shipped('package-tool', null);
