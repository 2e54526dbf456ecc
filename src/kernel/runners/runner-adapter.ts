import type { TestCommand } from '../../contracts/session-protocol.ts';
import type { TestJob, TestSandboxResult } from '../../contracts/ports/sandboxes.ts';
import type { TestCase } from '../../contracts/test-run.ts';

/** Names that nothing in the project can have been written to know: made anew for each run. */
export interface Canary {
  /** Prefix of every canary's name. */
  readonly prefix: string;
  readonly reportName: string;
}

export interface PlanInput {
  readonly command: TestCommand;
  /** Absolute path of the project inside the sandbox (the same as on the host). */
  readonly projectRoot: string;
  /** Test files to run, project-relative, sorted; never empty. */
  readonly files: readonly string[];
  readonly canary: Canary;
}

/** What a report says, before the kernel has held it against the exit status. */
export type ParsedReport =
  | { readonly kind: 'cases'; readonly cases: readonly TestCase[]; readonly files: readonly string[] }
  | { readonly kind: 'invalid'; readonly why: string }
  | { readonly kind: 'tampered'; readonly why: string };

/** One test runner. Both halves are pure. */
export interface RunnerAdapter {
  readonly name: TestCommand['runner'];
  readonly image: TestJob['image'];
  /** Whether the runner would collect this file, by its own naming rules. `path` is relative to the command's directory. */
  collects(path: string, command: TestCommand): boolean;
  /** The project's own naming, as globs, directories or files; empty where the runner's own holds. */
  namedBy(command: TestCommand): readonly string[];
  plan(input: PlanInput): TestJob;
  /** Exit codes a believable run of this runner can end with, canaries included. */
  readonly believableExitCodes: readonly number[];
  parse(input: PlanInput, result: Pick<TestSandboxResult, 'report' | 'output'>): ParsedReport;
}
