import type { FileState } from '../../../contracts/review/change-set.ts';
import type { EvidenceStatement } from '../../../contracts/review/evidence.ts';
import { EVIDENCE_REF } from '../../../contracts/review/evidence.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';
import type { ParseSyntax } from '../../../contracts/ports/syntax.ts';
import type { ObjectId, Sha256 } from '../../../contracts/ids.ts';
import { keyFingerprint } from '../../../lib/evidence/dsse.ts';
import { parseCommitLinks } from '../../../lib/git/commit.ts';
import { gradeLines } from '../../../lib/evidence/grade-lines.ts';
import { unprovenReasons } from '../../../lib/evidence/unproven.ts';
import { commitDiff } from '../../../kernel/repository/commit-diff.ts';
import { firstText } from '../../../lib/text/first-last.ts';
import { hashOfTestsInTree } from './tests-in-tree.ts';
import { stateInTree } from '../../../kernel/repository/state-in-tree.ts';
import type { Check, CommitVerdict, Problem, Proof } from './commit-verdict.ts';
import { readEnvelope } from './read-envelope.ts';
import { readEvidenceFile } from './read-evidence.ts';
import type { ReadObject } from './read-evidence.ts';
import { readTrailers } from './read-trailers.ts';
import type { Trailers } from './read-trailers.ts';
import type { TrustedKeys } from './trusted-keys.ts';
import { statementProblems } from './verify-statement.ts';
import type { RealCommit } from './verify-statement.ts';
import type { CommitRead } from './walk-range.ts';

export interface VerifyServices {
  /** Rejects for a missing object. */
  readonly read: ReadObject;
  /** The commits that the evidence refs point to. Rejects if there are none: called only for commits that claim evidence. */
  readonly evidence: () => Promise<readonly ObjectId[]>;
  readonly keys: TrustedKeys;
  readonly parse: ParseSyntax;
}

/** Verifies the evidence of one commit. Rejects only if an object is missing that a complete clone would have. */
export async function verifyCommit(commit: CommitRead, services: VerifyServices): Promise<CommitVerdict> {
  const claims = readTrailers(commit.message);
  const common = { commit: commit.id, subject: subjectOf(commit.message), evidence: null, proof: null, problems: [] };
  switch (claims.kind) {
    case 'none':
      return { ...common, status: 'unattested' };
    case 'malformed':
      return { ...common, status: 'broken', problems: [{ check: 'trailers', reason: claims.reason }] };
    case 'claimed': {
      const judged = await judge(commit, claims, services);
      if (judged.kind === 'holds') {
        const status = judged.proof.unproven.length > 0 ? 'unverified' : 'verified';
        return { ...common, status, evidence: claims.evidence, proof: judged.proof };
      }
      return { ...common, status: 'broken', evidence: claims.evidence, problems: judged.problems };
    }
  }
}

type Claims = Extract<Trailers, { kind: 'claimed' }>;

type Judged =
  | { readonly kind: 'holds'; readonly proof: Proof }
  | { readonly kind: 'broken'; readonly problems: readonly Problem[] };

/** Takes the first envelope that is valid: a bad envelope in one ref must not invalidate a good one in another. */
async function judge(commit: CommitRead, claims: Claims, services: VerifyServices): Promise<Judged> {
  let first: Judged | null = null;
  for (const ref of await services.evidence()) {
    const judged = await judgeBy(ref, commit, claims, services);
    if (judged?.kind === 'holds') return judged;
    first ??= judged;
  }
  return first ?? broken('evidence', `there is none for it under ${EVIDENCE_REF}`);
}

/** null if the ref has no evidence for the commit. */
async function judgeBy(
  ref: ObjectId,
  commit: CommitRead,
  claims: Claims,
  services: VerifyServices,
): Promise<Judged | null> {
  const file = await readEvidenceFile(services.read, ref, claims.evidence);
  if (file.kind === 'absent') return null;
  if (file.kind === 'malformed') return broken('evidence', file.reason);
  const envelope = readEnvelope(file.bytes, services.keys.hosts);
  if (envelope.kind === 'bad') return { kind: 'broken', problems: [envelope.problem] };
  const real = await readReal(commit, claims, envelope.statement, services);
  if (real.kind === 'refused') return broken('changes', real.reason);
  const problems = statementProblems(envelope.statement, real.commit, services.keys.approvers);
  if (problems.length > 0) return { kind: 'broken', problems };
  return { kind: 'holds', proof: proofOf(envelope.statement, envelope.key, claims.mode) };
}

type RealOutcome =
  { readonly kind: 'read'; readonly commit: RealCommit } | { readonly kind: 'refused'; readonly reason: string };

async function readReal(
  { id, tree, parents, message }: CommitRead,
  claims: RealCommit['claims'],
  statement: EvidenceStatement,
  { read, parse }: Pick<VerifyServices, 'read' | 'parse'>,
): Promise<RealOutcome> {
  const [first] = parents;
  if (first === undefined) return { kind: 'refused', reason: 'the commit has no parent' };
  const parent = parseCommitLinks((await read(first)).content);
  if (parent === null) return { kind: 'refused', reason: 'its parent is malformed' };
  try {
    const objects = { readObject: read };
    const diff = await commitDiff(objects, parent.tree, tree);
    if (diff.kind === 'refused') return diff;
    const frozen = new Map<string, FileState>();
    for (const { path } of statement.predicate.facts.red?.test_files ?? []) {
      frozen.set(path, await stateInTree(objects, tree, path));
    }
    const testsInSources = new Map<string, string | null>();
    for (const { path } of statement.predicate.facts.red?.tests_in_sources ?? []) {
      testsInSources.set(path, await hashOfTestsInTree(objects, parse, tree, path));
    }
    return {
      kind: 'read',
      commit: {
        id,
        tree,
        parents,
        message: message.toString('utf8'),
        claims,
        changes: diff.changes,
        diff: diff.diff,
        frozen,
        testsInSources,
      },
    };
  } catch (error) {
    if (error instanceof FluffyError && error.code === 'object_too_large')
      return { kind: 'refused', reason: error.why };
    throw error;
  }
}

function proofOf({ predicate }: EvidenceStatement, key: string, mode: string): Proof {
  const { facts, decision, anchored } = predicate;
  const { red, green, exemption } = facts;
  return {
    session: facts.session_id,
    mode,
    model: facts.model,
    models: facts.models ?? [facts.model],
    red:
      red === null
        ? null
        : { cases: red.failed.length, frozen: red.test_files.length + (red.tests_in_sources?.length ?? 0) },
    green: green === null ? null : { passed: green.passed, failed: green.failed.length, skipped: green.skipped },
    exemption: exemption === null ? null : exemption.category,
    kind: facts.kind ?? null,
    grade: gradeLines(facts),
    unproven: unprovenReasons(facts),
    observed: facts.proof ?? null,
    decided: decision.by === 'policy' ? { by: 'policy' } : { by: 'human', key: keyFingerprint(decision.public_key) },
    host: { key, ...anchored, head: anchored.head satisfies Sha256 },
  };
}

/** First paragraph in one line. For display only. */
function subjectOf(message: Buffer): string {
  return firstText(message.toString('utf8').split('\n\n')).replace(/\s+/g, ' ').trim();
}

function broken(check: Check, reason: string): Judged {
  return { kind: 'broken', problems: [{ check, reason }] };
}
