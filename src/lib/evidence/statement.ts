import { createHash } from 'node:crypto';
import { predicateTypeOf, STATEMENT_TYPE } from '../../contracts/review/evidence.ts';
import type { EvidenceFacts, EvidenceStatement } from '../../contracts/review/evidence.ts';
import type { ObjectId, Sha256 } from '../../contracts/ids.ts';
import { canonicalJson } from '../canonical-json.ts';

/** The facts as bytes, and their digest in the commit's `Fluffy-Evidence` trailer. */
export function encodeFacts(facts: EvidenceFacts): { readonly bytes: Buffer; readonly digest: Sha256 } {
  const bytes = Buffer.from(canonicalJson(facts));
  return { bytes, digest: createHash('sha256').update(bytes).digest('hex') as Sha256 };
}

/** The in-toto statement about a commit, as the bytes that are signed. */
export function encodeStatement(commit: ObjectId, predicate: EvidenceStatement['predicate']): Buffer {
  const statement: EvidenceStatement = {
    _type: STATEMENT_TYPE,
    subject: [{ name: predicate.facts.branch, digest: { gitCommit: commit } }],
    predicateType: predicateTypeOf(predicate.facts),
    predicate,
  };
  return Buffer.from(canonicalJson(statement));
}
