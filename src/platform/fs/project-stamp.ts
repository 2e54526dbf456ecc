import { createHash } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { GitDirectories } from '../../contracts/git-directories.ts';
import type { Clock } from '../../contracts/ports/clock.ts';
import { readRegularTextSync } from '../../lib/files/read-regular-file.ts';
import { gitFile } from '../../lib/git/git-directories.ts';
import { bytesOf, isGone, listBytes, textOf, throughFdName } from './byte-names.ts';
import type { ByteName } from './byte-names.ts';
import { O_PATH } from './descriptors.ts';
import {
  changedMsOf,
  deviceOf,
  hasOtherNames,
  isDirectoryRecord,
  RECORD_BYTES,
  withoutContents,
} from './entry-records.ts';
import type { EntryRecords } from './entry-records.ts';
import type { IgnoreSources, IgnoreView } from './ignore/ignore-view.ts';
import { createIgnoreView } from './ignore/ignore-view.ts';
import type { OpenTreeWatch, TreeWatch } from './tree-watch.ts';

export interface StampedProject {
  /** Pinned project directory. */
  readonly project: number;
  readonly sources: IgnoreSources;
  readonly git: GitDirectories;
}

/**
 * Takes a digest of the state of the project tree without file contents: names, types, modes, sizes, times and inodes
 * of everything that git does not ignore, and of HEAD, its branch and the index. Two equal stamps around an operation
 * mean that nobody changed the project in between. One walk at a time.
 */
export type StampProject = (project: StampedProject) => Promise<string>;

/** The entries of a directory when it was listed, without those that git ignores. */
interface Listing {
  /** Records of the directory and of its ignore file, from before it was listed. */
  readonly record: Buffer;
  readonly ignoreFile: Buffer;
  /** Each name ends in a NUL byte. */
  readonly names: Buffer;
  readonly entries: number;
  readonly directories: readonly ByteName[];
}

interface Memory {
  readonly listings: ReadonlyMap<ByteName, Listing>;
  /** Record of git's `info/exclude`; null if it has changed since. */
  readonly exclude: Buffer | null;
}

const ENTRIES_PER_TURN = 2000;
const MAX_HEAD_BYTES = 4096;
/** Files of git's directory that a run depends on: what is checked out and what is staged. */
const GIT_FILES = ['HEAD', 'index', 'packed-refs'];
/** Git's own directory, and installed packages. */
const PASSED_OVER: ReadonlySet<ByteName> = new Set(['.git', 'node_modules']);
const HOLD = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const ITSELF = Buffer.from('\0');
const IGNORE_FILE = Buffer.from('.gitignore\0');
const NO_ENTRY = Buffer.alloc(RECORD_BYTES);
/**
 * File times have a limited resolution: an entry that changed this recently could change again without a visible
 * difference.
 */
const SETTLED_AFTER_MS = 100;

/** Only a walk sees a change through a memory mapping of a file. */
const WALK_AFTER_MS = 30_000;

/** The tree as the last walk saw it, and the watch that reports changes since then. */
interface Watched {
  readonly watch: TreeWatch;
  readonly tree: string;
  readonly exclude: Buffer;
  readonly walkedMs: number;
}

export interface StamperOptions {
  readonly records: EntryRecords;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly openWatch: OpenTreeWatch;
}

/**
 * Every walk checks every file. Only names are cached: a directory with an unchanged record has the same entries, and
 * git ignores the same ones as long as no ignore file from the project root down to it has changed. The walk also
 * watches each directory from before it was listed; as long as no change is reported, no walk is needed.
 */
