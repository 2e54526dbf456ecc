import { createHash } from 'node:crypto';
import { z } from 'zod';
import { sha256Schema } from '../../contracts/ids.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { verifyEd25519 } from '../../lib/ed25519.ts';
import type { SigningKey } from './signing-key.ts';
import { parseJson } from '../../lib/parse-json.ts';

/** The start of a new count of signed heads: the log up to here belongs to the epoch before, whatever happened to it. */
export interface EpochStart {
  /** 1 for the first epoch, which has no line. */
  readonly epoch: number;
  /** Number of records in the log; the next one is the first of the epoch. */
  readonly entries: number;
  /** Hash of the last record; null if there was none. */
  readonly head: string | null;
}

export interface Epoch extends EpochStart {
  readonly project: string;
  /** Milliseconds since the epoch. */
  readonly ts: number;
}

export const FIRST_EPOCH: EpochStart = { epoch: 1, entries: 0, head: null };

const bodySchema = z.strictObject({
  version: z.literal(1),
  project: z.string().max(100),
  epoch: z.number().int().min(2),
  entries: z.number().int().nonnegative(),
  head: sha256Schema.nullable(),
  ts: z.number().int(),
});
const lineSchema = bodySchema.extend({
  approver: z.string().max(100),
  approval: z.string().max(200),
  key: z.string().max(100),
  signature: z.string().max(200),
});

/** The signed text begins with its purpose, so that a signature of these keys cannot be used for anything else. */
const PURPOSE = 'fluffy audit epoch 1\n';

/** Signed by the person who agreed (`approver`) and by this host (`key`), so that readers need only the host's key. */
export function writeEpochLine(epoch: Epoch, approver: SigningKey, key: SigningKey): string {
  const { project, epoch: number, entries, head, ts } = epoch;
  const body = { version: 1, project, epoch: number, entries, head, ts };
  const approved = { ...body, approver: approver.publicKey, approval: approver.sign(approvedBytes(body)) };
  const whole = { ...approved, key: key.publicKey };
  return `${JSON.stringify({ ...whole, signature: key.sign(signedBytes(whole)) })}\n`;
}

/** null for any other line, and for one that is not signed by both keys for this project. */
export function readEpochLine(line: string, project: string, publicKey: string): Epoch | null {
  const parsed = lineSchema.safeParse(parseJson(line));
  if (!parsed.success) return null;
  const { signature, ...whole } = parsed.data;
  const { key, approver, approval, ...body } = whole;
  if (body.project !== project || key !== publicKey) return null;
  if (!verifyEd25519(key, signedBytes(whole), signature)) return null;
  if (!verifyEd25519(approver, approvedBytes(body), approval)) return null;
  return { project, epoch: body.epoch, entries: body.entries, head: body.head, ts: body.ts };
}

/** A digest, like everything that the approval key signs. */
function approvedBytes(body: object): Buffer {
  return createHash('sha256')
    .update(PURPOSE + canonicalJson(body))
    .digest();
}

function signedBytes(body: object): Buffer {
  return Buffer.from(PURPOSE + canonicalJson(body));
}
