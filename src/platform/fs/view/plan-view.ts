import type { Plant } from './plant.ts';
import type { OverlayView } from '../../../contracts/ports/workspace.ts';
import { withDescriptors } from '../descriptors.ts';
import { compareCodeUnits, listDirectory } from '../union/union-read.ts';
import { locate } from '../union/union-walk.ts';
import type { UnionRoots } from '../union/union-walk.ts';
import type { ClosedFiles } from './closed-files.ts';
import { linkedRepository } from './linked-repository.ts';
import { plainRepository } from './plain-repository.ts';

export type ViewPlan =
  | {
      readonly kind: 'planned';
      /** Whiteouts first, then the entries that replace them. */
      readonly plants: readonly Plant[];
      /** Files that the filter hides; sorted. */
      readonly hidden: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: string };

export interface ViewContext {
  readonly roots: UnionRoots;
  /** Pinned project directory. */
  readonly project: number;
  readonly closedFiles: ClosedFiles;
  /** Paths at which the session has staged something. */
  readonly staged: () => readonly string[];
}

const NOTHING = { kind: 'planned', plants: [], hidden: [] } as const;

/** Computes which entries an upper directory needs so that its overlay shows the view. Reads the current union. */
export async function planView(context: ViewContext, view: OverlayView | undefined): Promise<ViewPlan> {
  const { visible, overrides = [] } = view ?? {};
  const { linked } = context.roots;
  const own = linked === undefined ? [] : await linkedRepository(context.roots, linked);
  if (visible === undefined && overrides.length === 0) return { ...NOTHING, plants: own };
  const found = visible === undefined ? { paths: [], repositories: [] } : await closedPaths(context, visible);
  if ('reason' in found) return { kind: 'refused', reason: found.reason };
  const closed = found.paths;
  const unnameable = closed.find((path) => path.includes('\ufffd'));
  if (unnameable !== undefined) {
    const reason = `${JSON.stringify(unnameable)} is closed by policy and cannot be hidden: its name is not valid UTF-8`;
    return { kind: 'refused', reason };
  }

  const kindOf = (path: string) =>
    withDescriptors((descriptors) => locate(descriptors, context.roots, path, 'exact').kind);
  const isThere = (path: string): boolean => ['file', 'symlink', 'special', 'directory'].includes(kindOf(path));
  const placed = overrides.filter(({ path }) => visible?.allows(path) !== false);
  const hidden = closed.filter((path) => kindOf(path) === 'file');
  const gone = placed.flatMap(({ path, entry }) => (entry.kind === 'absent' && isThere(path) ? [path] : []));
  const files = placed.flatMap(({ path, entry }): Plant[] => (entry.kind === 'absent' ? [] : [{ path, entry }]));
  const git =
    visible === undefined
      ? []
      : [...(linked === undefined ? ['.git'] : []), ...found.repositories].flatMap((path) =>
          plainRepository(context.roots, visible, path),
        );
  const whiteouts = [...new Set([...hidden, ...withEmptied(context.roots, gone, files)])];
  return {
    kind: 'planned',
    plants: [...whiteouts.map((path): Plant => ({ path, entry: { kind: 'whiteout' } })), ...files, ...git, ...own],
    hidden,
  };
}

async function closedPaths(
  { closedFiles, project, staged }: ViewContext,
  visible: NonNullable<OverlayView['visible']>,
): Promise<
  { readonly paths: readonly string[]; readonly repositories: readonly string[] } | { readonly reason: string }
> {
  const found = await closedFiles.find(project, visible);
  if (found.kind === 'refused') return found;
  const stagedClosed = staged().filter((path) => !visible.allows(path));
  const paths = [...new Set([...found.paths, ...stagedClosed])].sort(compareCodeUnits);
  return { paths, repositories: found.repositories };
}

/**
 * The paths, or in their place the directories that would become empty: a git tree has no empty directory, and an empty
 * one can still be imported as a package.
 */
function withEmptied(roots: UnionRoots, gone: readonly string[], files: readonly Plant[]): string[] {
  const hidden = new Set(gone);
  const waiting = new Set(gone.flatMap(parentOf));
  for (;;) {
    const deepest = [...waiting].sort((a, b) => b.split('/').length - a.split('/').length)[0];
    if (deepest === undefined) break;
    waiting.delete(deepest);
    const children = (listDirectory(roots, deepest) ?? []).map(({ name }) => `${deepest}/${name}`);
    const used = files.some(({ path }) => path.startsWith(`${deepest}/`));
    if (used || !children.every((child) => hidden.has(child))) continue;
    for (const child of children) hidden.delete(child);
    hidden.add(deepest);
    for (const parent of parentOf(deepest)) waiting.add(parent);
  }
  return [...hidden].sort(compareCodeUnits);
}

function parentOf(path: string): string[] {
  const cut = path.lastIndexOf('/');
  return cut === -1 ? [] : [path.slice(0, cut)];
}
