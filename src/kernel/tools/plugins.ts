import { CORE_TAGS } from '../../contracts/policy.ts';
import type { ToolOperation } from '../../contracts/ports/sandboxes.ts';

/** The provider of a tool, by which policy rules and the audit log identify it. */
export interface ToolPlugin {
  readonly name: string;
  /** Tags by which policy rules trust it. A plugin that does not ship has none. */
  readonly tags: readonly string[];
  /** The program in the sandbox; null for a plugin without one. */
  readonly program: ToolOperation['program'] | null;
}

const shipped = (name: string, program: ToolPlugin['program']): ToolPlugin => ({ name, tags: CORE_TAGS, program });

export const KERNEL = shipped('kernel', null);
export const FS_TOOL = shipped('fs-tool', 'tool:fs');
export const GIT_TOOL = shipped('git-tool', 'tool:git');
export const SHELL_TOOL = shipped('shell-tool', 'tool:shell');
/** The test runner is the sandbox's main process; no program of fluffy answers there. */
export const TEST_TOOL = shipped('test-tool', null);
/**
 * Also without a program of fluffy that answers: a package manager contacts other hosts, so the kernel judges the
 * report that it leaves.
 */
export const PACKAGE_TOOL = shipped('package-tool', null);