export function createStamper(options: StamperOptions): StampProject {
  const { records, clock, openWatch } = options;
  let memory: Memory = { listings: new Map(), exclude: null };
  let watched: Watched | null = null;
  /** A tree that cannot be watched is not tried again at each walk. */
  let watchFromMs = -Infinity;

  const watchedTree = (project: StampedProject): string | null => {
    if (watched === null || clock.monotonicMs() - watched.walkedMs > WALK_AFTER_MS) return null;
    const isSame = watched.exclude.equals(recordAt(records, gitFile(project.git, 'info/exclude')));
    return isSame && watched.watch.isQuiet() ? watched.tree : null;
  };

  const walkTree = async (project: StampedProject): Promise<string> => {
    watched?.watch.close();
    watched = null;
    const walkedMs = clock.monotonicMs();
    const watch = walkedMs < watchFromMs ? null : openWatch(project.project);
    const walk = new Walk({ records, project, before: memory, startedMs: clock.nowMs(), watch });
    try {
      const tree = await walk.run();
      memory = walk.remember();
      const { exclude, isWatched } = walk;
      if (isWatched && watch !== null) watched = { watch, tree, exclude, walkedMs };
      else if (watch !== null) watchFromMs = walkedMs + WALK_AFTER_MS;
      return tree;
    } finally {
      if (watched === null) watch?.close();
    }
  };

  return async (project) => {
    const tree = watchedTree(project) ?? (await walkTree(project));
    return createHash('sha256').update(tree).update(gitState(records, project.git)).digest('hex');
  };
}

interface Pending {
  readonly path: ByteName;
  /** The ignore rules for it are the same as in the last walk. */
  readonly sameRules: boolean;
}

interface WalkParts {
  readonly records: EntryRecords;
  readonly project: StampedProject;
  readonly before: Memory;
  readonly startedMs: number;
  readonly watch: TreeWatch | null;
}

class Walk {
  /** Record of git's `info/exclude`, from before the walk. */
  readonly exclude: Buffer;
  readonly #hash = createHash('sha256');
  readonly #records: EntryRecords;
  readonly #project: StampedProject;
  readonly #before: Memory;
  readonly #startedMs: number;
  readonly #watch: TreeWatch | null;
  #isWatched: boolean;
  #device: string | null = null;
  readonly #ignored: IgnoreView;
  readonly #withIgnoreFile = new Set<string>();
  readonly #listings = new Map<ByteName, Listing>();
  #scratch = Buffer.alloc(RECORD_BYTES * ENTRIES_PER_TURN);

