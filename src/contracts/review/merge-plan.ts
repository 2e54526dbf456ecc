import { z } from 'zod';
import { fileChangeSchema } from './change-set.ts';
import { objectIdSchema, sessionIdSchema } from '../ids.ts';
import { treeEditSchema } from './prepared-commit.ts';

/** The source of a placed file's bytes: a git object, or the backup of the same path by an earlier operation. */
const contentSourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('object'), id: objectIdSchema }),
  z.strictObject({ kind: z.literal('backup'), operation: z.string() }),
]);

/**
 * The steps of a merge or an undo, as the operation log stores them. Each can be applied and reverted again from any state that a crash may leave;
 * none overwrites another program's change. Paths are project-relative.
 */
export const mergeStepSchema = z.discriminatedUnion('kind', [
  /** Takes git's own locks on the index, HEAD and the refs, so that no git command moves them meanwhile. */
  z.strictObject({ kind: z.literal('lock'), refs: z.array(z.string()) }),
  /** Checks that everything to be replaced is unchanged, that HEAD is still on `branchRef`, and that the index accepts the edits. */
  z.strictObject({
    kind: z.literal('check'),
    branchRef: z.string(),
    head: objectIdSchema,
    changes: z.array(fileChangeSchema).readonly(),
    edits: z.array(treeEditSchema).readonly(),
  }),
  /** Copies what will be replaced into the state directory: files, index, refs, lengths of reflogs. */
  z.strictObject({
    kind: z.literal('back-up'),
    changes: z.array(fileChangeSchema).readonly(),
    refs: z.array(z.string()),
  }),
  /** Copies new objects of the session from the prepared-object store into the repository. */
  z.strictObject({ kind: z.literal('add-objects'), session: sessionIdSchema, ids: z.array(objectIdSchema).readonly() }),
  /** Writes each new content to a temporary file on the target's file system. */
  z.strictObject({
    kind: z.literal('place'),
    session: sessionIdSchema,
    files: z.array(z.strictObject({ change: fileChangeSchema, source: contentSourceSchema })).readonly(),
  }),
  /**
   * Deletes files and links, then directories that a file replaces, and directories that became empty, as git does. Parents of `kept` stay, because
   * they get new files.
   */
  z.strictObject({
    kind: z.literal('remove'),
    files: z.array(fileChangeSchema).readonly(),
    directories: z.array(z.string()).readonly(),
    kept: z.array(z.string()).readonly(),
  }),
  /** Creates `directories` and missing parents, then moves each placed file to its target. */
  z.strictObject({
    kind: z.literal('publish'),
    directories: z.array(z.string()).readonly(),
    files: z.array(fileChangeSchema).readonly(),
  }),
  z.strictObject({
    kind: z.literal('update-ref'),
    ref: z.string(),
    from: objectIdSchema.nullable(),
    to: objectIdSchema,
  }),
  /** `line` is a whole reflog line with its newline; `log` is HEAD or a ref. */
  z.strictObject({ kind: z.literal('append-reflog'), log: z.string(), line: z.string() }),
  /** Replaces the index entries of these paths; all others stay unchanged. */
  z.strictObject({ kind: z.literal('update-index'), edits: z.array(treeEditSchema).readonly() }),
  /** Restores the index entries of these paths from before an earlier operation. */
  z.strictObject({
    kind: z.literal('restore-index'),
    operation: z.string(),
    edits: z.array(treeEditSchema).readonly(),
  }),
  /** `.git/COMMIT_EDITMSG`: the text, or its content from before an earlier operation. */
  z.strictObject({ kind: z.literal('write-message'), text: z.string() }),
  z.strictObject({ kind: z.literal('restore-message'), operation: z.string() }),
  z.strictObject({ kind: z.literal('unlock'), refs: z.array(z.string()) }),
]);

/** One operation on the project, stored completely in the operation log: it can be completed or reverted from this alone. */
export const mergePlanSchema = z.strictObject({
  session: sessionIdSchema,
  /** The commit that is merged, or that is undone. */
  commit: objectIdSchema,
  parent: objectIdSchema,
  branchRef: z.string(),
  /** For an undo: the merge that it reverts. */
  undoes: z.string().nullable(),
  steps: z.array(mergeStepSchema).readonly(),
});

export type MergeStep = z.infer<typeof mergeStepSchema>;
export type MergeStepOf<K extends MergeStep['kind']> = Extract<MergeStep, { kind: K }>;
export type MergePlan = z.infer<typeof mergePlanSchema>;
