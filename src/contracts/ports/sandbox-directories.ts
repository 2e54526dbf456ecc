import type { SandboxId } from '../ids.ts';
import type { JobFile } from './sandboxes.ts';

export type ReportOutcome =
  | { readonly kind: 'read'; readonly bytes: Buffer; readonly truncated: boolean }
  | { readonly kind: 'missing' }
  /** A link, a pipe, a directory …: made by the code under test to be followed. */
  | { readonly kind: 'not-a-file' };

/** The directories that belong to one sandbox each: its socket, the job it is given, and where it leaves its report. */
export interface SandboxDirectories {
  /** Makes the sandbox's socket directory; returns where the kernel is to listen. */
  createSocket(sandbox: SandboxId): Promise<string>;
  /** Makes the out directory and writes the job's files into it, which whoever runs the job removes. Names must be plain file names. */
  createJob(sandbox: SandboxId, files: readonly JobFile[]): Promise<void>;
  /** Reads a report without following any link. */
  readReport(sandbox: SandboxId, name: string, maxBytes: number): Promise<ReportOutcome>;
  /** What the sandbox has put into its out directory so far; counting stops at the bounds. */
  outUsage(
    sandbox: SandboxId,
    bounds: { readonly maxBytes: number; readonly maxEntries: number },
  ): Promise<'within' | 'exceeded'>;
  /** Removes all of them, whatever the sandbox left inside. Succeeds when there is nothing. Must not be called while it runs. */
  remove(sandbox: SandboxId): Promise<void>;
  /** Every sandbox of which a directory is there. */
  list(): Promise<readonly SandboxId[]>;
}
