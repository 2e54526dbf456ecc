import { createHash } from 'node:crypto';
import { z } from 'zod';
import { sha256Schema } from '../../contracts/ids.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { verifyEd25519 } from '../../lib/ed25519.ts';
import type { SigningKey } from './signing-key.ts';
import { parseJson } from '../../lib/parse-json.ts';

/** Where a new count of signed heads begins: the log up to here belongs to the epoch before, whatever became of it. */
export interface EpochStart {
  /** 1 for the first, which no line begins. */
  readonly epoch: number;
  /** Records that the log had; the first of the epoch is the next one. */
  readonly entries: number;
  /** Hash of the last of them; null when there was none. */
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

/** What is signed begins with its purpose: no signature of these keys can be passed off as one about something else. */
const PURPOSE = 'fluffy audit epoch 1\n';

/** A person agreed (`approver`), and this host wrote it down (`key`): readers need the host's key alone. */
export function writeEpochLine(epoch: Epoch, approver: SigningKey, key: SigningKey): string {
  const { project, epoch: number, entries, head, ts } = epoch;
  const body = { version: 1, project, epoch: number, entries, head, ts };
  const approved = { ...body, approver: approver.publicKey, approval: approver.sign(approvedBytes(body)) };
  const whole = { ...approved, key: key.publicKey };
  return `${JSON.stringify({ ...whole, signature: key.sign(signedBytes(whole)) })}\n`;
}

/** Null for whatever is no such line, or not signed by both keys for this project. */
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

/** A digest, as everything is that the approval key signs. */
function approvedBytes(body: object): Buffer {
  return createHash('sha256')
    .update(PURPOSE + canonicalJson(body))
    .digest();
}

function signedBytes(body: object): Buffer {
  return Buffer.from(PURPOSE + canonicalJson(body));
}
