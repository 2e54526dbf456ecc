import type { ObjectId } from '../../contracts/ids.ts';
import { parseObjectId } from './object-id.ts';
import { isRefName } from './ref-name.ts';

/** Ref -> object id from a packed-refs file. Peeled lines and lines that are not refs are skipped. */
export function parsePackedRefs(text: string): Map<string, ObjectId> {
  const refs = new Map<string, ObjectId>();
  for (const line of text.split('\n')) {
    const id = parseObjectId(line.slice(0, 40));
    const name = line.slice(41);
    if (id !== null && line[40] === ' ' && isRefName(name)) refs.set(name, id);
  }
  return refs;
}

export type RefValue =
  | { readonly kind: 'id'; readonly id: ObjectId }
  | { readonly kind: 'symbolic'; readonly target: string }
  | { readonly kind: 'invalid' };

/** The content of HEAD or of a loose ref. */
export function parseRefFile(text: string): RefValue {
  const line = text.trimEnd();
  const id = parseObjectId(line);
  if (id !== null) return { kind: 'id', id };
  const target = /^ref:\s*(.*)$/.exec(line)?.[1];
  return target !== undefined && isRefName(target) ? { kind: 'symbolic', target } : { kind: 'invalid' };
}
