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
  /** `repositories`: directories named `.git` below the project's own, from clones inside the project. */
  | { readonly kind: 'found'; readonly paths: readonly string[]; readonly repositories: readonly string[] }
  /** There are too many files to check, or an entry that an overlay would not show unchanged. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface ClosedFiles {
  /** Regular files of the project that the filter does not allow, also ignored ones. Links are not followed. */
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
/** A policy gives the same answers in most states; older results are computed again. */
const FILTERS_KEPT = 4;
/**
 * Directory times have a limited resolution: one that changed this recently could change again without a visible
 * difference.
 */
const SETTLED_AFTER_MS = 100;
/** Maximum length of a path below the project: Linux allows no longer path together with the prefix in a sandbox. */
const MAX_PATH_BYTES = 3_900;
const MAX_SHOWN = 200;

/**
 * Searches the whole project for hidden files: policy mostly hides what git ignores, and packages contain keys of their
 * own. A directory with an unchanged record has the same names, so after the first walk each directory costs one
 * `statx`. Git's own directory and file systems mounted inside the project are skipped: an overlay does not show the
 * latter.
 *
 * An entry with an overlay attribute (`user.overlay.…`) would not be shown unchanged: a directory would hide what is
 * below it, a file would be missing. Such a project is refused. Setting such an attribute on a directory changes its
 * record; on a file it has no hidden effect.
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
