import { existsSync } from 'node:fs';
import type { Clock } from '../../../contracts/ports/clock.ts';
import { throughFd } from '../descriptors.ts';
import { readGitFile } from '../git-files.ts';
import { readUnion } from '../union/union-read.ts';
import type { UnionRoots } from '../union/union-walk.ts';
import type { IgnoreSources, IgnoreView } from './ignore-view.ts';
import { createIgnoreView } from './ignore-view.ts';

/** A longer ignore file counts as empty: git has no limit, but a kernel needs one. */
const MAX_IGNORE_FILE_BYTES = 1024 * 1024;

/** The ignore files of a union of layers. Like git, this does not follow links to ignore files. */
export function ignoreSourcesOf(roots: UnionRoots): IgnoreSources {
  const text = (path: string): string | null => {
    if (!mayExist(roots, path)) return null;
    const read = readUnion(roots, path, MAX_IGNORE_FILE_BYTES, 'exact');
    return read.kind === 'file' ? read.bytes.toString('utf8') : null;
  };
  return {
    ignoreFile: (directory) => text(directory === '' ? '.gitignore' : `${directory}/.gitignore`),
    exclude: () => readGitFile(roots, 'info/exclude', MAX_IGNORE_FILE_BYTES)?.toString('utf8') ?? null,
  };
}

/**
 * Few directories have an ignore file, and a walk that finds none is the most expensive part of checking a path. This
 * check goes by name, so a link could mislead it. Then it is wrong only about whether there is something to read;
 * reading follows no link.
 */
function mayExist({ root }: UnionRoots, path: string): boolean {
  return [root.staging, root.project].some((layer) => layer !== null && existsSync(throughFd(layer, path)));
}

/** What git ignores in a union of layers. */
export function ignoreViewOf(roots: UnionRoots): IgnoreView {
  return createIgnoreView(ignoreSourcesOf(roots));
}

/** How long cached ignore files are used for single queries: the result of one tool is checked path by path. */
const REMEMBERED_MS = 50;

/** Like `ignoreViewOf`, for single queries; cached for a short time while staging does not change. */
export function rememberedIgnoreView(roots: UnionRoots, clock: Clock, generation: () => number): () => IgnoreView {
  let remembered: { readonly view: IgnoreView; readonly generation: number; readonly untilMs: number } | null = null;
  return () => {
    const nowMs = clock.monotonicMs();
    if (remembered === null || remembered.generation !== generation() || remembered.untilMs < nowMs) {
      remembered = { view: ignoreViewOf(roots), generation: generation(), untilMs: nowMs + REMEMBERED_MS };
    }
    return remembered.view;
  };
}
