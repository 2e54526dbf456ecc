/** Names of the script of a test run and of the command's input, in the out directory. Both are gone before the command is there. */
export const JOB_FILE = 'job.sh';
export const INPUT_FILE = 'input';

/**
 * The command that a test sandbox becomes. `cwd` is absolute. `argv[0]` is looked up in the PATH of `env` unless it has a slash. Nothing of the
 * container's own environment is passed on.
 */
export interface TestJobDescription {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}
