import type { ObjectId } from '../../contracts/ids.ts';
import type { StoredObject } from '../../contracts/ports/repository.ts';
import { gitFile } from '../../lib/git/git-directories.ts';
import { lastSetting } from '../../lib/git/git-config.ts';
import { parseCommitLinks } from '../../lib/git/commit.ts';
import { parseObjectId } from '../../lib/git/object-id.ts';
import { isRefName } from '../../lib/git/ref-name.ts';
import { repositoryUnreadable } from '../../lib/git/repository-unreadable.ts';
import { refCandidates } from '../../lib/git/revision.ts';
import type { Revision } from '../../lib/git/revision.ts';
import type { RepositoryPlace } from './locate-repository.ts';
import { openObjectDatabase } from './object-database.ts';
import { readWholeFile } from './read-file.ts';
import { readRef, refsBelow, resolveRef } from './refs.ts';
import { readRepositorySettings, unsupportedFeature } from './repository-format.ts';

const MAX_COMMIT_BYTES = 4 * 1024 * 1024;
const MAX_SHALLOW_BYTES = 16 * 1024 * 1024;
const MAX_TAG_DEPTH = 5;
const MAX_REFS = 1000;

export type ResolveOutcome =
  | { readonly kind: 'commit'; readonly id: ObjectId }
  | { readonly kind: 'unknown' }
  /** Several refs or objects have this name. */
  | { readonly kind: 'ambiguous' }
  /** The history ends before the last step; the named object is missing here. */
  | { readonly kind: 'missing'; readonly id: ObjectId };

/** Any repository, read without running git in it. Objects are checked against their ids. */
export interface History {
  /** Describes a feature of this repository that is not supported here, or null. */
  unsupported(): Promise<string | null>;
  /**
   * Why objects may be missing: a shallow clone, or a partial clone that fetches objects on demand; null for a complete
   * one.
   */
  incompleteness(): Promise<'shallow' | 'partial' | null>;
  resolve(revision: Revision): Promise<ResolveOutcome>;
  /** The object that a ref names, without following symbolic refs; null if there is none. */
  readRef(name: string): Promise<ObjectId | null>;
  /** The same for every ref below `prefix` (`refs/…/`), in the order of their names; at most 1000. */
  refsBelow(prefix: string): Promise<ReadonlyMap<string, ObjectId>>;
  readObject(id: ObjectId, maxBytes?: number): Promise<StoredObject | null>;
  close(): Promise<void>;
}

export function openHistory(place: RepositoryPlace): History {
  const objects = openObjectDatabase(gitFile(place, 'objects'));

  async function named(name: string): Promise<ResolveOutcome> {
    const whole = parseObjectId(name);
    if (whole !== null) return peel(whole);
    if (name === 'HEAD') {
      const head = await resolveHead(place);
      return head === null ? { kind: 'unknown' } : peel(head);
    }
    const [only, ...others] = await meanings(name);
    if (only === undefined) return { kind: 'unknown' };
    return others.length === 0 ? peel(only) : { kind: 'ambiguous' };
  }

  /**
   * All objects that a name may mean; a full name (`refs/…`) has one meaning. git takes the first and warns. Here it is
   * an error: a person who may push a tag `origin/main` must not choose what is verified.
   */
  async function meanings(name: string): Promise<readonly ObjectId[]> {
    const ids = new Set<ObjectId>();
    const inFull = isRefName(name) ? await resolveRef(place, name) : null;
    if (inFull?.kind === 'found') return [inFull.id];
    for (const ref of refCandidates(name).filter(isRefName)) {
      const found = await resolveRef(place, ref);
      if (found.kind === 'found') ids.add(found.id);
    }
    if (/^[0-9a-f]{4,39}$/.test(name)) for (const id of await objects.startingWith(name)) ids.add(id);
    return [...ids];
  }

  async function peel(start: ObjectId): Promise<ResolveOutcome> {
    let id = start;
    for (let depth = 0; depth <= MAX_TAG_DEPTH; depth += 1) {
      const object = await objects.read(id, MAX_COMMIT_BYTES);
      if (object === null) return { kind: 'missing', id };
      if (object.type === 'commit') return { kind: 'commit', id };
      const target = parseObjectId(
        /^object ([0-9a-f]{40})\n/.exec(object.content.toString('latin1', 0, 60))?.[1] ?? '',
      );
      if (object.type !== 'tag' || target === null) return { kind: 'unknown' };
      id = target;
    }
    return { kind: 'unknown' };
  }

  return {
    async unsupported() {
      const { settings } = await readRepositorySettings(place);
      return unsupportedFeature(
        place,
        settings.filter(({ name }) => name !== 'core.worktree'),
      );
    },
    async incompleteness() {
      const shallow = await readWholeFile(gitFile(place, 'shallow'), MAX_SHALLOW_BYTES);
      if (shallow !== null && shallow.length > 0) return 'shallow';
      const { settings } = await readRepositorySettings(place);
      const promisor = settings.some(({ name }) => /^remote\..*\.promisor$/.test(name));
      return promisor || lastSetting(settings, 'extensions.partialclone') !== undefined ? 'partial' : null;
    },
    async resolve({ name, steps }) {
      let at = await named(name);
      for (const step of steps) {
        if (at.kind !== 'commit') return at;
        if (step === 0) continue;
        const commit = await objects.read(at.id, MAX_COMMIT_BYTES);
        const parent = commit === null ? undefined : parseCommitLinks(commit.content)?.parents[step - 1];
        at = parent === undefined ? { kind: 'unknown' } : await peel(parent);
      }
      return at;
    },
    readRef: (name) => readRef(place, name),
    refsBelow: (prefix) => refsBelow(place, prefix, MAX_REFS),
    readObject: (id, maxBytes) => objects.read(id, maxBytes),
    close: () => objects.close(),
  };
}

/** A linked worktree has its own HEAD; it names a branch that all worktrees share. */
async function resolveHead(place: RepositoryPlace): Promise<ObjectId | null> {
  const path = gitFile(place, 'HEAD');
  const file = await readWholeFile(path, 4096);
  if (file === null) throw repositoryUnreadable(path, 'it is missing');
  const text = file.toString('utf8').trimEnd();
  const detached = parseObjectId(text);
  if (detached !== null) return detached;
  const branch = /^ref:\s*(.+)$/.exec(text)?.[1];
  if (branch === undefined || !isRefName(branch)) throw repositoryUnreadable(path, 'it is not a ref');
  const found = await resolveRef(place, branch);
  return found.kind === 'found' ? found.id : null;
}
