import type { ChangeSet } from '../../contracts/review/change-set.ts';
import type { EvidenceFacts } from '../../contracts/review/evidence.ts';
import { gitCommitResultSchema } from '../../contracts/sandbox/git-tool.ts';
import type { GitCommitInput, GitCommitResult } from '../../contracts/sandbox/git-tool.ts';
import type { ObjectId } from '../../contracts/ids.ts';
import type { CommitSignature, PreparedCommit } from '../../contracts/review/prepared-commit.ts';
import type { Repository, StoredObject } from '../../contracts/ports/repository.ts';
import { modeTrailer } from '../../lib/evidence/unproven.ts';
import { askGit } from '../call/perform/ask-git.ts';
import type { GitRunner } from '../call/perform/ask-git.ts';
import { commitDiff } from '../repository/commit-diff.ts';
import { composeCommit } from '../repository/compose-changes.ts';
import type { PrepareResult } from '../services.ts';
import { commitFacts } from './commit-facts.ts';
import { commitMessage } from './commit-message.ts';
import type { GitStatus, StagedTree } from './committable.ts';
import { stateFacts } from './evidence.ts';
import { readStatus } from './git-status.ts';
import type { CommitsServices } from './commit-services.ts';
import { verifyPreparedCommit } from './verify-prepared-commit.ts';
import { whyNoResult, whyNotRun } from './why-no-answer.ts';

type MakeServices = Pick<CommitsServices, 'audit' | 'clock' | 'policy' | 'images'>;

/** A commit that may be shown. `status`: the git status when the commit was made. */
export interface MadeCommit {
  readonly kind: 'made';
  readonly prepared: PreparedCommit;
  readonly objects: ReadonlyMap<ObjectId, StoredObject>;
  readonly facts: EvidenceFacts;
  readonly diff: string;
  readonly findings: readonly string[];
  readonly status: GitStatus;
}

type RefusedCommit = Extract<PrepareResult, { readonly kind: 'refused' }>;

/** Has the commit made in a sandbox, and checks that it is the one the kernel would have made. Stores nothing of it. */
export async function makeCommit(
  services: MakeServices,
  work: GitRunner & { readonly text: string; readonly repository: Repository; readonly staged: StagedTree },
): Promise<MadeCommit | RefusedCommit> {
  const { session, workspace, repository } = work;
  const { state, changes, composed } = work.staged;
  const shown = await commitDiff(withObjects(repository, composed.objects), state.headTree, composed.tree);
  if (shown.kind === 'refused') return refused(shown.reason);
  const evidence = stateFacts(asStored(commitFacts(services, session, state, shown.changes, composed.tree), changes));
  if (evidence.kind === 'refused') return refused(evidence.reason);
  const message = commitMessage(work.text, {
    session: session.id,
    mode: modeTrailer(evidence.facts),
    evidence: evidence.digest,
  });
  if (message === null) return refused('the commit message is empty');
  const signature: CommitSignature = {
    ...session.snapshot.options.author,
    seconds: Math.floor(services.clock.nowMs() / 1000),
    offsetMinutes: 0,
  };
  const expected = composeCommit(state, changes, composed, { message, author: signature, committer: signature });

  const input = {
    parent: state.head,
    entries: entriesOf(work.staged),
    message,
    author: signature,
    committer: signature,
  } satisfies GitCommitInput;
  const outcome = await workspace.overlay(askGit(work, 'git.commit', input), { overrides: work.staged.added });
  if (outcome.kind !== 'completed') return refused(`the commit could not be prepared: ${whyNotRun(outcome)}`);
  try {
    if (outcome.value.kind !== 'ok') return refused(`the commit could not be prepared: ${whyNoResult(outcome.value)}`);
    const answer = gitCommitResultSchema.safeParse(outcome.value.result);
    if (!answer.success) return refused('the git tool returned an invalid commit');
    const verdict = await verifyPreparedCommit(repository, expected, answer.data.commit, outcome.read);
    if (verdict.kind === 'refused') return refused(verdict.reason);
    const filtered = answer.data.converted.filter(({ by }) => by.startsWith('filter='));
    if (filtered.length > 0) return refused(describeFiltered(filtered));
    const unlikeGit = answer.data.converted.filter(({ path }) => !work.staged.lineFeeds.has(path));
    const findings = unlikeGit.map(
      ({ path }) => `${path} is committed unchanged; git itself would convert its line ends or encoding.`,
    );
    const { prepared, objects } = expected;
    const status = readStatus(answer.data.status);
    return { kind: 'made', prepared, objects, facts: evidence.facts, diff: shown.diff, findings, status };
  } finally {
    await outcome.discard();
  }
}

/**
 * The facts with the red tests in the form in which the commit stores them, if git stores another form than the one
 * that failed. The committed tests are still the tests that failed.
 */
function asStored(facts: EvidenceFacts, staged: ChangeSet): EvidenceFacts {
  if (facts.red === null) return facts;
  const stagedAt = new Map(staged.map(({ path, after }) => [String(path), after]));
  const storedAt = new Map(facts.changes.map(({ path, after }) => [String(path), after]));
  const files = facts.red.test_files.map((file) => {
    const [before, stored] = [stagedAt.get(file.path), storedAt.get(file.path)];
    const isSame = before?.kind === 'file' && before.sha256 === file.sha256 && stored?.kind === 'file';
    return isSame ? { ...file, sha256: stored.sha256 } : file;
  });
  return { ...facts, red: { ...facts.red, test_files: files } };
}

/** The repository together with objects that it does not contain yet. */
function withObjects(
  repository: Repository,
  objects: ReadonlyMap<ObjectId, StoredObject>,
): Pick<Repository, 'readObject'> {
  return { readObject: async (id, maxBytes) => objects.get(id) ?? (await repository.readObject(id, maxBytes)) };
}

const MODES: Readonly<Record<number, '100644' | '100755' | '120000'>> = {
  0o100644: '100644',
  0o100755: '100755',
  0o120000: '120000',
};

function entriesOf({ composed, lineFeeds }: StagedTree): GitCommitInput['entries'] {
  return composed.edits.map(({ path, entry }) => ({
    path,
    mode: entry === null ? null : (MODES[entry.mode] ?? '100644'),
    ...(lineFeeds.has(path) ? { line_feeds: true } : {}),
  }));
}

function describeFiltered(converted: GitCommitResult['converted']): string {
  const named = converted.map(({ path, by }) => `${path} (${by})`).join(', ');
  return `${named} go through a git filter, which does not run here: such files cannot be committed by fluffy. Put back what they had, or call task.give_up and say that a person has to change them.`;
}

function refused(reason: string): RefusedCommit {
  return { kind: 'refused', reason };
}
