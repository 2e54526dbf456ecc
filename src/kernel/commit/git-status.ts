import { gitStatusResultSchema } from '../../contracts/sandbox/git-tool.ts';
import type { GitStatusResult } from '../../contracts/sandbox/git-tool.ts';
import type { Sandboxes } from '../../contracts/ports/sandboxes.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import type { Session } from '../session/session.ts';
import type { GitStatus } from './committable.ts';

const DEADLINE_MS = 60_000;

/** What git says of the project with the session's changes; it runs in a sandbox. */
export async function gitStatus(
  sandboxes: Sandboxes,
  session: Session,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<GitStatus> {
  const outcome = await workspace.overlay((slot) =>
    sandboxes.tool({
      session: session.id,
      program: 'tool:git',
      slot,
      mode: session.mode,
      method: 'git.status',
      params: {},
      deadlineMs: DEADLINE_MS,
      signal,
    }),
  );
  if (outcome.kind !== 'completed') return { kind: 'failed', why: outcome.kind };
  await outcome.discard();
  const { value } = outcome;
  if (value.kind === 'tool-error' && value.code === 'sandbox_failed') return { kind: 'git-failed', why: value.message };
  if (value.kind !== 'ok') return { kind: 'failed', why: value.kind };
  return readStatus(gitStatusResultSchema.parse(value.result));
}

export function readStatus({ entries, truncated }: GitStatusResult): GitStatus {
  return { kind: 'ok', dirty: entries.map((entry) => entry.path), truncated };
}
