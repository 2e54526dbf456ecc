import type { ChangeSet, FileChange } from '../../../contracts/review/change-set.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { firstText } from '../../../lib/text/first-last.ts';
import type { ScratchDirectory, ScratchNode } from './scan-scratch.ts';
import type { StagingStep } from '../staging/staging-steps.ts';

/** What the plan reads from the layers below the scratch. */
export interface LayerView {
  /** The staging layer's own entry at a path; a `hider` is a whiteout, a file or a link. */
  staged(path: string): 'nothing' | 'directory' | 'hider';
  /** Whether the union has a directory at a path. */
  isDirectory(path: string): boolean;
  /** Whether the project has something at a path where nothing is staged. */
  projectShows(path: string): boolean;
}

export type FoldPlan =
  | { readonly kind: 'planned'; readonly steps: readonly StagingStep[] }
  | { readonly kind: 'refused'; readonly reason: string };

export interface FoldRequest {
  readonly root: ScratchDirectory;
  readonly changes: ChangeSet;
  /** Paths in the scratch that can never be accepted. */
  readonly unfit: ReadonlySet<string>;
  readonly accepted: ReadonlySet<string>;
  readonly view: LayerView;
  /** A name that was never used before, for an entry that is being removed. */
  readonly token: () => string;
}

class Refusal extends Error {}

/**
 * The steps that fold the accepted part of a scratch into the staging layer, so that the union shows exactly the
 * accepted changes. What overlay layers can't express is refused: a part of a deletion that the sandbox made as a
 * whole, because the kernel can move whiteouts but not create them.
 */
export function planFold(request: FoldRequest): FoldPlan {
  const changes = new Map(request.changes.map((change) => [change.path, change]));
  for (const path of request.accepted) {
    if (!changes.has(path)) return { kind: 'refused', reason: `"${path}" was not changed by this operation` };
  }
  try {
    const plan = new FoldPlanner(request, changes);
    return { kind: 'planned', steps: plan.entries(request.root, '') };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', reason: error.message };
    throw error;
  }
}

class FoldPlanner {
  readonly #request: FoldRequest;
  readonly #changes: ReadonlyMap<string, FileChange>;

  constructor(request: FoldRequest, changes: ReadonlyMap<string, FileChange>) {
    this.#request = request;
    this.#changes = changes;
  }

  entries(directory: ScratchDirectory, path: string): StagingStep[] {
    return [...directory.children].flatMap(([name, node]) => {
      if (path === '' && name === '.git') return [];
      return this.#entry(node, path === '' ? name : `${path}/${name}`);
    });
  }

