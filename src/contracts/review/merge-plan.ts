import { z } from 'zod';
import { fileChangeSchema } from './change-set.ts';
import { objectIdSchema, sessionIdSchema } from '../ids.ts';
import { treeEditSchema } from './prepared-commit.ts';

/** Where the bytes of a placed file come from: a git object, or what an earlier operation backed up at the same path. */
const contentSourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('object'), id: objectIdSchema }),
  z.strictObject({ kind: z.literal('backup'), operation: z.string() }),
]);

/**
 * The steps of a merge or an undo, as they stand in the operation log. Each can be applied again, and reverted again, from any
 * state a crash may leave behind; none overwrites what somebody else has changed. Paths are project-relative.
 */
export const mergeStepSchema = z.discriminatedUnion('kind', [
  /** Takes git's own locks on the index, HEAD and the refs, so that no git command moves them meanwhile. */
  z.strictObject({ kind: z.literal('lock'), refs: z.array(z.string()) }),
  /** Everything that will be replaced is still what it was, HEAD is still on `branchRef`, and the index can take the edits. */
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
  /** New objects of the session, from the prepared-object store into the repository. */
  z.strictObject({ kind: z.literal('add-objects'), session: sessionIdSchema, ids: z.array(objectIdSchema).readonly() }),
  /** Writes each new content to a temporary file on the target's file system. */
  z.strictObject({
    kind: z.literal('place'),
    session: sessionIdSchema,
    files: z.array(z.strictObject({ change: fileChangeSchema, source: contentSourceSchema })).readonly(),
  }),
  /**
   * Deletes files and links, then the directories that must go (one gives its place to a file) and those left empty, as git does,
   * except the parents of `kept`, which get new files.
   */
  z.strictObject({
    kind: z.literal('remove'),
    files: z.array(fileChangeSchema).readonly(),
    directories: z.array(z.string()).readonly(),
    kept: z.array(z.string()).readonly(),
  }),
  /** Makes `directories` and missing parents, then puts each placed file in its target's place. */
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
  /** Replaces the index entries of these paths; all others survive as they are. */
  z.strictObject({ kind: z.literal('update-index'), edits: z.array(treeEditSchema).readonly() }),
  /** Gives these paths the entries they had before an earlier operation. */
  z.strictObject({
    kind: z.literal('restore-index'),
    operation: z.string(),
    edits: z.array(treeEditSchema).readonly(),
  }),
  /** `.git/COMMIT_EDITMSG`: the text, or what it was before an earlier operation. */
  z.strictObject({ kind: z.literal('write-message'), text: z.string() }),
  z.strictObject({ kind: z.literal('restore-message'), operation: z.string() }),
  z.strictObject({ kind: z.literal('unlock'), refs: z.array(z.string()) }),
]);

/** One operation on the project, whole in the operation log: it is completed or reverted from this alone. */
export const mergePlanSchema = z.strictObject({
  session: sessionIdSchema,
  /** The commit that is merged, or that is undone. */
  commit: objectIdSchema,
  parent: objectIdSchema,
  branchRef: z.string(),
  /** For an undo: the merge it takes back. */
  undoes: z.string().nullable(),
  steps: z.array(mergeStepSchema).readonly(),
});

export type MergeStep = z.infer<typeof mergeStepSchema>;
export type MergeStepOf<K extends MergeStep['kind']> = Extract<MergeStep, { kind: K }>;
export type MergePlan = z.infer<typeof mergePlanSchema>;
