import type { ObjectId } from '../../../contracts/ids.ts';
import type { StoredObject } from '../../../contracts/ports/repository.ts';
import { parseCommitLinks } from '../../../lib/git/commit.ts';

/** The parts of a commit that this walk uses. */
export interface CommitRead {
  readonly id: ObjectId;
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  /** Seconds since the epoch, as the commit claims. */
  readonly seconds: number;
  readonly message: Buffer;
}

/** Rejects for a missing commit. */
export type ReadCommit = (id: ObjectId) => Promise<CommitRead>;

/** The walk continues for this many commits after it seems complete, like git's, because commit dates can be wrong. */
const SLOP = 5;

/** null if the object is not a commit, or is malformed. */
export function parseCommit(id: ObjectId, object: StoredObject): CommitRead | null {
  if (object.type !== 'commit') return null;
  const links = parseCommitLinks(object.content);
  const end = object.content.indexOf('\n\n');
  if (links === null || end < 0) return null;
  const header = object.content.toString('latin1', 0, end);
  const seconds = Number(/^committer .*> (\d{1,15}) [+-]\d{4}$/m.exec(header)?.[1] ?? 0);
  return { id, ...links, seconds, message: object.content.subarray(end + 2) };
}

interface Seen {
  readonly commit: CommitRead;
  hidden: boolean;
}

/**
 * Commits that can be reached from `to` and not from `from`, newest first. With wrong commit dates the result may hold extra commits but never
 * misses one: a commit is left out only if it is a known ancestor of `from`.
 */
export async function walkRange(from: ObjectId, to: ObjectId, read: ReadCommit): Promise<readonly CommitRead[]> {
  const seen = new Map<ObjectId, Seen>();
  const queue: Seen[] = [];
  const order: Seen[] = [];

  const visit = async (id: ObjectId, hidden: boolean): Promise<void> => {
    const known = seen.get(id);
    if (known === undefined) {
      const entry = { commit: await read(id), hidden };
      seen.set(id, entry);
      enqueue(queue, entry);
    } else if (hidden) hideWithAncestors(seen, id);
  };

  await visit(from, true);
  await visit(to, false);
  let slop = SLOP;
  for (let entry = queue.shift(); entry !== undefined && slop > 0; entry = queue.shift()) {
    order.push(entry);
    for (const parent of entry.commit.parents) await visit(parent, entry.hidden);
    slop = queue.some(({ hidden }) => !hidden) ? SLOP : slop - 1;
  }
  return order.filter(({ hidden }) => !hidden).map(({ commit }) => commit);
}

/** Newest first; commits of the same date in insertion order. */
function enqueue(queue: Seen[], entry: Seen): void {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((queue[middle]?.commit.seconds ?? 0) >= entry.commit.seconds) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, entry);
}

function hideWithAncestors(seen: ReadonlyMap<ObjectId, Seen>, start: ObjectId): void {
  const stack = [start];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const entry = seen.get(id);
    if (entry === undefined || entry.hidden) continue;
    entry.hidden = true;
    stack.push(...entry.commit.parents);
  }
}
