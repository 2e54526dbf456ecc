import { chmodSync, mkdirSync, renameSync } from 'node:fs';
import { z } from 'zod';
import { assertNever } from '../../../lib/assert-never.ts';
import type { Descriptors } from '../descriptors.ts';
import { throughFd, withDescriptors } from '../descriptors.ts';
import type { OpaqueMarks } from '../xattr.ts';

/** A path of one step. Its components are checked, so that a journal cannot lead outside. */
const stepPath = z
  .string()
  .refine(
    (path) => path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && !name.includes('\0')),
    { error: 'not a clean relative path' },
  );

/**
 * One change of the staging layer. A list of steps is written to the journal before the first one runs, and runs again
 * from the start after a crash: a step that is already done does nothing.
 */
export const stagingStepSchema = z.discriminatedUnion('kind', [
  /** Moves what is staged at `path` to the trash, under `token`. */
  z.strictObject({ kind: z.literal('drop'), path: stepPath, token: z.string().regex(/^[a-z0-9_-]+$/) }),
  /** Ensures a staged directory at `path`; an opaque one hides the project's entries there. */
  z.strictObject({
    kind: z.literal('directory'),
    path: stepPath,
    mode: z.number().int().min(0).max(0o777),
    opaque: z.boolean(),
  }),
  /**
   * Moves the entry `source` of the scratch (or of the incoming files) to `path`. It replaces anything there except a
   * directory.
   */
  z.strictObject({ kind: z.literal('place'), source: stepPath, path: stepPath }),
]);

export type StagingStep = z.infer<typeof stagingStepSchema>;

/** Pinned directories that steps move entries between. */
export interface StepDirectories {
  readonly layer: number;
  readonly trash: number;
  /** A slot's upper directory, or the directory of incoming files. */
  readonly source: number;
}

/**
 * Runs the steps in order, synchronously, so that no read of this process falls between two of them. `afterStep` is
 * called with each index (for tests that stop there).
 */
export function takeSteps(
  steps: readonly StagingStep[],
  directories: StepDirectories,
  marks: OpaqueMarks,
  afterStep?: (index: number) => void,
): void {
  for (const [index, step] of steps.entries()) {
    withDescriptors((descriptors) => takeStep(step, directories, marks, descriptors));
    afterStep?.(index);
  }
}

function takeStep(step: StagingStep, directories: StepDirectories, marks: OpaqueMarks, descriptors: Descriptors): void {
  const { layer, trash, source } = directories;
  const target = pinParent(descriptors, layer, step.path);
  switch (step.kind) {
    case 'drop': {
      if (target === null || descriptors.pin(trash, step.token).kind === 'pinned') return;
      const staged = descriptors.pin(target.parent, target.name);
      if (staged.kind === 'pinned') renameSync(throughFd(target.parent, target.name), throughFd(trash, step.token));
      return;
    }
    case 'directory': {
      if (target === null) throw new Error(`no staged directory above ${step.path}`);
      const staged = descriptors.pin(target.parent, target.name);
      if (staged.kind !== 'pinned') mkdirSync(throughFd(target.parent, target.name), { mode: 0o700 });
      const made = descriptors.pin(target.parent, target.name);
      if (made.kind !== 'pinned') throw new Error(`the staged directory ${step.path} no longer exists`);
      if (step.opaque) marks.markOpaque(made.pinned.fd);
      chmodSync(throughFd(made.pinned.fd), step.mode | 0o700);
      return;
    }
    case 'place': {
      const from = pinParent(descriptors, source, step.source);
      if (from === null || descriptors.pin(from.parent, from.name).kind !== 'pinned') return;
      if (target === null) throw new Error(`no staged directory above ${step.path}`);
      renameSync(throughFd(from.parent, from.name), throughFd(target.parent, target.name));
      return;
    }
    default:
      assertNever(step);
  }
}

/** The directory that holds `path`, reached from `root` through directories only; null if there is none. */
export function pinParent(
  descriptors: Descriptors,
  root: number,
  path: string,
): { readonly parent: number; readonly name: string } | null {
  const names = path.split('/');
  const name = names.pop() ?? '';
  let parent = root;
  for (const component of names) {
    const found = descriptors.pin(parent, component);
    if (found.kind !== 'pinned' || !found.pinned.stat.isDirectory()) return null;
    parent = found.pinned.fd;
  }
  return { parent, name };
}
