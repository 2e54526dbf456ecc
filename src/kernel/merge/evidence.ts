import { createHash } from 'node:crypto';
import { evidenceStatementSchema, PAYLOAD_TYPE, PREDICATE_TYPE, STATEMENT_TYPE } from '../../contracts/evidence.ts';
import type { DsseEnvelope, EvidenceDecision, EvidenceFacts, EvidenceStatement } from '../../contracts/evidence.ts';
import type { Sha256 } from '../../contracts/ids.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';

export interface Evidence {
  /** Canonical JSON of the in-toto statement. */
  readonly statement: Buffer;
  /** SHA-256 of the statement: the `Fluffy-Evidence` trailer. */
  readonly digest: Sha256;
}

/** States the facts about a tree. Throws when they are not of their schema. */
export function buildEvidence(facts: EvidenceFacts): Evidence {
  const statement: EvidenceStatement = evidenceStatementSchema.parse({
    _type: STATEMENT_TYPE,
    subject: [{ name: facts.branch, digest: { gitTree: facts.tree } }],
    predicateType: PREDICATE_TYPE,
    predicate: facts,
  });
  const bytes = Buffer.from(canonicalJson(statement));
  return { statement: bytes, digest: createHash('sha256').update(bytes).digest('hex') as Sha256 };
}

/** What a DSSE signature is made over (pre-authentication encoding, version 1). */
export function signedBytes({ statement }: Evidence): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${statement.length} `), statement]);
}

/** The two files that are kept: the statement in its envelope, and the decision, each as canonical JSON with a final newline. */
export function evidenceFiles(
  { statement }: Evidence,
  decision: EvidenceDecision,
  signatures: DsseEnvelope['signatures'],
): { readonly statement: Buffer; readonly decision: Buffer } {
  const envelope: DsseEnvelope = { payloadType: PAYLOAD_TYPE, payload: statement.toString('base64'), signatures };
  return {
    statement: Buffer.from(`${canonicalJson(envelope)}\n`),
    decision: Buffer.from(`${canonicalJson(decision)}\n`),
  };
}
