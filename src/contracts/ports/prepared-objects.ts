import type { ObjectId, SessionId } from '../ids.ts';
import type { StoredObject } from './repository.ts';

/** Objects of prepared commits, in the state directory, until they are merged or dropped. Survives a restart. */
export interface PreparedObjects {
  /** On disk when it returns. Replaces the session's earlier objects. */
  save(session: SessionId, objects: ReadonlyMap<ObjectId, StoredObject>): Promise<void>;
  /** On disk when it returns. Keeps the session's earlier objects. */
  add(session: SessionId, objects: ReadonlyMap<ObjectId, StoredObject>): Promise<void>;
  drop(session: SessionId): Promise<void>;
}
