import { z } from 'zod';
import { sandboxIdSchema, sha256Schema } from '../ids.ts';
import { presentedCapabilitySchema } from '../policy.ts';
import { SESSION_MODES } from '../session/workflow-states.ts';

/**
 * Kernel -> tool plugin, as a request whose method is the tool's name. `workspace` is where project and staging are mounted; null for a patch-mode
 * call, whose sandbox sees no workspace.
 */
export const toolCallSchema = z.strictObject({
  input: z.unknown(),
  context: z.strictObject({
    sandbox_id: sandboxIdSchema,
    workspace: z.string().startsWith('/').nullable(),
    session_mode: z.enum(SESSION_MODES),
    /** The only permission of this call; sent back with the answer. Absent for a call without an effect that needs permission. */
    capability: presentedCapabilitySchema.omit({ use: true }).optional(),
  }),
});

/** The answer to a call with a capability. Without the capability the result does not count. */
export const toolAnswerSchema = z.strictObject({ result: z.unknown(), capability: presentedCapabilitySchema });

/** A text file as the kernel read it: UTF-8 with any byte order mark kept. `sha256` is over its bytes. */
export const textBaseSchema = z.strictObject({ content: z.string(), sha256: sha256Schema });

/** `base` is null if there is no such file, or no text file. `content` is written unchanged. */
export const fsWriteInputSchema = z.strictObject({
  path: z.string(),
  base: textBaseSchema.nullable(),
  content: z.string(),
});

/** Answer of `fs.write`: a unified diff against the base ('' if null), and the SHA-256 of the resulting file. */
export const patchResultSchema = z.strictObject({ patch: z.string(), sha256: sha256Schema });

/** Project-relative paths, as the kernel resolved them. */
export const fsDeleteInputSchema = z.strictObject({ path: z.string() });
export const fsMoveInputSchema = z.strictObject({ from: z.string(), to: z.string() });

/** Files to write, to move and then write, and to delete, as one change. */
export const fsPatchInputSchema = z.strictObject({
  files: z.array(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('write'), path: z.string(), content: z.string() }),
      z.strictObject({ kind: z.literal('move'), from: z.string(), to: z.string(), content: z.string() }),
      z.strictObject({ kind: z.literal('delete'), path: z.string() }),
    ]),
  ),
});

/** Number of files and links that were written, removed or moved. */
export const fsChangeResultSchema = z.strictObject({ entries: z.number().int().nonnegative() });

/**
 * Commands run one after the other until one fails. `cwd` is relative to the workspace, `stdin` is sent to each of them, `timeout_ms` is for all
 * together.
 */
export const shellRunInputSchema = z.strictObject({
  commands: z.array(z.array(z.string()).min(1).max(1000)).min(1).max(100),
  cwd: z.string().default(''),
  stdin: z.string().optional(),
  timeout_ms: z.number().int().positive(),
  /** Toolchains of the host, mounted read-only: directories of programs, and the variables that these need. */
  toolchains: z
    .strictObject({
      /** Directories whose programs take precedence over the system's programs of the same name. */
      first: z.array(z.string()).optional(),
      path: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    })
    .optional(),
});

/** `stdout` and `stderr` keep only head and tail if they exceed the tool's limit. */
export const commandResultSchema = z.strictObject({
  exit: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('exited'), code: z.number().int() }),
    z.strictObject({ kind: z.literal('signalled'), signal: z.string() }),
    z.strictObject({ kind: z.literal('timed-out'), after_ms: z.number() }),
    /** The program could not be started. */
    z.strictObject({ kind: z.literal('not-started'), reason: z.string() }),
  ]),
  stdout: z.string(),
  stderr: z.string(),
  truncated: z.boolean(),
  duration_ms: z.number().nonnegative(),
});

/** One result for each command that was started, in order. */
export const shellRunResultSchema = z.strictObject({ results: z.array(commandResultSchema).min(1) });

export type ToolCall = z.infer<typeof toolCallSchema>;
export type FsWriteInput = z.infer<typeof fsWriteInputSchema>;
export type FsPatchInput = z.infer<typeof fsPatchInputSchema>;
export type PatchResult = z.infer<typeof patchResultSchema>;
export type FsChangeResult = z.infer<typeof fsChangeResultSchema>;
export type CommandResult = z.infer<typeof commandResultSchema>;
export type ShellRunResult = z.infer<typeof shellRunResultSchema>;
