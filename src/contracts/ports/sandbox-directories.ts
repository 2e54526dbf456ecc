import type { SandboxId } from '../ids.ts';
import type { JobFile } from './sandboxes.ts';

export type ReportOutcome =
  | { readonly kind: 'read'; readonly bytes: Buffer; readonly truncated: boolean }
  | { readonly kind: 'missing' }
  /** A link, a pipe, a directory …: the code under test may have put it there to be followed. */
  | { readonly kind: 'not-a-file' };

/** The directories of each sandbox: for its socket, its job, and its report. */
export interface SandboxDirectories {
  /** Creates the sandbox's socket directory; returns the path on which the kernel listens. */
  createSocket(sandbox: SandboxId): Promise<string>;
  /** Creates the out directory and writes the job's files into it. The program that runs the job removes them. Names must be plain file names. */
  createJob(sandbox: SandboxId, files: readonly JobFile[]): Promise<void>;
  /** Reads a report without following any link. */
  readReport(sandbox: SandboxId, name: string, maxBytes: number): Promise<ReportOutcome>;
  /** How much the sandbox has written to its out directory so far; counting stops at the limits. */
  outUsage(
    sandbox: SandboxId,
    bounds: { readonly maxBytes: number; readonly maxEntries: number },
  ): Promise<'within' | 'exceeded'>;
  /** Removes all directories of a sandbox, whatever it left inside. Succeeds if there are none. Must not be called while it runs. */
  remove(sandbox: SandboxId): Promise<void>;
  /** Every sandbox that has a directory. */
  list(): Promise<readonly SandboxId[]>;
}
