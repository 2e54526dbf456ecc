import type { EvidenceDecision, EvidenceFacts } from '../../contracts/evidence.ts';
import { gitCommitResultSchema, gitStatusResultSchema } from '../../contracts/git-tool.ts';
import type { GitCommitInput, GitCommitResult, GitStatusResult } from '../../contracts/git-tool.ts';
import type { ObjectId, ReviewId, Sha256 } from '../../contracts/ids.ts';
import type { CommitSignature, PreparedCommit } from '../../contracts/prepared-commit.ts';
import type { Clock } from '../../contracts/ports/clock.ts';
import type { AuditLog } from '../../contracts/ports/audit-log.ts';
import type { Attest } from '../../contracts/ports/host-services.ts';
import type { MergeTarget } from '../../contracts/ports/merge-target.ts';
import type { OperationLog } from '../../contracts/ports/operation-log.ts';
import type { PreparedObjects } from '../../contracts/ports/prepared-objects.ts';
import type { Repository, StoredObject } from '../../contracts/ports/repository.ts';
import type { Sandboxes } from '../../contracts/ports/sandboxes.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { composeStaged, describeProblem, lookAround } from './committable.ts';
import type { GitStatus, StagedTree } from './committable.ts';
import { commitFacts } from './commit-facts.ts';
import { commitDiff } from '../repository/commit-diff.ts';
import { commitMessage } from './commit-message.ts';
import { composeCommit } from '../repository/compose-changes.ts';
import { dirtySince } from '../repository/differs-from-head.ts';
import { composeEvidenceCommit } from './evidence-commit.ts';
import { envelopeFile, stateFacts } from './evidence.ts';
import { planMerge } from './plan-merge.ts';
import { requestAttestation } from './request-attestation.ts';
import { runMerge } from './run-merge.ts';
import { forgetOldMerges, undoCommit } from './undo-history.ts';
import { verifyPreparedCommit } from './verify-prepared-commit.ts';
import type { CommitResult, CommittableResult, Commits, Decision, PrepareResult, UndoResult } from '../services.ts';
import type { CompiledPolicy } from '../policy/index.ts';
import type { Session } from '../session/session.ts';

export interface CommitsServices {
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

/** A commit that may be shown. `status`: what git saw around it when it was made. */
interface MadeCommit {
  readonly kind: 'made';
  readonly prepared: PreparedCommit;
  readonly objects: ReadonlyMap<ObjectId, StoredObject>;
  readonly facts: EvidenceFacts;
  readonly diff: string;
  readonly findings: readonly string[];
  readonly status: GitStatus;
}

type RefusedCommit = Extract<PrepareResult, { readonly kind: 'refused' }>;

const DEADLINE_MS = 60_000;

/** The repository step: composes, verifies and merges commits. The only kernel code that decides what a commit is made of. */
export class RepositoryCommits implements Commits {
  readonly #services: CommitsServices;

  constructor(services: CommitsServices) {
    this.#services = services;
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
      this.#services.sandboxes.tool({
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
    return readStatus(gitStatusResultSchema.parse(value.result));
  }

