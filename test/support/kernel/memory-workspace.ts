import { matchesGlob, normalize } from 'node:path/posix';
import type { ChangeSet, FileState } from '../../../src/contracts/review/change-set.ts';
import { sameState } from '../../../src/contracts/review/change-set.ts';
import type { ProjectPath } from '../../../src/contracts/ids.ts';
import type {
  DirEntry,
  DiscardOutcome,
  GrepMatch,
  GrepOutcome,
  GrepQuery,
  IgnoredEntries,
  OverlayOutcome,
  OverlayView,
  ReadOutcome,
  ResolveOutcome,
  StageOutcome,
  Workspace,
} from '../../../src/contracts/ports/workspace.ts';
import { createUnifiedDiff } from '../../../src/lib/diff/unified-diff.ts';
import type { Files, FileTree } from './file-tree.ts';
import { sha256Of, stateIn, treeOf } from './file-tree.ts';

/** The scratch directories of all workspaces of a test kernel: what a fake sandbox finds at its slot, and may change. */
export class Slots {
  #next = 0;
  readonly #trees = new Map<number, FileTree>();

  open(tree: FileTree): number {
    this.#next += 1;
    this.#trees.set(this.#next, tree);
    return this.#next;
  }

  /** Throws for a slot that was never opened: a sandbox that mounts it is a bug. */
  at(slot: number | null): FileTree {
    const tree = slot === null ? undefined : this.#trees.get(slot);
    if (tree === undefined) throw new Error(`slot ${String(slot)} was never opened`);
    return tree;
  }
}

export interface MemoryWorkspaceOptions {
  readonly slots?: Slots;
  readonly staged?: Files;
  /** Paths that git ignores. */
  readonly ignored?: readonly string[];
}

/** A workspace in memory: project files, and staged ones on top. No links. It behaves as the port says, one call after the other. */
export class MemoryWorkspace implements Workspace {
  readonly slots: Slots;
  readonly project: FileTree;
  /** Paths of each change that was accepted from an overlay, in order. */
  readonly accepted: string[] = [];
  /** The view that each overlay had. */
  readonly views: OverlayView[] = [];
  generation = 0;
  #current: FileTree;
  readonly #ignored: readonly string[];

  constructor(project: Files = {}, { slots = new Slots(), staged = {}, ignored = [] }: MemoryWorkspaceOptions = {}) {
    this.slots = slots;
    this.project = treeOf(project);
    this.#current = new Map([...this.project, ...treeOf(staged)]);
    this.#ignored = ignored;
  }

  /** Text of a file with what is staged, or null. */
  text(path: string): string | null {
    return this.#current.get(path)?.text ?? null;
  }

  /** Changes a file behind the session's back, as the user's editor does. */
  edit(path: string, text: string): void {
    this.#current.set(path, { text, executable: false });
  }

