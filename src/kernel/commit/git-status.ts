import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { gitStatusResultSchema } from '../../contracts/sandbox/git-tool.ts';
import type { GitStatusResult } from '../../contracts/sandbox/git-tool.ts';
import { repositoryUnreadable } from '../../lib/git/repository-unreadable.ts';
import { askGit, GIT_DEADLINE_MS } from '../call/perform/ask-git.ts';
import type { GitRunner } from '../call/perform/ask-git.ts';
import type { GitStatus } from './committable.ts';
import { whyNoResult, whyNotRun } from './why-no-answer.ts';

const TRY_IT =
  'Run `git status` in the project. Where it reports a fault, see `git fsck`; where it does not end, remove the named pipe that is in ' +
  'the place of a `.gitignore` or `.gitattributes` file.';

/**
 * The output of `git status` for the project with the session's changes; git runs in a sandbox. If git does not end,
 * the repository is at fault: for example, a named pipe in place of a rule file such as `.gitignore` makes git wait for
 * ever.
 */
export async function gitStatus(git: GitRunner): Promise<GitStatus> {
  const outcome = await git.workspace.overlay(askGit(git, 'git.status', {}));
  if (outcome.kind !== 'completed') return { kind: 'failed', why: whyNotRun(outcome) };
  await outcome.discard();
  const { value } = outcome;
  if (value.kind === 'tool-error' && value.code === 'sandbox_failed') return { kind: 'git-failed', why: value.message };
  if (value.kind === 'timed-out')
    return { kind: 'git-failed', why: `git did not end within ${GIT_DEADLINE_MS / 1000} s` };
  if (value.kind !== 'ok') return { kind: 'failed', why: whyNoResult(value) };
  return readStatus(gitStatusResultSchema.parse(value.result));
}

export function readStatus({ entries, truncated }: GitStatusResult): GitStatus {
  return { kind: 'ok', dirty: entries.map((entry) => entry.path), truncated };
}

/** The error of a task that cannot start without the git status. */
export function withoutStatus(status: Exclude<GitStatus, { kind: 'ok' }>): FluffyError {
  if (status.kind === 'git-failed') return repositoryUnreadable('git status failed', status.why, undefined, TRY_IT);
  return new FluffyError({
    code: 'repository_not_ready',
    what: 'No work can start on this repository',
    why: `git status gave no result: ${status.why}`,
    fix: 'Remove the cause, then start again; `fluffy doctor` looks at the sandboxes',
    exitCode: EXIT.usage,
  });
}
