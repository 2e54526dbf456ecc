import { createHash } from 'node:crypto';
import type { ObjectId } from '../../contracts/ids.ts';

export const OBJECT_TYPES = ['blob', 'tree', 'commit', 'tag'] as const;
export type ObjectType = (typeof OBJECT_TYPES)[number];

export interface GitObject {
  readonly type: ObjectType;
  readonly content: Buffer;
}

/** Bytes of a SHA-1 object id: the only supported object format. */
export const ID_BYTES = 20;

/** The id that git gives to this content: SHA-1 over `<type> <size>\0<content>`. */
export function hashObject(type: ObjectType, content: Uint8Array): ObjectId {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex') as ObjectId;
}

/** A 40-digit object id, or null for anything else. */
export function parseObjectId(text: string): ObjectId | null {
  return /^[0-9a-f]{40}$/.test(text) ? (text as ObjectId) : null;
}

/** The id of no object, which a reflog has before the first commit. */
export const NULL_ID = '0'.repeat(40) as ObjectId;