  constructor({ records, project, before, startedMs, watch }: WalkParts) {
    this.#records = records;
    this.#project = project;
    this.#before = before;
    this.#startedMs = startedMs;
    this.#watch = watch;
    this.#isWatched = watch !== null;
    this.exclude = recordAt(records, gitFile(project.git, 'info/exclude'));
    const { sources } = project;
    this.#ignored = createIgnoreView({
      ...sources,
      ignoreFile: (directory) => (this.#withIgnoreFile.has(directory) ? sources.ignoreFile(directory) : null),
    });
  }

  async run(): Promise<string> {
    const pending: Pending[] = [{ path: '', sameRules: this.#before.exclude?.equals(this.exclude) === true }];
    let seen = 0;
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const held = this.#hold(next.path);
      if (held === null) continue;
      try {
        this.#isWatched &&= this.#watch?.add(held) === true;
        const { listing, sameRules } = this.#list(held, next);
        this.#look(held, next.path, listing);
        for (const name of listing.directories) pending.push({ path: below(next.path, name), sameRules });
        seen += listing.entries + 1;
      } finally {
        closeSync(held);
      }
      if (seen < ENTRIES_PER_TURN) continue;
      seen = 0;
      await setImmediate();
    }
    return this.#hash.digest('hex');
  }

  remember(): Memory {
    return { listings: this.#listings, exclude: this.#isSettled(this.exclude) ? this.exclude : null };
  }

  /** Whether every change of the walked tree is reported. */
  get isWatched(): boolean {
    return this.#isWatched;
  }

  #hold(path: ByteName): number | null {
    try {
      return openSync(throughFdName(this.#project.project, path), HOLD);
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }

  /** The entries of the directory, from the cache if they are still valid. */
  #list(held: number, { path, sameRules }: Pending): { readonly listing: Listing; readonly sameRules: boolean } {
    const record = recordOf(this.#records, held, ITSELF);
    const ignoreFile = recordOf(this.#records, held, IGNORE_FILE);
    // A file system mounted inside the project may report no changes.
    this.#device ??= deviceOf(record);
    this.#isWatched &&= deviceOf(record) === this.#device;
    if (!ignoreFile.equals(NO_ENTRY)) this.#withIgnoreFile.add(textOf(path));
    const before = sameRules ? this.#before.listings.get(path) : undefined;
    const isSame = before?.ignoreFile.equals(ignoreFile) === true;
    const listing =
      isSame && before.record.equals(record) ? before : this.#readListing(held, path, { record, ignoreFile });
    if (this.#isSettled(record) && this.#isSettled(ignoreFile)) this.#listings.set(path, listing);
    return { listing, sameRules: isSame };
  }

  #readListing(held: number, path: ByteName, at: Pick<Listing, 'record' | 'ignoreFile'>): Listing {
    const kept = listBytes(held, '').filter(
      ({ name, kind }) =>
        !PASSED_OVER.has(name) && !this.#ignored.isIgnored(textOf(below(path, name)), kind === 'directory'),
    );
    return {
      ...at,
      names: bytesOf(kept.map(({ name }) => `${name}\0`).join('')),
      entries: kept.length,
      directories: kept.flatMap(({ name, kind }) => (kind === 'directory' ? [name] : [])),
    };
  }

  #look(held: number, path: ByteName, { names, entries }: Listing): void {
    if (this.#scratch.length < entries * RECORD_BYTES) this.#scratch = Buffer.alloc(entries * RECORD_BYTES);
    let from = 0;
    for (let index = 0; index < entries; index += 1) {
      const to = names.indexOf(0, from) + 1;
      const at = index * RECORD_BYTES;
      this.#records.read(held, names.subarray(from, to), this.#scratch, at);
      // A change through another hard link is reported only to the directory of that link.
      if (isDirectoryRecord(this.#scratch, at)) withoutContents(this.#scratch, at);
      else if (hasOtherNames(this.#scratch, at)) this.#isWatched = false;
      from = to;
    }
    this.#hash.update(`${path}\0${entries}\0`, 'latin1');
    this.#hash.update(names);
    this.#hash.update(this.#scratch.subarray(0, entries * RECORD_BYTES));
  }

  #isSettled(record: Buffer): boolean {
    return this.#startedMs - changedMsOf(record) > SETTLED_AFTER_MS;
  }
}

/** HEAD, its branch and the index. */
function gitState(records: EntryRecords, git: GitDirectories): Buffer {
  const directory = recordAt(records, git.gitDir);
  withoutContents(directory, 0);
  const files = GIT_FILES.map((name) => recordAt(records, gitFile(git, name)));
  return Buffer.concat([directory, ...files, branch(records, git)]);
}

/** The file of the branch that HEAD names, if there is one; otherwise the content of HEAD. */
function branch(records: EntryRecords, git: GitDirectories): Buffer {
  const head = readRegularTextSync(gitFile(git, 'HEAD'), { maxBytes: MAX_HEAD_BYTES, links: 'refused' });
  if (head === null) return Buffer.from('no HEAD\n');
  const name = /^ref: (refs\/heads\/[^\s]+)\s*$/.exec(head)?.[1];
  return name === undefined || name.includes('..') ? Buffer.from(head) : recordAt(records, gitFile(git, name));
}

function recordAt(records: EntryRecords, path: string): Buffer {
  return recordOf(records, -1, Buffer.from(`${path}\0`));
}

function recordOf(records: EntryRecords, directory: number, name: Buffer): Buffer {
  const record = Buffer.alloc(RECORD_BYTES);
  records.read(directory, name, record, 0);
  return record;
}

function below(path: ByteName, name: ByteName): ByteName {
  return path === '' ? name : `${path}/${name}`;
}
