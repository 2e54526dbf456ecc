import type { SessionId, Sha256 } from '../../../contracts/ids.ts';
import type { MergeOutcome, PreparedCommit, Repository } from '../../../contracts/ports/repository.ts';
import type { CommitsServices } from '../commit-services.ts';
import { composeEvidenceCommit } from '../evidence-commit.ts';
import { planMerge } from './plan-merge.ts';
import { runMerge } from './run-merge.ts';

/** A merge holds its locks for much less time than all attempts take. */
const ATTEMPTS = 6;
const PAUSE_MS = 250;

export interface WithEvidence {
  readonly prepared: PreparedCommit;
  readonly digest: Sha256;
  readonly envelope: Buffer;
}

/**
 * Merges a commit together with its evidence. All worktrees of a repository share the evidence ref, and other sessions
 * move it. A conflict about that ref alone is no conflict of the commit: it is tried again on the new value of the ref.
 */
export async function mergeWithEvidence(
  { log, target, objects, clock }: Pick<CommitsServices, 'log' | 'target' | 'objects' | 'clock'>,
  repository: Repository,
  session: SessionId,
  { prepared, digest, envelope }: WithEvidence,
): Promise<MergeOutcome> {
  const { commit, committer } = prepared;
  for (let attempt = 1; ; attempt += 1) {
    const evidence = await composeEvidenceCommit(repository, { commit, digest, envelope, committer });
    await objects.add(session, evidence.objects);
    const also = { ref: evidence.ref, from: evidence.from, to: evidence.to, objects: evidence.objects.keys() };
    const outcome = await runMerge({ log, target }, planMerge(session, prepared, [also]));
    if (attempt === ATTEMPTS || !isAbout(outcome, evidence.ref)) return outcome;
    await clock.sleep(PAUSE_MS);
  }
}

function isAbout(outcome: MergeOutcome, ref: string): boolean {
  return outcome.kind === 'conflict' && outcome.paths.every((path) => path === ref || path === `.git/${ref}.lock`);
}
