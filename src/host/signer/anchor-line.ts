import { z } from 'zod';
import { sha256Schema } from '../../contracts/ids.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { verifyEd25519 } from '../../lib/ed25519.ts';
import type { SigningKey } from './signing-key.ts';
import { parseJson } from '../../lib/parse-json.ts';

/** One signed head of a project's audit log. */
export interface Anchor {
  readonly project: string;
  /** Absent for the first. */
  readonly epoch?: number | undefined;
  readonly entries: number;
  readonly head: string;
  /** Milliseconds since the epoch. */
  readonly ts: number;
}

const lineSchema = z.strictObject({
  version: z.literal(1),
  project: z.string().max(100),
  epoch: z.number().int().min(2).optional(),
  entries: z.number().int().nonnegative(),
  head: sha256Schema,
  ts: z.number().int(),
  key: z.string().max(100),
  signature: z.string().max(200),
});

/** The signed text begins with its purpose, so that a signature of this key cannot be used for anything else. */
const PURPOSE = 'fluffy audit anchor 1\n';

export const MAX_LINE_BYTES = 1_024;

export function writeAnchorLine(anchor: Anchor, key: SigningKey): string {
  const body = { version: 1, ...pick(anchor), key: key.publicKey };
  return `${JSON.stringify({ ...body, signature: key.sign(signedBytes(body)) })}\n`;
}

/** null for a line that this key did not sign for this project. */
export function readAnchorLine(line: string, project: string, publicKey: string): Anchor | null {
  if (line.length > MAX_LINE_BYTES) return null;
  const parsed = lineSchema.safeParse(parseJson(line));
  if (!parsed.success) return null;
  const { signature, ...body } = parsed.data;
  if (body.project !== project || body.key !== publicKey) return null;
  return verifyEd25519(publicKey, signedBytes(body), signature) ? pick(body) : null;
}

function signedBytes(body: object): Buffer {
  return Buffer.from(PURPOSE + canonicalJson(body));
}

function pick({ project, epoch, entries, head, ts }: Anchor): Anchor {
  return { project, ...(epoch === undefined ? {} : { epoch }), entries, head, ts };
}