  resolve(path: string): Promise<ResolveOutcome> {
    const clean = normalize(`./${path}`).replace(/\/$/, '').replace(/^\.$/, '');
    if (clean === '..' || clean.startsWith('../')) {
      return Promise.resolve({ kind: 'refused', reason: 'it leads out of the project' });
    }
    const exists = stateIn(this.#current, clean).kind !== 'absent';
    return Promise.resolve({ kind: 'ok', path: clean as ProjectPath, exists });
  }

  stat(path: ProjectPath): Promise<FileState> {
    return Promise.resolve(stateIn(this.#current, path));
  }

  async kindOf(path: ProjectPath): Promise<FileState['kind']> {
    return (await this.stat(path)).kind;
  }

  read(path: ProjectPath, maxBytes: number): Promise<ReadOutcome> {
    const state = stateIn(this.#current, path);
    if (state.kind === 'directory') return Promise.resolve({ kind: 'not-a-file', what: 'directory' });
    if (state.kind !== 'file') return Promise.resolve({ kind: 'missing' });
    if (state.size > maxBytes) return Promise.resolve({ kind: 'too-large', size: state.size });
    return Promise.resolve({ kind: 'file', bytes: Buffer.from(this.text(path) ?? ''), state });
  }

  async gitIndex(maxBytes: number): Promise<Buffer | null> {
    const read = await this.read('.git/index' as ProjectPath, maxBytes);
    return read.kind === 'file' ? read.bytes : null;
  }

  list(path: ProjectPath): Promise<readonly DirEntry[] | null> {
    if (stateIn(this.#current, path).kind !== 'directory') return Promise.resolve(null);
    const prefix = path === '' ? '' : `${path}/`;
    const entries = new Map<string, DirEntry>();
    for (const file of [...this.#current.keys()].sort()) {
      if (!file.startsWith(prefix)) continue;
      const [name = '', ...rest] = file.slice(prefix.length).split('/');
      entries.set(name, { name, kind: rest.length > 0 ? 'directory' : 'file' });
    }
    return Promise.resolve([...entries.values()]);
  }

  glob(pattern: string, path: ProjectPath, maxResults: number): Promise<{ paths: string[]; truncated: boolean }> {
    const prefix = path === '' ? '' : `${path}/`;
    const found = [...this.#current.keys()]
      .filter((file) => file.startsWith(prefix) && !this.#ignored.includes(file))
      .filter((file) => pattern === '**/*' || matchesGlob(file.slice(prefix.length), pattern))
      .sort();
    return Promise.resolve({ paths: found.slice(0, maxResults), truncated: found.length > maxResults });
  }

  grep({ pattern, path, readable, maxResults }: GrepQuery): Promise<GrepOutcome> {
    const expression = new RegExp(pattern);
    const matches: GrepMatch[] = [];
    for (const [file, { text }] of this.#current) {
      if (path !== '' && file !== path && !file.startsWith(`${path}/`)) continue;
      if (readable?.(file) === false) continue;
      text.split('\n').forEach((line, index) => {
        if (expression.test(line)) matches.push({ path: file, line: index + 1, text: line, context: false });
      });
    }
    const truncated = matches.length > maxResults;
    return Promise.resolve({ kind: 'ok', matches: matches.slice(0, maxResults), truncated });
  }

  isIgnored(path: ProjectPath): Promise<boolean> {
    return Promise.resolve(this.#ignored.includes(path));
  }

  ignored(kept: ReadonlySet<string>): Promise<IgnoredEntries> {
    const paths = [...this.#current.keys()].filter((path) => this.#ignored.includes(path) && !kept.has(path));
    return Promise.resolve({ kind: 'found', paths: paths.sort() });
  }

  stage(path: ProjectPath, before: FileState, bytes: Buffer, executable: boolean): Promise<StageOutcome> {
    const found = stateIn(this.#current, path);
    if (!sameState(found, before)) return Promise.resolve({ kind: 'conflict', found });
    this.#current.set(path, { text: bytes.toString('utf8'), executable });
    this.generation += 1;
    return Promise.resolve({ kind: 'staged', generation: this.generation });
  }

  async overlay<T>(run: (slot: number) => Promise<T>, view: OverlayView = {}): Promise<OverlayOutcome<T>> {
    this.views.push(view);
    const before = viewed(this.#current, view);
    const scratch = new Map(before);
    const hidden = [...this.#current.keys()].filter((path) => view.visible?.allows(path) === false).sort();
    const value = await run(this.slots.open(scratch));
    const changes = changesBetween(before, scratch);
    return {
      kind: 'completed',
      value,
      changes,
      hidden,
      accept: (paths) => {
        for (const { path } of changes.filter((change) => paths.has(change.path))) {
          const file = scratch.get(path);
          if (file === undefined) this.#current.delete(path);
          else this.#current.set(path, file);
          this.accepted.push(path);
        }
        this.generation += 1;
        return Promise.resolve({ kind: 'staged', generation: this.generation });
      },
      read: (path) => {
        const file = scratch.get(path);
        return Promise.resolve(file === undefined ? null : Buffer.from(file.text));
      },
      scratchFiles: (prefix) => [...scratch.keys()].filter((path) => path.startsWith(prefix)).sort(),
      discard: () => Promise.resolve(),
    };
  }

  async discarding<T>(run: (slot: number) => Promise<T>, view: OverlayView = {}): Promise<DiscardOutcome<T>> {
    const outcome = await this.overlay(run, view);
    return outcome.kind === 'completed' ? { kind: 'completed', value: outcome.value, hidden: outcome.hidden } : outcome;
  }

  changes(): Promise<ChangeSet> {
    return Promise.resolve(changesBetween(this.project, this.#current));
  }

  diff(): Promise<string> {
    const diffs = changesBetween(this.project, this.#current).map(({ path }) =>
      createUnifiedDiff(path, this.project.get(path)?.text ?? '', this.text(path) ?? ''),
    );
    return Promise.resolve(diffs.join(''));
  }

  stagingDigest(): Promise<string> {
    return Promise.resolve(sha256Of(JSON.stringify(changesBetween(this.project, this.#current))));
  }

  reset(): Promise<void> {
    this.#current = new Map(this.project);
    this.generation += 1;
    return Promise.resolve();
  }
}

/** What a sandbox finds: without the files that the view hides, with the entries that it replaces. */
function viewed(tree: FileTree, { visible, overrides = [] }: OverlayView): FileTree {
  const shown = new Map([...tree].filter(([path]) => visible?.allows(path) !== false));
  for (const { path, entry } of overrides) {
    for (const each of [...shown.keys()]) if (each === path || each.startsWith(`${path}/`)) shown.delete(each);
    if (entry.kind === 'file') shown.set(path, { text: entry.bytes.toString('utf8'), executable: entry.executable });
  }
  return shown;
}

function changesBetween(before: FileTree, after: FileTree): ChangeSet {
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .filter((path) => before.has(path) || after.has(path))
    .map((path) => ({ path, before: fileIn(before, path), after: fileIn(after, path) }))
    .filter((change) => !sameState(change.before, change.after));
}

function fileIn(tree: FileTree, path: string): FileState {
  return tree.has(path) ? stateIn(tree, path) : { kind: 'absent' };
}
