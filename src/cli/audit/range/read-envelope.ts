import { dsseEnvelopeSchema, evidenceStatementSchema, MAX_ENVELOPE_BYTES } from '../../../contracts/review/evidence.ts';
import type { EvidenceStatement } from '../../../contracts/review/evidence.ts';
import { isCanonicalJson } from '../../../lib/canonical-json.ts';
import { keyFingerprint, signerOf } from '../../../lib/evidence/dsse.ts';
import { parseStrictJson } from '../../../lib/strict-json.ts';
import type { Problem } from './commit-verdict.ts';

export type EnvelopeOutcome =
  /** `key` is the fingerprint of the trusted key that signed it. */
  | { readonly kind: 'signed'; readonly statement: EvidenceStatement; readonly key: string }
  | { readonly kind: 'bad'; readonly problem: Problem };

/** Reads an envelope that may be hostile. Its content is not used before a trusted key is found to have signed it. */
export function readEnvelope(file: Buffer, hostKeys: readonly string[]): EnvelopeOutcome {
  if (file.length > MAX_ENVELOPE_BYTES) return bad('envelope', `it has ${file.length} bytes, more than fluffy writes`);
  const json = parseStrictJson(file);
  if (!json.ok) return bad('envelope', json.reason);
  const envelope = dsseEnvelopeSchema.safeParse(json.value);
  if (!envelope.success) return bad('envelope', 'it is not a DSSE envelope of an in-toto statement');
  const payload = Buffer.from(envelope.data.payload, 'base64');
  if (payload.toString('base64') !== envelope.data.payload) return bad('envelope', 'its payload is not plain base64');
  const key = signerOf(envelope.data, hostKeys);
  if (key === null) {
    const claimed = envelope.data.signatures.map(({ keyid }) => keyid.slice(0, 16)).join(', ');
    return bad('signature', `no key that you trust has signed it${claimed === '' ? '' : ` (it names ${claimed})`}`);
  }
  const statement = readStatement(payload);
  return statement === null
    ? bad('envelope', 'this version of fluffy does not know the signed statement')
    : { kind: 'signed', statement, key: keyFingerprint(key) };
}

function readStatement(payload: Buffer): EvidenceStatement | null {
  const json = parseStrictJson(payload);
  if (!json.ok || !isCanonicalJson(payload.toString('utf8'), json.value)) return null;
  const parsed = evidenceStatementSchema.safeParse(json.value);
  return parsed.success ? parsed.data : null;
}

function bad(check: Problem['check'], reason: string): EnvelopeOutcome {
  return { kind: 'bad', problem: { check, reason } };
}
