import type { ChangeSet } from '../../contracts/review/change-set.ts';
import { gitFormsResultSchema } from '../../contracts/sandbox/git-tool.ts';
import type { GitFormsInput } from '../../contracts/sandbox/git-tool.ts';
import type { Repository, RepositoryState } from '../../contracts/ports/repository.ts';
import { hasCrlf, withLineFeeds } from '../../lib/git/line-feeds.ts';
import { hashObject } from '../../lib/git/object-id.ts';
import { askGit } from '../call/perform/ask-git.ts';
import type { GitRunner } from '../call/perform/ask-git.ts';
import type { ReadStaged } from '../repository/compose-changes.ts';
import { wasCheckedOutWithCrlf } from '../repository/differs-from-head.ts';
import { whyNoResult, whyNotRun } from './why-no-answer.ts';

type LineFeedPaths =
  { readonly kind: 'ok'; readonly paths: ReadonlySet<string> } | { readonly kind: 'refused'; readonly reason: string };

/**
 * The changed files that `git add` would store with LF although they have CRLF in the working tree. Git in a sandbox
 * decides this by the attributes and settings of the repository, and the user's `core.autocrlf`. It can choose only
 * between these two forms.
 */
export async function lineFeedPaths(
  git: GitRunner,
  repository: Repository,
  state: RepositoryState,
  changes: ChangeSet,
  readStaged: ReadStaged,
): Promise<LineFeedPaths> {
  const dirty = new Set(git.session.snapshot.dirty_at_start ?? []);
  const paths = new Set<string>();
  const asked = new Map<string, string>();
  for (const { path, before, after } of changes) {
    const content = after.kind === 'file' ? await readStaged(path) : null;
    if (content === null || !hasCrlf(content)) continue;
    if (!dirty.has(path) && (await wasCheckedOutWithCrlf(repository, state, path, before))) paths.add(path);
    else asked.set(path, hashObject('blob', withLineFeeds(content)));
  }
  if (asked.size === 0) return { kind: 'ok', paths };
  const params = {
    parent: state.head,
    paths: [...asked.keys()],
    ...(git.session.snapshot.options.autocrlf === true ? { users_autocrlf: true } : {}),
  } satisfies GitFormsInput;
  const outcome = await git.workspace.discarding(askGit(git, 'git.forms', params));
  if (outcome.kind !== 'completed') return refused(whyNotRun(outcome));
  if (outcome.value.kind !== 'ok') return refused(whyNoResult(outcome.value));
  const answer = gitFormsResultSchema.safeParse(outcome.value.result);
  if (!answer.success) return refused('the git tool returned an invalid answer');
  for (const { path, id } of answer.data.forms) if (asked.get(path) === id) paths.add(path);
  return { kind: 'ok', paths };
}

function refused(why: string): LineFeedPaths {
  return { kind: 'refused', reason: `git did not say how it stores line ends: ${why}` };
}
