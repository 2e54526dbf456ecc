import { z } from 'zod';
import { sha256Schema } from '../ids.ts';

/**
 * What an operation, or a whole session, changes in the project. Paths are project-relative and normalised. `before` is the replaced state, as read
 * when the change was made; the merge checks it again.
 */
export const fileStateSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('absent') }),
  z.strictObject({
    kind: z.literal('file'),
    sha256: sha256Schema,
    size: z.number().int().nonnegative(),
    executable: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('symlink'), target: z.string() }),
  z.strictObject({ kind: z.literal('directory') }),
]);

export const fileChangeSchema = z.strictObject({
  path: z.string(),
  before: fileStateSchema,
  after: fileStateSchema,
});

export type FileState = z.infer<typeof fileStateSchema>;
export type FileChange = z.infer<typeof fileChangeSchema>;

/** Sorted by path (code units), one entry per path. */
export type ChangeSet = readonly FileChange[];

export function sameState(a: FileState, b: FileState): boolean {
  switch (a.kind) {
    case 'absent':
    case 'directory':
      return b.kind === a.kind;
    case 'file':
      return b.kind === 'file' && a.sha256 === b.sha256 && a.executable === b.executable;
    case 'symlink':
      return b.kind === 'symlink' && a.target === b.target;
  }
}
