import { z } from 'zod';
import { objectIdSchema } from '../ids.ts';
import { commitSignatureSchema } from '../review/prepared-commit.ts';

/** Kernel -> git tool. Paths are project-relative and normalised; none is ever interpreted as an option or a pattern. */

export const gitStatusInputSchema = z.strictObject({});

/**
 * One path that differs from HEAD. `index` and `worktree` are git's letters (M T A D U, `?` untracked, `.` unchanged): the first shows staged
 * changes, the second unstaged ones.
 */
export const gitStatusEntrySchema = z.strictObject({
  path: z.string(),
  index: z.string().length(1),
  worktree: z.string().length(1),
});

export const gitStatusResultSchema = z.strictObject({
  /** null: detached HEAD. */
  branch: z.string().nullable(),
  entries: z.array(gitStatusEntrySchema),
  /** Whether the list was cut. */
  truncated: z.boolean(),
});

/** The diff of project and staging against HEAD, including new files; only of one file or directory if `path` is given. */
export const gitDiffInputSchema = z.strictObject({ path: z.string().optional() });
export const gitDiffResultSchema = z.strictObject({ diff: z.string(), truncated: z.boolean() });

export const gitLogInputSchema = z.strictObject({
  path: z.string().optional(),
  limit: z.number().int().min(1).max(200).default(20),
});
export const gitLogResultSchema = z.strictObject({
  commits: z.array(
    z.strictObject({
      id: objectIdSchema,
      author: z.string(),
      /** ISO 8601. */
      date: z.string(),
      subject: z.string(),
    }),
  ),
});

/** Which of these paths go through a filter, such as `lfs`. They need not exist. */
export const gitFiltersInputSchema = z.strictObject({ paths: z.array(z.string()) });
export const gitFiltersResultSchema = z.strictObject({
  filtered: z.array(z.strictObject({ path: z.string(), filter: z.string() })),
});

/** The blob that `git add` would store for each of these files, on an index of `parent`. */
export const gitFormsInputSchema = z.strictObject({
  parent: objectIdSchema,
  paths: z.array(z.string()),
  /** The user's own settings turn CRLF into LF. They count only if the repository's settings do not decide it. */
  users_autocrlf: z.literal(true).optional(),
});
const gitFormSchema = z.strictObject({ path: z.string(), id: objectIdSchema });
export const gitFormsResultSchema = z.strictObject({ forms: z.array(gitFormSchema) });

/** Prepares a commit: exactly these entries on exactly this parent. `message` is complete, with its trailers. */
export const gitCommitInputSchema = z.strictObject({
  parent: objectIdSchema,
  entries: z.array(
    z.strictObject({
      path: z.string(),
      mode: z.enum(['100644', '100755', '120000']).nullable(),
      /** The content is stored with LF although the file has CRLF. */
      line_feeds: z.literal(true).optional(),
    }),
  ),
  message: z.string(),
  author: commitSignatureSchema,
  committer: commitSignatureSchema,
});

export const gitCommitResultSchema = z.strictObject({
  commit: objectIdSchema,
  tree: objectIdSchema,
  /** All paths that differ from HEAD, including the entries of the commit. */
  status: gitStatusResultSchema,
  /**
   * Paths whose content git itself would store in another form, and why: `filter=lfs` (or another filter), or `conversion` (line ends, encoding,
   * ident). Except for `line_feeds` no conversion was done, so the commit would not be the one that `git commit` makes.
   */
  converted: z.array(z.strictObject({ path: z.string(), by: z.string() })),
});

export type GitStatusEntry = z.infer<typeof gitStatusEntrySchema>;
export type GitStatusResult = z.infer<typeof gitStatusResultSchema>;
export type GitDiffInput = z.infer<typeof gitDiffInputSchema>;
export type GitDiffResult = z.infer<typeof gitDiffResultSchema>;
export type GitLogInput = z.infer<typeof gitLogInputSchema>;
export type GitLogResult = z.infer<typeof gitLogResultSchema>;
export type GitFiltersInput = z.infer<typeof gitFiltersInputSchema>;
export type GitFormsInput = z.infer<typeof gitFormsInputSchema>;
export type GitForm = z.infer<typeof gitFormSchema>;
export type GitCommitInput = z.infer<typeof gitCommitInputSchema>;
export type GitCommitResult = z.infer<typeof gitCommitResultSchema>;