  #entry(node: ScratchNode, path: string): StagingStep[] {
    switch (node.kind) {
      case 'unfit':
        return [];
      case 'whiteout':
        return this.#whiteout(path);
      case 'file':
      case 'symlink':
        return this.#leaf(path);
      case 'directory':
        return this.#directory(node, path);
      default:
        return assertNever(node);
    }
  }

  #whiteout(path: string): StagingStep[] {
    if (this.#acceptance(this.#removedAt(path), path) !== 'all') return [];
    const { view } = this.#request;
    if (!view.projectShows(path)) return this.#drop(path);
    return [...(view.staged(path) === 'directory' ? this.#drop(path) : []), this.#place(path)];
  }

  #leaf(path: string): StagingStep[] {
    // A directory that is replaced by a file must be removed completely; without the file it is not removed.
    const inside = this.#removedAt(path).filter((change) => change.path !== path);
    const accepted = this.#request.accepted.has(path);
    if (inside.length > 0 && (this.#acceptance(inside, path) === 'all') !== accepted) this.#refusePart(path);
    if (!accepted) return [];
    return [...(this.#request.view.staged(path) === 'directory' ? this.#drop(path) : []), this.#place(path)];
  }

  #directory(node: ScratchDirectory, path: string): StagingStep[] {
    const { view, accepted } = this.#request;
    if (!view.isDirectory(path)) {
      const steps = this.entries(node, path);
      if (steps.length === 0 && !accepted.has(path)) return [];
      if (this.#changes.has(path) && !accepted.has(path)) this.#refusePart(path);
      const hides = view.staged(path) === 'hider';
      return [...(hides ? this.#drop(path) : []), this.#make(node, path, hides), ...steps];
    }
    if (node.opaque && this.#hiddenBy(node, path).some((change) => accepted.has(change.path))) {
      this.#requireWhole(path);
      return [...this.#drop(path), this.#make(node, path, true), ...this.#whole(node, path)];
    }
    const steps = this.entries(node, path);
    if (steps.length === 0) return [];
    return [...(view.staged(path) === 'directory' ? [] : [this.#make(node, path, false)]), ...steps];
  }

  /** A directory that hides what was below it must not hide an entry whose change was not accepted. */
  #requireWhole(path: string): void {
    const kept = this.#under(path).find(
      (change) => change.before.kind !== 'absent' && !this.#request.accepted.has(change.path),
    );
    const unfit = [...this.#request.unfit].some((other) => other.startsWith(`${path}/`));
    if (kept !== undefined || unfit) this.#refusePart(path);
  }

  /** All entries of a directory that hides what was below it, also the unchanged ones. */
  #whole(node: ScratchDirectory, path: string): StagingStep[] {
    return [...node.children].flatMap(([name, child]): StagingStep[] => {
      const at = `${path}/${name}`;
      const wanted = !this.#changes.has(at) || this.#request.accepted.has(at);
      switch (child.kind) {
        case 'unfit':
        case 'whiteout':
          return [];
        case 'file':
        case 'symlink':
          return wanted ? [this.#place(at)] : [];
        case 'directory': {
          const inner = this.#whole(child, at);
          const known = this.#request.view.isDirectory(at) || this.#request.accepted.has(at);
          return inner.length > 0 || known ? [this.#make(child, at, false), ...inner] : [];
        }
        default:
          return assertNever(child);
      }
    });
  }

  /** Deletions of a path and of everything below it. */
  #removedAt(path: string): FileChange[] {
    const own = this.#changes.get(path);
    return [...(own === undefined ? [] : [own]), ...this.#under(path)].filter(
      (change) => change.after.kind === 'absent',
    );
  }

  /** Changes below a path: they are adjacent in a list sorted by path. */
  #under(path: string): readonly FileChange[] {
    const { changes } = this.#request;
    const from = firstNotBefore(changes, `${path}/`);
    // '0' is the code unit after '/'.
    return changes.slice(from, firstNotBefore(changes, `${path}0`));
  }

  #hiddenBy(node: ScratchDirectory, path: string): FileChange[] {
    return this.#removedAt(path).filter((change) => {
      const name = firstText(change.path.slice(path.length + 1).split('/'));
      return !node.children.has(name);
    });
  }

  #acceptance(changes: readonly FileChange[], path: string): 'all' | 'none' {
    const taken = changes.filter((change) => this.#request.accepted.has(change.path)).length;
    if (taken === 0) return 'none';
    if (taken < changes.length) this.#refusePart(path);
    return 'all';
  }

  #refusePart(path: string): never {
    throw new Refusal(
      `"${path}" was deleted or replaced as a whole; it can only be accepted or turned down as a whole`,
    );
  }

  #drop(path: string): StagingStep[] {
    const staged = this.#request.view.staged(path);
    return staged === 'nothing' ? [] : [{ kind: 'drop', path, token: this.#request.token() }];
  }

  #make(node: ScratchDirectory, path: string, opaque: boolean): StagingStep {
    return { kind: 'directory', path, mode: node.mode, opaque };
  }

  #place(path: string): StagingStep {
    return { kind: 'place', source: path, path };
  }
}

/** Index of the first change whose path does not sort before `path`. */
function firstNotBefore(changes: ChangeSet, path: string): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((changes[middle]?.path ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}
