import { z } from 'zod';
import type { ChangeSet } from '../contracts/change-set.ts';
import { evidenceFactsSchema } from '../contracts/evidence.ts';
import type { EvidenceDecision } from '../contracts/evidence.ts';
import { gitCommitResultSchema, gitStatusResultSchema } from '../contracts/git-tool.ts';
import type { GitCommitInput, GitCommitResult } from '../contracts/git-tool.ts';
import type { ObjectId, ReviewId, Sha256 } from '../contracts/ids.ts';
import { preparedCommitSchema } from '../contracts/prepared-commit.ts';
import type { CommitSignature } from '../contracts/prepared-commit.ts';
import type { Clock } from '../contracts/ports/clock.ts';
import type { AuditLog } from '../contracts/ports/audit-log.ts';
import type { Attest } from '../contracts/ports/host-doors.ts';
import type { MergeTarget } from '../contracts/ports/merge-target.ts';
import type { OperationLog } from '../contracts/ports/operation-log.ts';
import type { PreparedObjects } from '../contracts/ports/prepared-objects.ts';
import type { Repository, RepositoryState, StoredObject } from '../contracts/ports/repository.ts';
import type { Sandboxes } from '../contracts/ports/sandboxes.ts';
import type { Workspace } from '../contracts/ports/workspace.ts';
import { composeCommittable, describeProblem } from './committable.ts';
import type { GitStatus } from './committable.ts';
import { commitFacts } from './commit-facts.ts';
import { commitDiff } from './merge/commit-diff.ts';
import { commitMessage } from './merge/commit-message.ts';
import { composeCommit } from './merge/compose-changes.ts';
import type { ComposedChanges } from './merge/compose-changes.ts';
import { dirtySince } from './merge/differs-from-head.ts';
import { composeEvidenceCommit } from './merge/evidence-commit.ts';
import { envelopeFile, stateFacts } from './merge/evidence.ts';
import { planMerge } from './merge/plan-merge.ts';
import { requestAttestation } from './merge/request-attestation.ts';
import { runMerge } from './merge/run-merge.ts';
import { forgetOldMerges, undoCommit } from './merge/undo-history.ts';
import { verifyPreparedCommit } from './merge/verify-prepared-commit.ts';
import type {
  CommitResult,
  CommittableResult,
  Commits,
  Decision,
  PrepareResult,
  UndoResult,
} from './pipeline/world.ts';
import type { CompiledPolicy } from './policy/index.ts';
import type { Session } from './session/session.ts';

/** What the session keeps of a commit under review. */
const keptSchema = z.strictObject({
  prepared: preparedCommitSchema,
  facts: evidenceFactsSchema,
});

export interface CommitsWorld {
  readonly openRepository: () => Repository;
  readonly target: MergeTarget;
  readonly log: OperationLog;
  readonly objects: PreparedObjects;
  readonly sandboxes: Sandboxes;
  readonly audit: AuditLog;
  /** Without the host's word there is no commit. */
  readonly attest: Attest;
  readonly clock: Clock;
  readonly policy: () => CompiledPolicy;
  readonly images: Readonly<Record<string, string>>;
}

const DEADLINE_MS = 60_000;

/** The repository step: composes, verifies and merges commits. The only kernel code that decides what a commit is made of. */
export class RepositoryCommits implements Commits {
  readonly #world: CommitsWorld;

  constructor(world: CommitsWorld) {
    this.#world = world;
  }

  async base(): ReturnType<Commits['base']> {
    const outcome = await this.#withRepository((repository) => repository.state());
    if (outcome.kind === 'problem') return { kind: 'problem', reason: describeProblem(outcome.problem) };
    return { kind: 'ok', branch: outcome.state.branchRef, head: outcome.state.head };
  }

  async dirtyPaths(session: Session, workspace: Workspace, signal: AbortSignal): Promise<readonly string[]> {
    const status = await this.#status(session, workspace, signal);
    if (status.kind === 'failed') throw new Error(`git status could not be had: ${status.why}`);
    return status.dirty;
  }

  async #status(session: Session, workspace: Workspace, signal: AbortSignal): Promise<GitStatus> {
    const outcome = await workspace.overlay((slot) =>
      this.#world.sandboxes.tool({
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
    if (value.kind !== 'ok') return { kind: 'failed', why: value.kind };
    const { entries, truncated } = gitStatusResultSchema.parse(value.result);
    return { kind: 'ok', dirty: entries.map((entry) => entry.path), truncated };
  }

