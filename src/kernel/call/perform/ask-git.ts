import type { Sandboxes, ToolSandboxResult } from '../../../contracts/ports/sandboxes.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import type { Session } from '../../session/session.ts';

/** Who runs git, and for which session. */
export interface GitRunner {
  readonly sandboxes: Sandboxes;
  readonly session: Session;
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
}

/** Of each question to git. */
export const GIT_DEADLINE_MS = 60_000;

/** The kernel's own question to the git tool, in a sandbox that mounts the slot it is given. */
export function askGit(
  { sandboxes, session, signal }: Omit<GitRunner, 'workspace'>,
  method: string,
  params: unknown,
): (slot: number) => Promise<ToolSandboxResult> {
  return (slot) =>
    sandboxes.tool({
      session: session.id,
      program: 'tool:git',
      slot,
      mode: session.mode,
      method,
      params,
      deadlineMs: GIT_DEADLINE_MS,
      signal,
    });
}
