import { z } from 'zod';
import type { ChainPosition, ChainRow } from './verify-chain.ts';
import { START } from './verify-chain.ts';
import { parseJson } from '../../lib/parse-json.ts';

const linkSchema = z.looseObject({ prev_hash: z.string() });
const deletionSchema = z.looseObject({
  event_type: z.literal('audit_archive_deleted'),
  metadata: z.looseObject({ through: z.string().regex(/^\d+$/), head: z.string() }),
});

/**
 * The position before the first row that is left. If older records were archived or deleted, the row itself names the
 * record before it. Whether that is true must be confirmed by a later record (`deletionIn`) or by the archive.
 */
export function startBefore(first: ChainRow | null): ChainPosition {
  if (first === null || first.id <= 1) return START;
  const link = linkSchema.safeParse(parseJson(first.body ?? ''));
  return { entries: first.id - 1, hash: link.success ? link.data.prev_hash : '' };
}

/** The position up to which a record says that records were deleted; null for any other record. */
export function deletionIn(body: string | null): ChainPosition | null {
  if (body?.includes('"audit_archive_deleted"') !== true) return null;
  const parsed = deletionSchema.safeParse(parseJson(body));
  return parsed.success ? { entries: Number(parsed.data.metadata.through), hash: parsed.data.metadata.head } : null;
}
