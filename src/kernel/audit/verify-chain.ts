import { z } from 'zod';
import { auditEntrySchema } from '../../contracts/audit-entry.ts';
import { isCanonicalJson } from '../../lib/canonical-json.ts';
import { genesisHash, linkHash } from '../../lib/hash-chain.ts';
import { parseJson } from '../../lib/parse-json.ts';

/** A row as read, not yet verified. `body` is null when it is not text of limited size. */
export interface ChainRow {
  readonly id: number;
  readonly body: string | null;
  readonly hash: string | null;
}

/** How far a chain has been followed. */
export interface ChainPosition {
  readonly entries: number;
  readonly hash: string | null;
}

/** The first fault of a chain. `id` is the record, `reason` says what is wrong, for people. */
export interface ChainFault {
  readonly id: number;
  readonly reason: string;
}

export type ChainStep =
  | { readonly kind: 'good'; readonly position: ChainPosition & { readonly hash: string } }
  | { readonly kind: 'bad'; readonly fault: ChainFault };

/** One kind of chain: the form of its records, and the time that the first record gives as the start of the chain. */
export interface ChainKind {
  readonly schema: z.ZodType;
  readonly genesisMs: (firstRecord: unknown) => number | null;
}

export const START: ChainPosition = { entries: 0, hash: null };

const auditGenesisSchema = z.looseObject({ metadata: z.looseObject({ genesis_timestamp: z.string().regex(/^\d+$/) }) });

/**
 * The same check of metadata as in the contract (a record of strings), but much faster, because a log has many records.
 */
const textsSchema = z.custom<Record<string, string>>(
  (value) => isObject(value) && Object.values(value).every((text) => typeof text === 'string'),
);

/** The audit log. Its first record carries `metadata.genesis_timestamp`. */
export const AUDIT_CHAIN: ChainKind = {
  schema: auditEntrySchema.omit({ hash: true }).extend({ metadata: textsSchema.optional() }),
  genesisMs: (record) => {
    const parsed = auditGenesisSchema.safeParse(record);
    return parsed.success ? Number(parsed.data.metadata.genesis_timestamp) : null;
  },
};

/** Checks the row that follows `position`. Pure: the same row after the same position always gives the same answer. */
export function verifyNext(chain: ChainKind, position: ChainPosition, row: ChainRow): ChainStep {
  const id = position.entries + 1;
  const bad = (reason: string): ChainStep => ({ kind: 'bad', fault: { id, reason } });
  if (row.id !== id) return bad(row.id > id ? 'missing' : `out of order: number ${row.id} comes again`);
  if (row.body === null || row.hash === null) return bad('unreadable: no text of a record’s size');
  const record = parseJson(row.body);
  if (!isObject(record)) return bad('unreadable: no record');
  if (record['id'] !== id) return bad(`out of order: it was written as number ${JSON.stringify(record['id'])}`);
  const previous = position.hash ?? beginning(chain, record);
  if (previous === null) return bad('the first record does not say when the chain began');
  if (record['prev_hash'] !== previous) return bad('not linked to the record before it');
  if (linkHash(previous, row.body) !== row.hash) return bad('altered: its content does not have its hash');
  if (!isCanonicalJson(row.body, record)) return bad('not in canonical form');
  if (!chain.schema.safeParse(record).success) return bad('not in the form of a record');
  return { kind: 'good', position: { entries: id, hash: row.hash } };
}

/**
 * Follows a chain from `start` to its end or its first fault. `onGood` gets each valid record. Errors that `rows`
 * throws (a damaged file) are passed on.
 */
export function followChain(
  chain: ChainKind,
  rows: Iterable<ChainRow>,
  onGood: (position: ChainPosition & { readonly hash: string }) => void = () => undefined,
  start: ChainPosition = START,
): { readonly position: ChainPosition; readonly fault: ChainFault | null } {
  let position = start;
  for (const row of rows) {
    const step = verifyNext(chain, position, row);
    if (step.kind === 'bad') return { position, fault: step.fault };
    position = step.position;
    onGood(step.position);
  }
  return { position, fault: null };
}

function beginning(chain: ChainKind, record: unknown): string | null {
  const genesisMs = chain.genesisMs(record);
  return genesisMs === null ? null : genesisHash(genesisMs);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
