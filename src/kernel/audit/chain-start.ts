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
 * Where the chain begins that has this as its first row. Of a log whose oldest records were archived or deleted, the row itself says on what it follows; that
 * this is true, a later record has to say (`deletionIn`), or the archive.
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
