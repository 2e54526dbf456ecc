import type { EvidenceDecision } from '../../contracts/review/evidence.ts';
import type { ProjectPath, ReviewId, Sha256 } from '../../contracts/ids.ts';
import type { Repository } from '../../contracts/ports/repository.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import type { CommitsServices } from './commit-services.ts';
import { composeStaged, describeProblem, lookAround } from './committable.ts';
import { bytesInTree } from '../repository/state-in-tree.ts';
import { decodeUtf8 } from '../../lib/text/decode-utf8.ts';
import { dirtySince } from '../repository/differs-from-head.ts';
import { envelopeFile } from './evidence.ts';
import { gitStatus, withoutStatus } from './git-status.ts';
import { makeCommit } from './make-commit.ts';
import { mergeWithEvidence } from './merge/merge-with-evidence.ts';
import { recentSubjects } from './recent-subjects.ts';
import { requestAttestation } from './request-attestation.ts';
import { forgetOldMerges, lastDone, redoCommit, undoCommit } from './undo/undo-history.ts';
import type {
  CommitResult,
  CommittableResult,
  Commits,
  Decision,
  PrepareResult,
  RedoResult,
  UndoResult,
} from '../services.ts';
import type { Session } from '../session/session.ts';
import { listFirst } from '../../lib/text/list-first.ts';

/** Composes, verifies and merges commits. The only kernel code that decides the content of a commit. */
export class RepositoryCommits implements Commits {
  readonly #services: CommitsServices;
  #lastMove: Promise<unknown> = Promise.resolve();

  constructor(services: CommitsServices) {
    this.#services = services;
  }

  async base(): ReturnType<Commits['base']> {
    const outcome = await this.#withRepository((repository) => repository.state());
    if (outcome.kind === 'problem') return { kind: 'problem', reason: describeProblem(outcome.problem) };
    return { kind: 'ok', branch: outcome.state.branchRef, head: outcome.state.head };
  }

  recentSubjects(count: number): Promise<readonly string[]> {
    return this.#withRepository((repository) => recentSubjects(repository, count));
  }

