import type { ChangeSet, FileChange, FileState } from '../../../contracts/review/change-set.ts';
import { sameState } from '../../../contracts/review/change-set.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { withDescriptors, withDescriptorsAsync } from '../descriptors.ts';
import { whyLinkRefused } from '../link-target.ts';
import { holderOfGit, whyNotCreated } from '../path-rules.ts';
import type { ScratchDirectory, ScratchNode } from './scan-scratch.ts';
import { compareCodeUnits, leavesUnder, listDirectory, stateOf, TooManyEntries } from '../union/union-read.ts';
import type { UnionRoots } from '../union/union-walk.ts';
import { locate } from '../union/union-walk.ts';

export type CompareOutcome =
  | {
      readonly kind: 'compared';
      readonly changes: ChangeSet;
      /** Paths in the scratch that can never be accepted; git ignores all of them. */
      readonly unfit: ReadonlySet<string>;
    }
  | { readonly kind: 'refused'; readonly reason: string };

export interface CompareOptions {
  readonly roots: UnionRoots;
  readonly isIgnored: (path: string, directory: boolean) => boolean;
  /** Limits what one deletion may remove. */
  readonly maxEntries: number;
}

class Refusal extends Error {}

/**
 * What a scratch changes compared with the union below it. Compared by content, so that a file that was only copied up
 * is no change. Files and links are listed one by one; whiteouts and opaque directories are expanded. A directory is
 * listed only if it replaces a file or is replaced by one. Git's own directory is left out, because it is not part of a
 * session's changes.
 */
export async function compareScratch(root: ScratchDirectory, options: CompareOptions): Promise<CompareOutcome> {
  const comparison = new Comparison(options);
  try {
    await comparison.entries(root, '');
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', reason: error.message };
    if (error instanceof TooManyEntries) {
      return { kind: 'refused', reason: `more than ${options.maxEntries} files were deleted` };
    }
    throw error;
  }
  return {
    kind: 'compared',
    changes: comparison.changes.sort((a, b) => compareCodeUnits(a.path, b.path)),
    unfit: comparison.unfit,
  };
}

class Comparison {
  readonly changes: FileChange[] = [];
  readonly unfit = new Set<string>();
  readonly #options: CompareOptions;

  constructor(options: CompareOptions) {
    this.#options = options;
  }

  async entries(directory: ScratchDirectory, path: string): Promise<void> {
    for (const [name, node] of directory.children) {
      if (path === '' && name === '.git') continue;
      await this.#entry(node, path === '' ? name : `${path}/${name}`);
    }
  }

  async #entry(node: ScratchNode, path: string): Promise<void> {
    const before = await this.#before(path);
    switch (node.kind) {
      case 'unfit':
        this.#turnDown(path, node.reason, false);
        return;
      case 'whiteout':
        await this.#removed(path, before);
        return;
      case 'directory':
        if (before.kind !== 'directory') this.#directoryAppeared(path, before);
        else if (node.opaque) await this.#hidden(node, path);
        await this.entries(node, path);
        return;
      case 'symlink': {
        const reason = whyLinkRefused(path, node.state.target, this.#options.roots.projectRoot);
        if (reason === null || sameState(before, node.state)) await this.#replaced(path, before, node.state);
        else this.#turnDown(path, `the link ${JSON.stringify(path)} ${reason}`, false);
        return;
      }
      case 'file':
        await this.#replaced(path, before, node.state);
        return;
      default:
        assertNever(node);
    }
  }

  #directoryAppeared(path: string, before: FileState): void {
    const reason = this.#whyRefused(path, before);
    if (reason !== null) this.#turnDown(path, reason, true);
    else if (before.kind !== 'absent') this.changes.push({ path, before, after: { kind: 'directory' } });
  }

  async #replaced(path: string, before: FileState, after: FileState): Promise<void> {
    if (sameState(before, after)) return;
    if (before.kind === 'directory') await this.#removed(path, before);
    this.#change({ path, before, after });
  }

  /** Everything at and below a path was removed. An empty directory does not count. */
  async #removed(path: string, before: FileState): Promise<void> {
    switch (before.kind) {
      case 'absent':
        return;
      case 'directory':
        for (const leaf of leavesUnder(this.#options.roots, path, this.#options.maxEntries)) {
          this.#change({ path: leaf.path, before: await this.#before(leaf.path), after: { kind: 'absent' } });
        }
        return;
      case 'file':
      case 'symlink':
        this.#change({ path, before, after: { kind: 'absent' } });
        return;
      default:
        assertNever(before);
    }
  }

  /** What an opaque directory hides: everything that was below it and is not in it again. */
  async #hidden(node: ScratchDirectory, path: string): Promise<void> {
    for (const { name } of listDirectory(this.#options.roots, path) ?? []) {
      if (!node.children.has(name)) await this.#removed(`${path}/${name}`, await this.#before(`${path}/${name}`));
    }
  }

  #change(change: FileChange): void {
    const reason = this.#whyRefused(change.path, change.before);
    if (reason === null) this.changes.push(change);
    else this.#turnDown(change.path, reason, false);
  }

  #whyRefused(path: string, before: FileState): string | null {
    if (holderOfGit(path) !== null) return `${JSON.stringify(path)} is git's own`;
    if (before.kind !== 'absent') return null;
    const reason = whyNotCreated(path);
    if (reason !== null) return `${JSON.stringify(path)}: ${reason}`;
    return this.#hasOtherSpelling(path)
      ? `${JSON.stringify(path)} is there already, written with other Unicode characters`
      : null;
  }

  #hasOtherSpelling(path: string): boolean {
    return withDescriptors((descriptors) => {
      const found = locate(descriptors, this.#options.roots, path, 'any');
      return found.kind !== 'missing' && found.kind !== 'diverted';
    });
  }

  async #before(path: string): Promise<FileState> {
    return withDescriptorsAsync(async (descriptors) => {
      const found = locate(descriptors, this.#options.roots, path, 'exact');
      if (found.kind === 'missing' || found.kind === 'diverted') return { kind: 'absent' };
      if (found.kind === 'unreachable') throw new Refusal(`${JSON.stringify(path)} can't be read`);
      const state = await stateOf(descriptors, found);
      if (state === null) throw new Refusal(`${JSON.stringify(path)} is a special file, or can't be read`);
      return state;
    });
  }

  /**
   * Refuses the whole scratch, unless git ignores the path: then the entry is dropped with everything else that is
   * ignored. git does not decide about paths inside a `.git`; there the directory around it counts.
   */
  #turnDown(path: string, reason: string, directory: boolean): void {
    const holder = holderOfGit(path);
    const { isIgnored } = this.#options;
    const ignored = holder === null ? isIgnored(path, directory) : isIgnored(holder, true);
    if (!ignored) throw new Refusal(reason);
    this.unfit.add(path);
  }
}
