import { EVIDENCE_REF, OTHERS_EVIDENCE_REFS } from '../../../contracts/review/evidence.ts';
import { EXIT } from '../../../contracts/exit-codes.ts';
import type { ExitCode } from '../../../contracts/exit-codes.ts';
import type { ObjectId } from '../../../contracts/ids.ts';
import { conditionText, isAtLeast, shareOf } from '../../../lib/evidence/conditions.ts';
import type { GradeCondition } from '../../../lib/evidence/conditions.ts';
import { keyFingerprint } from '../../../lib/evidence/dsse.ts';
import { parseRange } from '../../../lib/git/revision.ts';
import type { Revision } from '../../../lib/git/revision.ts';
import type { History } from '../../../platform/git/history.ts';
import { syntaxParser } from '../../../platform/syntax/syntax-parser.ts';
import type { CommitStatus, CommitVerdict } from './commit-verdict.ts';
import { incomplete, noEvidenceRef, noHostKeys, notARange, unknownRevision } from './range-errors.ts';
import type { ReadObject } from './read-evidence.ts';
import type { TrustedKeys } from './trusted-keys.ts';
import { verifyCommit } from './verify-commit.ts';
import { parseCommit, walkRange } from './walk-range.ts';

export interface RangeOptions {
  readonly history: History;
  /** `A..B`. */
  readonly range: string;
  readonly keys: TrustedKeys;
  /** Conditions for each commit, in addition to valid evidence; all must be met. */
  readonly require: readonly GradeCondition[];
}

/** The output of `fluffy audit verify --range --json`. */
export interface RangeVerdict {
  /** No commit is broken, and each meets the conditions. */
  readonly intact: boolean;
  /** Commits that are broken, or do not meet the conditions. */
  readonly unmet: readonly ObjectId[];
  readonly range: { readonly from: ObjectId; readonly to: ObjectId };
  /** The conditions, with commas between them. */
  readonly require: string | null;
  readonly counts: Readonly<Record<CommitStatus, number>>;
  /** Fingerprints of the trusted keys. */
  readonly trusted: { readonly hosts: readonly string[]; readonly approvers: readonly string[] };
  /** Newest first. */
  readonly commits: readonly CommitVerdict[];
}

/**
 * Verifies each commit of a range by its evidence, against keys that the caller trusts. Uses only objects and refs of the repository;
 * needs no kernel, no container and no state. Throws FluffyError (exit 2) if the range cannot be judged: `usage`,
 * `no_trusted_keys`, `evidence_unavailable`, `history_incomplete`.
 */
export async function verifyRange(options: RangeOptions): Promise<RangeVerdict> {
  const { history, keys } = options;
  const range = parseRange(options.range);
  if (range === null) throw notARange(options.range);
  const from = await resolve(history, range.from);
  const to = await resolve(history, range.to);
  const read = reader(history);
  const commits = await walkRange(from, to, async (id) => {
    const commit = parseCommit(id, await read(id));
    if (commit === null) throw incomplete(id, 'it is not a commit, or a malformed one', null);
    return commit;
  });
  const parse = syntaxParser(() => performance.now());
  const services = { read, evidence: evidenceRefs(history, keys), keys, parse };
  const verdicts: CommitVerdict[] = [];
  for (const commit of commits) verdicts.push(await verifyCommit(commit, services));
  const counts = count(verdicts);
  const unmet = verdicts.filter((verdict) => !meetsAll(verdict, options.require)).map(({ commit }) => commit);
  return {
    intact: unmet.length === 0,
    unmet,
    range: { from, to },
    require: options.require.length === 0 ? null : options.require.map(conditionText).join(','),
    counts,
    trusted: { hosts: keys.hosts.map(keyFingerprint), approvers: keys.approvers.map(keyFingerprint) },
    commits: verdicts,
  };
}

export function rangeExitCode(verdict: RangeVerdict): ExitCode {
  return verdict.intact ? EXIT.done : EXIT.auditBroken;
}

function count(verdicts: readonly CommitVerdict[]): Record<CommitStatus, number> {
  const counts: Record<CommitStatus, number> = { verified: 0, unverified: 0, unattested: 0, broken: 0 };
  for (const { status } of verdicts) counts[status] += 1;
  return counts;
}

/** Whether the evidence of a commit is valid and the commit meets the conditions. */
function meetsAll(verdict: CommitVerdict, require: readonly GradeCondition[]): boolean {
  return verdict.status !== 'broken' && require.every((condition) => meets(verdict, condition));
}

function meets({ status, proof }: CommitVerdict, condition: GradeCondition): boolean {
  if (condition.kind === 'status')
    return status === 'verified' || (condition.status === 'attested' && status === 'unverified');
  const measured = shareOf(proof?.observed ?? undefined, condition.of);
  return measured !== null && isAtLeast(measured, condition.percent);
}

function reader(history: History): ReadObject {
  return async (id, maxBytes) => {
    const object = await history.readObject(id, maxBytes);
    if (object === null) throw incomplete(id, 'it is not in this clone', await history.incompleteness());
    return object;
  };
}

/** Read when the first commit claims evidence: a range without evidence needs neither the ref nor keys. */
function evidenceRefs(history: History, keys: TrustedKeys): () => Promise<readonly ObjectId[]> {
  let found: readonly ObjectId[] | null = null;
  return async () => {
    if (keys.hosts.length === 0) throw noHostKeys();
    found ??= await readEvidenceRefs(history);
    if (found.length === 0) throw noEvidenceRef();
    return found;
  };
}

async function readEvidenceRefs(history: History): Promise<readonly ObjectId[]> {
  const own = await history.readRef(EVIDENCE_REF);
  const others = await history.refsBelow(OTHERS_EVIDENCE_REFS);
  return [...new Set([...(own === null ? [] : [own]), ...others.values()])];
}

async function resolve(history: History, revision: Revision): Promise<ObjectId> {
  const outcome = await history.resolve(revision);
  switch (outcome.kind) {
    case 'commit':
      return outcome.id;
    case 'unknown':
      throw unknownRevision(revision.text, 'there is no such commit here', await history.incompleteness());
    case 'ambiguous':
      throw unknownRevision(revision.text, 'more than one commit goes by that name', null);
    case 'missing':
      throw incomplete(outcome.id, 'it is not in this clone', await history.incompleteness());
  }
}
