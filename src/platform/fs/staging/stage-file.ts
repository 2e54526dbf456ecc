import type { FileState } from '../../../contracts/review/change-set.ts';
import { sameState } from '../../../contracts/review/change-set.ts';
import type { Random } from '../../../contracts/ports/random.ts';
import type { Descriptors } from '../descriptors.ts';
import { withDescriptors, withDescriptorsAsync } from '../descriptors.ts';
import { writeDurably } from '../durable-file.ts';
import { viewLayers } from '../union/layer-view.ts';
import type { Originals } from './originals.ts';
import { whyNotCreated } from '../path-rules.ts';
import { beginJournal, finishJournal } from './staging-journal.ts';
import type { StagingDirectories } from './staging-layout.ts';
import { syncDirectory } from './staging-layout.ts';
import type { StagingStep } from './staging-steps.ts';
import { pinParent, takeSteps } from './staging-steps.ts';
import type { Spelling } from '../union/union-lookup.ts';
import { readUnion, stateOf } from '../union/union-read.ts';
import type { Located, UnionRoots } from '../union/union-walk.ts';
import { locate } from '../union/union-walk.ts';

export interface StagedWrite {
  /** The resolved path. */
  readonly path: string;
  /** The state that the caller read and based its decision on. */
  readonly before: FileState;
  readonly bytes: Buffer;
  readonly executable: boolean;
}

export interface StagingContext {
  readonly roots: UnionRoots;
  readonly directories: StagingDirectories;
  readonly originals: Originals;
  readonly random: Random;
  /** Of a larger original only the hash is stored. */
  readonly maxOriginalBytes: number;
}

export type StageFileOutcome =
  | { readonly kind: 'staged' }
  | { readonly kind: 'conflict'; readonly found: FileState }
  | { readonly kind: 'refused'; readonly reason: string };

/** Puts one file into the staging layer if its path is still as the caller saw it. Durable when it returns. */
export async function stageFile(context: StagingContext, write: StagedWrite): Promise<StageFileOutcome> {
  return withDescriptorsAsync(async (descriptors) => {
    const { path, before } = write;
    const found = locate(descriptors, context.roots, path, 'exact');
    const reason = whyNotCreated(path) ?? whyNotWritten(found, path) ?? whySpeltOtherwise(context.roots, path);
    if (reason !== null) return refused(reason);
    const current = await currentState(descriptors, found);
    if (current === null) return refused(`"${path}" can't be read: permission denied`);
    if (!sameState(current, before)) return { kind: 'conflict', found: current };

    await context.originals.record([
      { original: { path, state: current }, bytes: () => originalBytes(context, path, current) },
    ]);
    const incoming = context.random.id('in');
    writeDurably(context.directories.tmp, incoming, write.bytes, modeOf(found, write.executable));
    place(context, [...planParents(context, path), { kind: 'place', source: incoming, path }]);
    return { kind: 'staged' };
  });
}

/** Content of a file that is about to be replaced, if it still agrees with `state` and is not too large to store. */
export function originalBytes(context: StagingContext, path: string, state: FileState): Buffer | null {
  if (state.kind !== 'file') return null;
  const read = readUnion(context.roots, path, context.maxOriginalBytes, 'exact');
  return read.kind === 'file' && read.state.sha256 === state.sha256 ? read.bytes : null;
}

function whyNotWritten(found: Located, path: string): string | null {
  switch (found.kind) {
    case 'missing':
      return null;
    case 'unreachable':
      return `"${path}" can't be reached: permission denied`;
    case 'diverted':
      return `"${found.at}" is not a directory`;
    case 'directory':
      return `"${path}" is a directory`;
    case 'special':
      return `"${path}" is a special file`;
    case 'symlink':
      return `"${path}" is a link; write to the file it names`;
    case 'file':
      // The merge replaces this name only; the other links would silently keep the old content.
      if (found.layer === 'project' && found.stat.nlink > 1) return `"${path}" has other hard links`;
      return null;
  }
}

/** Two names that look the same must not be in one directory. */
function whySpeltOtherwise(roots: UnionRoots, path: string): string | null {
  const names = path.split('/');
  const twin = names
    .map((_, index) => names.slice(0, index + 1).join('/'))
    .find((prefix) => isThere(roots, prefix, 'any') && !isThere(roots, prefix, 'exact'));
  return twin === undefined ? null : `"${twin}" is there already, written with other Unicode characters`;
}

function isThere(roots: UnionRoots, path: string, spelling: Spelling): boolean {
  return withDescriptors((descriptors) => locate(descriptors, roots, path, spelling).kind !== 'missing');
}

async function currentState(descriptors: Descriptors, found: Located): Promise<FileState | null> {
  return found.kind === 'file' ? stateOf(descriptors, found) : { kind: 'absent' };
}

/** The staged directories above a path. One that replaces a whiteout must still hide the project's entries there. */
function planParents(context: StagingContext, path: string): StagingStep[] {
  const view = viewLayers(context.roots, context.directories.layer);
  const names = path.split('/').slice(0, -1);
  const steps: StagingStep[] = [];
  for (const depth of names.keys()) {
    const parent = names.slice(0, depth + 1).join('/');
    const staged = view.staged(parent);
    if (staged === 'directory') continue;
    if (staged === 'hider') {
      steps.push({ kind: 'drop', path: parent, token: context.random.id('out') });
      steps.push({ kind: 'directory', path: parent, mode: 0o755, opaque: true });
    } else {
      steps.push({ kind: 'directory', path: parent, mode: directoryMode(context.roots, parent), opaque: false });
    }
  }
  return steps;
}

function directoryMode(roots: UnionRoots, path: string): number {
  return withDescriptors((descriptors) => {
    const found = locate(descriptors, roots, path);
    return found.kind === 'directory' ? found.stat.mode & 0o777 : 0o755;
  });
}

/**
 * A plain rename is atomic. Steps that remove something first use the journal, so that a crash can't leave them half
 * done.
 */
function place(context: StagingContext, steps: readonly StagingStep[]): void {
  const { directories, roots } = context;
  if (steps.some((step) => step.kind === 'drop')) {
    const journal = { source: { kind: 'tmp' as const }, steps: [...steps], reset: false };
    beginJournal(directories, journal);
    finishJournal(directories, journal, directories.tmp, roots.marks);
    return;
  }
  takeSteps(steps, { layer: directories.layer, trash: directories.trash, source: directories.tmp }, roots.marks);
  const path = steps.at(-1)?.path ?? '';
  withDescriptors((descriptors) =>
    syncDirectory(pinParent(descriptors, directories.layer, path)?.parent ?? directories.layer),
  );
}

function modeOf(found: Located, executable: boolean): number {
  const mode = found.kind === 'file' ? found.stat.mode & 0o777 : 0o644;
  // Everyone who may read the file may execute it, as after `chmod +x` with a common umask.
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

function refused(reason: string): StageFileOutcome {
  return { kind: 'refused', reason };
}
