import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../contracts/ports/clock.ts';
import type { FileFilter } from '../../../contracts/ports/workspace.ts';
import { shellWords } from '../../../lib/text/shell-words.ts';
import { bytesOf, listBytes, textOf, throughFdName } from '../byte-names.ts';
import type { ByteName } from '../byte-names.ts';
import { changedMsOf, deviceOf, isDirectoryRecord, RECORD_BYTES } from '../entry-records.ts';
import type { EntryRecords } from '../entry-records.ts';
import type { OverlayAttributes } from '../xattr.ts';

export type ClosedFilesOutcome =
  /** `repositories` are the directories named `.git` below the project's own: of clones inside it. */
  | { readonly kind: 'found'; readonly paths: readonly string[]; readonly repositories: readonly string[] }
  /** More than can be looked through, so that nobody can say what is among it, or nothing that an overlay shows as it is. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface ClosedFiles {
  /** Regular files of the project that the filter does not allow, ignored ones included. Links are not followed. */
  find(project: number, filter: FileFilter): Promise<ClosedFilesOutcome>;
}

export interface ClosedFilesBounds {
  readonly maxDirectories: number;
  readonly maxPaths: number;
}

export interface ClosedFilesOptions {
  readonly records: EntryRecords;
  readonly attributes: OverlayAttributes;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly bounds?: ClosedFilesBounds;
}

interface Listing {
  readonly record: Buffer;
  readonly closed: readonly string[];
  readonly directories: readonly ByteName[];
  readonly repositories: readonly string[];
}

const DEFAULT_BOUNDS: ClosedFilesBounds = { maxDirectories: 400_000, maxPaths: 20_000 };
const DIRECTORIES_PER_TURN = 500;
/** A policy asks the same in most states; older answers are made again. */
const FILTERS_KEPT = 4;
/** Times of a directory tick in steps: one that changed this lately could change again without showing it. */
const SETTLED_AFTER_MS = 100;
/** Of a path below the project: Linux takes no longer one, with what comes before it in a sandbox. */
const MAX_PATH_BYTES = 3_900;
const MAX_SHOWN = 200;

/**
 * Looks for closed files in all of the project: what policy closes is mostly what git ignores, and packages bring keys of their own. A directory
 * whose record has not moved has the names it had, so after the first walk each costs one `statx`. git's own directory is passed over, and so is
 * what is mounted inside the project: an overlay does not show it.
 *
 * An entry with an attribute of the overlay's own (`user.overlay.…`) would not be shown as it is: a directory hides what lies beneath it, a file
 * is not there. Such a project is refused. Setting one on a directory moves its record; on a file it does nothing that goes unseen.
 */
export function createClosedFiles(options: ClosedFilesOptions): ClosedFiles {
  const { records, attributes, clock, bounds = DEFAULT_BOUNDS } = options;
  const remembered = new Map<string, ReadonlyMap<ByteName, Listing>>();

  return {
    async find(project, filter) {
      const known = remembered.get(filter.key);
      const now = new Map<ByteName, Listing>();
      const paths: string[] = [];
      const repositories: string[] = [];
      const pending: ByteName[] = [''];
      let device: string | null = null;
      let looked = 0;
      for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
        looked += 1;
        if (looked > bounds.maxDirectories)
          return { kind: 'refused', reason: `the project has more than ${bounds.maxDirectories} directories` };
        if (looked % DIRECTORIES_PER_TURN === 0) await setImmediate();
        if (directory.length > MAX_PATH_BYTES)
          return {
            kind: 'refused',
            reason: `directories below ${shown(directory)} are nested too deeply`,
          };
        const record = recordOf(records, project, directory);
        if (!isDirectoryRecord(record)) continue;
        device ??= deviceOf(record);
        if (deviceOf(record) !== device) continue;
        const before = known?.get(directory);
        const listing =
          before?.record.equals(record) === true ? before : list({ project, attributes, filter }, directory, record);
        if ('reason' in listing) return { kind: 'refused', reason: listing.reason };
        if (clock.nowMs() - changedMsOf(record) > SETTLED_AFTER_MS) now.set(directory, listing);
        for (const path of listing.closed) paths.push(path);
        for (const path of listing.directories) pending.push(path);
        for (const path of listing.repositories) repositories.push(path);
        if (paths.length > bounds.maxPaths)
          return { kind: 'refused', reason: `policy closes more than ${bounds.maxPaths} files of the project` };
      }
      remembered.delete(filter.key);
      remembered.set(filter.key, now);
      for (const key of remembered.keys()) if (remembered.size > FILTERS_KEPT) remembered.delete(key);
      return { kind: 'found', paths: paths.sort(), repositories: repositories.sort() };
    },
  };
}

interface ListContext {
  readonly project: number;
  readonly attributes: OverlayAttributes;
  readonly filter: FileFilter;
}

function list(
  { project, attributes, filter }: ListContext,
  directory: ByteName,
  record: Buffer,
): Listing | { readonly reason: string } {
  const closed: string[] = [];
  const directories: ByteName[] = [];
  const repositories: string[] = [];
  const entries = listBytes(project, directory).map((entry) => ({
    ...entry,
    path: directory === '' ? entry.name : `${directory}/${entry.name}`,
  }));
  for (const path of [directory, ...entries.filter(({ kind }) => kind === 'file').map((entry) => entry.path)]) {
    const attribute = attributes.find(throughFdName(project, path));
    if (attribute !== null) return { reason: whyMarked(path, attribute) };
  }
  for (const { name, kind, path } of entries) {
    if (name === '.git') {
      if (directory !== '' && kind === 'directory') repositories.push(textOf(path));
      continue;
    }
    if (kind === 'directory') directories.push(path);
    else if (kind === 'file' && !filter.allows(textOf(path))) closed.push(textOf(path));
  }
  return { record, closed, directories, repositories };
}

function whyMarked(path: ByteName, attribute: string): string {
  const name = path === '' ? '.' : textOf(path);
  return (
    `${shown(path === '' ? '.' : path)} has the attribute ${attribute}, with which overlay file systems hide files, so a sandbox would not ` +
    `see the project as it is; remove it with: ${shellWords(['setfattr', '-x', attribute, '--', name])}`
  );
}

function shown(path: ByteName): string {
  const text = textOf(path);
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}

function recordOf(records: EntryRecords, project: number, path: ByteName): Buffer {
  const record = Buffer.alloc(RECORD_BYTES);
  records.read(project, bytesOf(`${path}\0`), record, 0);
  return record;
}
