import type { DsseEnvelope, EvidenceFacts } from '../../contracts/review/evidence.ts';
import { evidenceFactsSchema, MAX_FACTS_BYTES } from '../../contracts/review/evidence.ts';
import type { Sha256 } from '../../contracts/ids.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { factsProblems } from '../../lib/evidence/facts-problems.ts';
import { encodeFacts } from '../../lib/evidence/statement.ts';

export type EvidenceOutcome =
  /** `digest` is the `Fluffy-Evidence` trailer. */
  | { readonly kind: 'stated'; readonly facts: EvidenceFacts; readonly digest: Sha256 }
  | { readonly kind: 'refused'; readonly reason: string };

/** States the observations about a commit that is about to be made. Throws if the facts do not fit their schema. */
export function stateFacts(observed: EvidenceFacts): EvidenceOutcome {
  const facts = evidenceFactsSchema.parse(observed);
  const problems = factsProblems(facts);
  if (problems.length > 0) {
    return {
      kind: 'refused',
      reason: `the facts of the evidence contradict each other: ${problems.join('; ')}; run test.run again`,
    };
  }
  const { bytes, digest } = encodeFacts(facts);
  if (bytes.length > MAX_FACTS_BYTES) {
    return { kind: 'refused', reason: 'its evidence is too large: too many files or failing tests for one commit' };
  }
  return { kind: 'stated', facts, digest };
}

/** The file as it is stored under the evidence ref. */
export function envelopeFile(envelope: DsseEnvelope): Buffer {
  return Buffer.from(`${canonicalJson(envelope)}\n`);
}
