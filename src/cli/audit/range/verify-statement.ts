import type { EvidenceFacts, EvidenceStatement } from '../../../contracts/review/evidence.ts';
import type { ChangeSet, FileChange, FileState } from '../../../contracts/review/change-set.ts';
import type { ObjectId, Sha256 } from '../../../contracts/ids.ts';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import { decisionProblems, factsProblems } from '../../../lib/evidence/facts-problems.ts';
import { encodeFacts } from '../../../lib/evidence/statement.ts';
import { modeTrailer } from '../../../lib/evidence/unproven.ts';
import { reviewDigest, verifyApproval } from '../../../lib/review-digest.ts';
import { firstText } from '../../../lib/text/first-last.ts';
import type { Check, Problem } from './commit-verdict.ts';

/** A commit, read from its own objects. */
export interface RealCommit {
  readonly id: ObjectId;
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly message: string;
  /** Its trailers. */
  readonly claims: { readonly session: string; readonly mode: string; readonly evidence: Sha256 };
  /** From its parent's tree to its own. */
  readonly changes: ChangeSet;
  readonly diff: string;
  /** The state of each frozen path in its tree. */
  readonly frozen: ReadonlyMap<string, FileState>;
  /** The hash of the tests inside each frozen source in its tree; null if it has no readable tests. */
  readonly testsInSources: ReadonlyMap<string, string | null>;
}

/**
 * Compares everything that a signed statement says about a commit with the commit itself, and checks that it is consistent. Empty means valid.
 * The host's signature is verified elsewhere; this checks what the signature does not cover. Pure.
 */
export function statementProblems(
  { subject, predicate }: EvidenceStatement,
  commit: RealCommit,
  approvers: readonly string[],
): Problem[] {
  const { facts, decision } = predicate;
  const problems: Problem[] = [];
  const hold = (check: Check, holds: boolean, reason: string): void => {
    if (!holds) problems.push({ check, reason });
  };
  const { gitCommit } = subject[0].digest;
  hold('subject', gitCommit === commit.id, `it is evidence of commit ${gitCommit}: amended, rebased or copied since`);
  hold('facts', encodeFacts(facts).digest === commit.claims.evidence, 'its facts are not those that the commit names');
  hold('facts', facts.session_id === commit.claims.session, `it is of session ${facts.session_id}`);
  hold('facts', modeTrailer(facts) === commit.claims.mode, `it was made in mode ${modeTrailer(facts)}`);
  hold('tree', facts.tree === commit.tree, `it is about tree ${facts.tree}`);
  hold('parent', commit.parents.length === 1, `the commit has ${commit.parents.length} parents`);
  hold('parent', facts.parent === commit.parents[0], `it is about a commit on ${facts.parent}`);
  problems.push(...changeProblems(facts, commit.changes), ...frozenProblems(facts, commit));
  for (const reason of factsProblems(facts)) problems.push({ check: 'outcomes', reason });
  const { message, diff } = commit;
  const shown = reviewDigest({ session_id: facts.session_id, base: firstText(commit.parents), message, diff });
  hold('review', shown === decision.sha256, 'the approval is not for this diff with this message');
  for (const reason of decisionProblems(facts, decision)) problems.push({ check: 'approval', reason });
  if (decision.by === 'human') {
    hold('approval', approvers.includes(decision.public_key), 'it was approved with a key that you do not trust');
    const { public_key: key, sha256, signature } = decision;
    hold('approval', verifyApproval(key, sha256, signature), 'the signature of the approval is not valid');
  }
  return problems;
}

function changeProblems(facts: EvidenceFacts, real: ChangeSet): Problem[] {
  const key = (change: FileChange): string => canonicalJson(change);
  const observed = new Set(facts.changes.map(key));
  const really = new Set(real.map(key));
  const paths = [
    ...real.filter((change) => !observed.has(key(change))),
    ...facts.changes.filter((change) => !really.has(key(change))),
  ];
  return [...new Set(paths.map(({ path }) => path))].map((path) => ({
    check: 'changes',
    reason: `the change of ${path} is not the observed one`,
  }));
}

function frozenProblems(
  { red }: EvidenceFacts,
  { frozen, testsInSources }: Pick<RealCommit, 'frozen' | 'testsInSources'>,
): Problem[] {
  const files = (red?.test_files ?? []).filter(({ path, sha256 }) => {
    const state = frozen.get(path);
    return state?.kind !== 'file' || state.sha256 !== sha256;
  });
  const inSources = (red?.tests_in_sources ?? []).filter(({ path, sha256 }) => testsInSources.get(path) !== sha256);
  return [...files, ...inSources].map(({ path }) => ({
    check: 'frozen',
    reason: `${path} is not the test that was seen to fail`,
  }));
}