  committable(session: Session, workspace: Workspace, signal: AbortSignal): Promise<CommittableResult> {
    return this.#withRepository(async (repository) => {
      const found = await composeCommittable(repository, session, workspace, (view) =>
        this.#status(session, view, signal),
      );
      if (found.kind === 'refused') return found;
      const { composed, dirty, view, digest } = found;
      return { kind: 'ok', tree: composed.tree, dirty, view, digest };
    });
  }

  prepare(session: Session, workspace: Workspace, text: string, signal: AbortSignal): Promise<PrepareResult> {
    return this.#withRepository(async (repository) => {
      const found = await composeCommittable(repository, session, workspace, (view) =>
        this.#status(session, view, signal),
      );
      if (found.kind === 'refused') return found;
      const { state, changes, composed, statusPaths, unlikeHead, dirty, view, digest } = found;
      if (dirty.length > 0 && session.snapshot.green?.repeated?.view !== digest) return { kind: 'moved' };
      const prepared = await this.#makeAndVerify({
        session,
        workspace,
        text,
        signal,
        repository,
        state,
        changes,
        composed,
      });
      if (prepared.kind !== 'prepared') return prepared;
      const since = dirtySince(session.snapshot.dirty_at_start ?? [], statusPaths, changes);
      return { ...prepared, findings: [...prepared.findings, ...describeDirty(unlikeHead, since, view.kept)] };
    });
  }

  async merge(session: Session, decision: Decision): Promise<CommitResult> {
    const kept = keptSchema.parse(session.snapshot.prepared);
    const { prepared, facts } = kept;
    if (prepared.message !== decision.message || prepared.parent !== decision.base) {
      return { kind: 'failed', reason: 'what was prepared is not what was shown' };
    }
    const attested = {
      commit: prepared.commit,
      facts,
      decision: evidenceDecision(decision, this.#world.clock.nowMs()),
    };
    const envelope = envelopeFile(await requestAttestation(this.#world.attest, this.#world.audit, attested));
    return this.#withRepository(async (repository) => {
      const digest = evidenceDigest(prepared.message);
      const { committer, commit } = prepared;
      const evidence = await composeEvidenceCommit(repository, { commit, digest, envelope, committer });
      await this.#world.objects.add(session.id, evidence.objects);
      const plan = planMerge(session.id, prepared, [
        { ref: evidence.ref, from: evidence.from, to: evidence.to, objects: evidence.objects.keys() },
      ]);
      const outcome = await runMerge({ log: this.#world.log, target: this.#world.target }, plan);
      if (outcome.kind === 'merged') {
        await this.#world.objects.drop(session.id);
        // The commit is made, whatever becomes of this: the next start tries again.
        await forgetOldMerges({ log: this.#world.log, target: this.#world.target }).catch(() => undefined);
        return { kind: 'committed', commit: outcome.commit };
      }
      return outcome;
    });
  }

  async undo(commit: string): Promise<UndoResult> {
    const { log, target, clock } = this.#world;
    const at = { seconds: Math.floor(clock.nowMs() / 1000), offsetMinutes: 0 };
    const outcome = await undoCommit({ log, target }, commit, at);
    if (outcome === null) return { kind: 'unknown', reason: 'what it replaced is no longer kept' };
    return outcome.kind === 'merged' ? { kind: 'undone' } : outcome;
  }

  async #makeAndVerify(work: {
    readonly session: Session;
    readonly workspace: Workspace;
    readonly text: string;
    readonly signal: AbortSignal;
    readonly repository: Repository;
    readonly state: RepositoryState;
    readonly changes: ChangeSet;
    readonly composed: ComposedChanges;
  }): Promise<PrepareResult> {
    const { session, workspace, repository, state, changes, composed } = work;
    const shown = await commitDiff(withObjects(repository, composed.objects), state.headTree, composed.tree);
    if (shown.kind === 'refused') return refused(shown.reason);
    const evidence = stateFacts(commitFacts(this.#world, session, state, shown.changes, composed.tree));
    if (evidence.kind === 'refused') return refused(evidence.reason);
    const mode = session.snapshot.red === null ? `${session.mode}-unverified` : session.mode;
    const message = commitMessage(work.text, { session: session.id, mode, evidence: evidence.digest });
    if (message === null) return refused('the commit message is empty');
    const signature: CommitSignature = {
      ...session.snapshot.options.author,
      seconds: Math.floor(this.#world.clock.nowMs() / 1000),
      offsetMinutes: 0,
    };
    const expected = composeCommit(state, changes, composed, { message, author: signature, committer: signature });

    let findings: readonly string[] = [];
    const outcome = await workspace.overlay((slot) =>
      this.#world.sandboxes.tool({
        session: session.id,
        program: 'tool:git',
        slot,
        mode: session.mode,
        method: 'git.commit',
        params: {
          parent: state.head,
          entries: entriesOf(composed),
          message,
          author: signature,
          committer: signature,
        } satisfies GitCommitInput,
        deadlineMs: DEADLINE_MS,
        signal: work.signal,
      }),
    );
    if (outcome.kind !== 'completed') return refused(`the commit could not be prepared: ${outcome.kind}`);
    try {
      if (outcome.value.kind !== 'ok')
        return refused(`the commit could not be prepared: ${describeFailure(outcome.value)}`);
      const answer = gitCommitResultSchema.safeParse(outcome.value.result);
      if (!answer.success) return refused('the git tool answered with something that is no commit');
      const verdict = await verifyPreparedCommit(repository, expected, answer.data.commit, outcome.read);
      if (verdict.kind === 'refused') return refused(verdict.reason);
      const filtered = answer.data.converted.filter(({ by }) => by.startsWith('filter='));
      if (filtered.length > 0) return refused(describeFiltered(filtered));
      findings = answer.data.converted.map(
        ({ path }) => `${path} is committed as it is; git itself would convert its line ends or encoding.`,
      );
    } finally {
      await outcome.discard();
    }
    await this.#world.objects.save(session.id, expected.objects);
    session.update({ prepared: { prepared: expected.prepared, facts: evidence.facts } });
    return { kind: 'prepared', message, diff: shown.diff, findings };
  }

  async #withRepository<T>(use: (repository: Repository) => Promise<T>): Promise<T> {
    const repository = this.#world.openRepository();
    try {
      return await use(repository);
    } finally {
      await repository.close();
    }
  }
}

function describeDirty(unlikeHead: readonly string[], since: readonly string[], kept: readonly string[]): string[] {
  const findings = unlikeHead.map(
    (path) => `${path} holds your own uncommitted changes, which this commit would include.`,
  );
  if (since.length > 0) {
    const named = since.slice(0, 10).join(', ') + (since.length > 10 ? ` and ${since.length - 10} more` : '');
    findings.push(`The working tree changed meanwhile: ${named}; it is left alone.`);
  }
  findings.push(...kept.map((path) => `${path} is a submodule at another commit; the tests ran with it as it is.`));
  return findings;
}

/** The repository with objects over it that it does not have yet. */
function withObjects(
  repository: Repository,
  objects: ReadonlyMap<ObjectId, StoredObject>,
): Pick<Repository, 'readObject'> {
  return { readObject: async (id, maxBytes) => objects.get(id) ?? (await repository.readObject(id, maxBytes)) };
}

function evidenceDecision(decision: Decision, nowMs: number): EvidenceDecision {
  const common = { review_id: decision.reviewId as ReviewId, sha256: decision.sha256 as Sha256, decided_ms: nowMs };
  if (decision.by === 'policy') return { by: 'policy', ...common };
  const { signature, publicKey } = decision;
  if (signature === undefined || publicKey === undefined) throw new Error('an approval without a signature');
  return { by: 'human', ...common, signature, public_key: publicKey };
}

/** The digest stands in the message, which is what was approved. */
function evidenceDigest(message: string): Sha256 {
  const found = /^Fluffy-Evidence: ([0-9a-f]{64})$/m.exec(message)?.[1];
  if (found === undefined) throw new Error('a prepared commit without evidence');
  return found as Sha256;
}

const MODES: Readonly<Record<number, '100644' | '100755' | '120000'>> = {
  0o100644: '100644',
  0o100755: '100755',
  0o120000: '120000',
};

function entriesOf(composed: ComposedChanges): GitCommitInput['entries'] {
  return composed.edits.map(({ path, entry }) => ({
    path,
    mode: entry === null ? null : (MODES[entry.mode] ?? '100644'),
  }));
}

function describeFiltered(converted: GitCommitResult['converted']): string {
  const named = converted.map(({ path, by }) => `${path} (${by})`).join(', ');
  return `${named} go through a git filter, which does not run here: such files cannot be committed by fluffy. Leave them as they are.`;
}

function describeFailure(value: {
  readonly kind: string;
  readonly message?: string;
  readonly reason?: string;
}): string {
  return value.message ?? value.reason ?? value.kind;
}

function refused(reason: string): PrepareResult {
  return { kind: 'refused', reason };
}