  textOnHead(path: ProjectPath): Promise<string | null> {
    return this.#withRepository(async (repository) => {
      const outcome = await repository.state();
      const bytes = outcome.kind === 'ok' ? await bytesInTree(repository, outcome.state.headTree, path) : null;
      return bytes === null ? null : decodeUtf8(bytes);
    });
  }

  namesFilter(): Promise<boolean> {
    return this.#withRepository(async (repository) => (await repository.attributes())?.includes('filter') === true);
  }

  async dirtyPaths(session: Session, workspace: Workspace, signal: AbortSignal): Promise<readonly string[]> {
    const status = await gitStatus({ sandboxes: this.#services.sandboxes, session, workspace, signal });
    if (status.kind !== 'ok') throw withoutStatus(status);
    return status.dirty;
  }

  committable(session: Session, workspace: Workspace, signal: AbortSignal): Promise<CommittableResult> {
    const git = { sandboxes: this.#services.sandboxes, session, workspace, signal };
    return this.#withRepository(async (repository) => {
      const staged = await composeStaged(git, repository);
      if (staged.kind === 'refused') return staged;
      const status = await gitStatus(git);
      const around = await lookAround(repository, session, workspace, staged, status);
      if (around.kind === 'refused') return around;
      const { dirty, view, digest } = around;
      return { kind: 'ok', tree: staged.composed.tree, dirty, view, digest };
    });
  }

  prepare(session: Session, workspace: Workspace, text: string, signal: AbortSignal): Promise<PrepareResult> {
    const git = { sandboxes: this.#services.sandboxes, session, workspace, signal };
    return this.#withRepository(async (repository) => {
      const staged = await composeStaged(git, repository);
      if (staged.kind === 'refused') return staged;
      const made = await makeCommit(this.#services, { ...git, text, repository, staged });
      if (made.kind === 'refused') return made;
      const around = await lookAround(repository, session, workspace, staged, made.status);
      if (around.kind === 'refused') return around;
      const { statusPaths, unlikeHead, dirty, view, digest } = around;
      if (dirty.length > 0 && session.snapshot.green?.repeated?.view !== digest) return { kind: 'moved' };
      const { prepared, objects, facts, diff } = made;
      await this.#services.objects.save(session.id, new Map([...objects, ...staged.composed.files]));
      session.update({ prepared: { prepared, facts } });
      const atStart = session.snapshot.dirty_at_start ?? [];
      const since = dirtySince(atStart, statusPaths, staged.changes);
      const unlike = describeUnlikeHead(unlikeHead, new Set(atStart));
      const findings = [...made.findings, ...unlike, ...describeDirty(since, view.kept)];
      return { kind: 'prepared', message: prepared.message, diff, findings };
    });
  }

  async obstacle(session: Session): Promise<string | null> {
    const kept = session.snapshot.prepared;
    if (kept === null) return 'no commit is prepared';
    const now = await this.base();
    if (now.kind === 'problem') return now.reason;
    const { branchRef, parent: head, changes, edits } = kept.prepared;
    const looked = await this.#services.target.apply('', { kind: 'check', branchRef, head, changes, edits });
    return looked.kind === 'applied' ? null : withPaths(looked);
  }

  merge(session: Session, decision: Decision): Promise<CommitResult> {
    return this.#inTurn(() => this.#merge(session, decision));
  }

  undo(commit: string): Promise<UndoResult> {
    return this.#inTurn(() => this.#undo(commit));
  }

  redo(commit: string): Promise<RedoResult> {
    return this.#inTurn(() => this.#redo(commit));
  }

  /**
   * Runs merges, undos and redos of all sessions one at a time: each starts from the branch that the previous one left.
   */
  #inTurn<T>(move: () => Promise<T>): Promise<T> {
    const moving = this.#lastMove.then(move);
    this.#lastMove = moving.catch(() => undefined);
    return moving;
  }

  async #merge(session: Session, decision: Decision): Promise<CommitResult> {
    const { log, target, objects, attest, audit, clock } = this.#services;
    const kept = session.snapshot.prepared;
    if (kept === null) return { kind: 'failed', reason: 'no commit is prepared' };
    const { prepared, facts } = kept;
    if (prepared.message !== decision.message || prepared.parent !== decision.base) {
      return { kind: 'failed', reason: 'the prepared commit is not the one that was shown' };
    }
    const now = await this.base();
    if (now.kind === 'ok' && now.head !== prepared.parent)
      return { kind: 'conflict', paths: [prepared.branchRef], reason: 'the branch has moved' };
    const attested = { commit: prepared.commit, facts, decision: evidenceDecision(decision, clock.nowMs()) };
    const envelope = envelopeFile(await requestAttestation(attest, audit, attested));
    return this.#withRepository(async (repository) => {
      const digest = evidenceDigest(prepared.message);
      const outcome = await mergeWithEvidence(this.#services, repository, session.id, { prepared, digest, envelope });
      if (outcome.kind !== 'merged') return outcome;
      await objects.drop(session.id);
      // The commit is complete even if this fails; the next start tries again.
      await forgetOldMerges({ log, target }).catch(() => undefined);
      return { kind: 'committed', commit: outcome.commit };
    });
  }

  async #undo(commit: string): Promise<UndoResult> {
    const { log, target } = this.#services;
    const last = lastDone({ log }).get(commit);
    if (last !== undefined && last.plan.undoes !== null) return { kind: 'undone' };
    const outcome = await undoCommit({ log, target }, commit, this.#now());
    if (outcome === null) return { kind: 'unknown', reason: 'what it replaced is no longer kept' };
    return outcome.kind === 'merged' ? { kind: 'undone' } : outcome;
  }

  async #redo(commit: string): Promise<RedoResult> {
    const { log, target } = this.#services;
    if (lastDone({ log }).get(commit)?.plan.undoes === null) return { kind: 'redone' };
    const outcome = await redoCommit({ log, target }, commit, this.#now());
    if (outcome === null) return { kind: 'unknown', reason: 'how it was merged is no longer kept' };
    return outcome.kind === 'merged' ? { kind: 'redone' } : outcome;
  }

  #now(): { seconds: number; offsetMinutes: number } {
    return { seconds: Math.floor(this.#services.clock.nowMs() / 1000), offsetMinutes: 0 };
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

function withPaths({ reason, paths }: { readonly reason: string; readonly paths: readonly string[] }): string {
  return paths.length === 0 ? reason : `${reason} (${listFirst(paths, { max: 10 })})`;
}

/** Of a path that was clean at the start, nobody can tell whether an edit or another commit made it differ. */
function describeUnlikeHead(paths: readonly string[], dirtyAtStart: ReadonlySet<string>): string[] {
  return paths.map((path) =>
    dirtyAtStart.has(path)
      ? `${path} has uncommitted changes of yours, which this commit would include.`
      : `${path} was changed outside this session after it began, by another commit or by you; look in the diff what becomes of that.`,
  );
}

function describeDirty(since: readonly string[], kept: readonly string[]): string[] {
  const changed =
    since.length === 0
      ? []
      : [`The working tree changed meanwhile: ${listFirst(since, { max: 10 })}; it is not touched.`];
  return [
    ...changed,
    ...kept.map((path) => `${path} is a submodule at another commit; the tests ran with it as it is.`),
  ];
}

function evidenceDecision(decision: Decision, nowMs: number): EvidenceDecision {
  const common = { review_id: decision.reviewId as ReviewId, sha256: decision.sha256 as Sha256, decided_ms: nowMs };
  if (decision.by === 'policy') return { by: 'policy', ...common };
  const { signature, publicKey } = decision;
  if (signature === undefined || publicKey === undefined) throw new Error('an approval without a signature');
  return { by: 'human', ...common, signature, public_key: publicKey };
}

/** The digest is in the approved message. */
function evidenceDigest(message: string): Sha256 {
  const found = /^Fluffy-Evidence: ([0-9a-f]{64})$/m.exec(message)?.[1];
  if (found === undefined) throw new Error('a prepared commit without evidence');
  return found as Sha256;
}