  committable(session: Session, workspace: Workspace, signal: AbortSignal): Promise<CommittableResult> {
    return this.#withRepository(async (repository) => {
      const staged = await composeStaged(repository, session, workspace);
      if (staged.kind === 'refused') return staged;
      const status = await this.#status(session, workspace, signal);
      const around = await lookAround(repository, session, workspace, staged, status);
      if (around.kind === 'refused') return around;
      const { dirty, view, digest } = around;
      return { kind: 'ok', tree: staged.composed.tree, dirty, view, digest };
    });
  }

  prepare(session: Session, workspace: Workspace, text: string, signal: AbortSignal): Promise<PrepareResult> {
    return this.#withRepository(async (repository) => {
      const staged = await composeStaged(repository, session, workspace);
      if (staged.kind === 'refused') return staged;
      const made = await this.#make({ session, workspace, text, signal, repository, staged });
      if (made.kind === 'refused') return made;
      const around = await lookAround(repository, session, workspace, staged, made.status);
      if (around.kind === 'refused') return around;
      const { statusPaths, unlikeHead, dirty, view, digest } = around;
      if (dirty.length > 0 && session.snapshot.green?.repeated?.view !== digest) return { kind: 'moved' };
      const { prepared, objects, facts, diff } = made;
      await this.#services.objects.save(session.id, objects);
      session.update({ prepared: { prepared, facts } });
      const since = dirtySince(session.snapshot.dirty_at_start ?? [], statusPaths, staged.changes);
      const findings = [...made.findings, ...describeDirty(unlikeHead, since, view.kept)];
      return { kind: 'prepared', message: prepared.message, diff, findings };
    });
  }

  async merge(session: Session, decision: Decision): Promise<CommitResult> {
    const kept = session.snapshot.prepared;
    if (kept === null) return { kind: 'failed', reason: 'no commit is prepared' };
    const { prepared, facts } = kept;
    if (prepared.message !== decision.message || prepared.parent !== decision.base) {
      return { kind: 'failed', reason: 'what was prepared is not what was shown' };
    }
    const attested = {
      commit: prepared.commit,
      facts,
      decision: evidenceDecision(decision, this.#services.clock.nowMs()),
    };
    const envelope = envelopeFile(await requestAttestation(this.#services.attest, this.#services.audit, attested));
    return this.#withRepository(async (repository) => {
      const digest = evidenceDigest(prepared.message);
      const { committer, commit } = prepared;
      const evidence = await composeEvidenceCommit(repository, { commit, digest, envelope, committer });
      await this.#services.objects.add(session.id, evidence.objects);
      const plan = planMerge(session.id, prepared, [
        { ref: evidence.ref, from: evidence.from, to: evidence.to, objects: evidence.objects.keys() },
      ]);
      const outcome = await runMerge({ log: this.#services.log, target: this.#services.target }, plan);
      if (outcome.kind === 'merged') {
        await this.#services.objects.drop(session.id);
        // The commit is made, whatever becomes of this: the next start tries again.
        await forgetOldMerges({ log: this.#services.log, target: this.#services.target }).catch(() => undefined);
        return { kind: 'committed', commit: outcome.commit };
      }
      return outcome;
    });
  }

  async undo(commit: string): Promise<UndoResult> {
    const { log, target, clock } = this.#services;
    const at = { seconds: Math.floor(clock.nowMs() / 1000), offsetMinutes: 0 };
    const outcome = await undoCommit({ log, target }, commit, at);
    if (outcome === null) return { kind: 'unknown', reason: 'what it replaced is no longer kept' };
    return outcome.kind === 'merged' ? { kind: 'undone' } : outcome;
  }

  /** Has the commit made in a sandbox, and checks that it is the one the kernel would have made. Keeps nothing of it. */
  async #make(work: {
    readonly session: Session;
    readonly workspace: Workspace;
    readonly text: string;
    readonly signal: AbortSignal;
    readonly repository: Repository;
    readonly staged: StagedTree;
  }): Promise<MadeCommit | RefusedCommit> {
    const { session, workspace, repository } = work;
    const { state, changes, composed } = work.staged;
    const shown = await commitDiff(withObjects(repository, composed.objects), state.headTree, composed.tree);
    if (shown.kind === 'refused') return refused(shown.reason);
    const evidence = stateFacts(commitFacts(this.#services, session, state, shown.changes, composed.tree));
    if (evidence.kind === 'refused') return refused(evidence.reason);
    const mode = session.snapshot.red === null ? `${session.mode}-unverified` : session.mode;
    const message = commitMessage(work.text, { session: session.id, mode, evidence: evidence.digest });
    if (message === null) return refused('the commit message is empty');
    const signature: CommitSignature = {
      ...session.snapshot.options.author,
      seconds: Math.floor(this.#services.clock.nowMs() / 1000),
      offsetMinutes: 0,
    };
    const expected = composeCommit(state, changes, composed, { message, author: signature, committer: signature });

    const outcome = await workspace.overlay((slot) =>
      this.#services.sandboxes.tool({
        session: session.id,
        program: 'tool:git',
        slot,
        mode: session.mode,
        method: 'git.commit',
        params: {
          parent: state.head,
          entries: entriesOf(work.staged),
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
      const findings = answer.data.converted.map(
        ({ path }) => `${path} is committed as it is; git itself would convert its line ends or encoding.`,
      );
      const { prepared, objects } = expected;
      const status = readStatus(answer.data.status);
      return { kind: 'made', prepared, objects, facts: evidence.facts, diff: shown.diff, findings, status };
    } finally {
      await outcome.discard();
    }
  }

  async #withRepository<T>(use: (repository: Repository) => Promise<T>): Promise<T> {
    const repository = this.#services.openRepository();
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

function entriesOf({ composed }: StagedTree): GitCommitInput['entries'] {
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

function readStatus({ entries, truncated }: GitStatusResult): GitStatus {
  return { kind: 'ok', dirty: entries.map((entry) => entry.path), truncated };
}

function refused(reason: string): RefusedCommit {
  return { kind: 'refused', reason };
}
